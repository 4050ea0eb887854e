// SPDX-License-Identifier: Apache-2.0
import { path } from './api.js';
import { button, el, replace } from './dom.js';
import { label } from './editor/schema.js';
import { words } from './editor/histogram.js';
import { report } from './messages.js';

const modes = [
  ['add', 'Add to the edit'],
  ['replace', 'Replace the edit'],
  ['skip', 'Skip edited photos'],
];
/** @type {Record<string, string>} */
const effects = {
  first: 'first edit', append: 'filters are added', replace: 'edit is replaced', none: 'no change',
  skip: 'skipped',
};

/**
 * The plan of a batch, then its run: nothing is written before the reader has seen what would be
 * lost.
 * @param {object} batch
 * @param {string[]} batch.ids
 * @param {Map<string, Item>} batch.items those that are loaded
 * @param {BatchEdit | null} batch.copied
 * @param {Preset[]} batch.presets
 * @param {(edit: BatchEdit, mode: string) => Promise<BatchPlan>} batch.plan
 * @param {(plan: string, ids: string[], progress: (job: Job<BatchResult>) => void) =>
 *   Promise<BatchResult>} batch.run
 * @param {(text: string) => void} batch.done
 */
export function openBatch({ ids, items, copied, presets, plan, run, done }) {
  let mode = 'add';
  /** @type {BatchEdit | null} */
  let edit = copied ?? (presets[0] ? { preset: presets[0].name } : null);
  /** @type {BatchPlan | null} */
  let current = null;
  /** @type {Set<string>} */
  const chosen = new Set();

  /** @type {HTMLSelectElement} */
  const source = el('select', {
    class: 'field', 'aria-label': 'Edit',
    on: {
      change: () => {
        edit = source.value === ':copied' ? copied : { preset: source.value };
        load();
      },
    },
  },
    copied ? el('option', { value: ':copied' }, 'Copied edit') : null,
    presets.map(({ name }) => el('option', { value: name }, name)));
  const choices = el('div', { class: 'segments', role: 'radiogroup', 'aria-label': 'Mode' },
    modes.map(([value, name]) => el('label', {},
      el('input', {
        type: 'radio', name: 'mode', value, checked: value === mode,
        on: { change: () => { mode = value; load(); } },
      }),
      el('span', {}, name))));
  /** @type {HTMLInputElement} */
  const all = el('input', {
    type: 'checkbox', 'aria-label': 'All photos',
    on: {
      change: () => {
        for (const row of current.rows) {
          if (!row.obstacle) { if (all.checked) chosen.add(row.id); else chosen.delete(row.id); }
        }
        show();
      },
    },
  });
  const body = el('tbody');
  const table = el('div', { class: 'plan', tabindex: '0', role: 'region', 'aria-label': 'Plan' },
    el('table', {},
      el('thead', {}, el('tr', {},
        el('th', { scope: 'col' }, all),
        el('th', { scope: 'col' }, 'Photo'),
        el('th', { scope: 'col' }, 'Effect'),
        el('th', { scope: 'col' }, 'Losses'))),
      body));
  const sum = el('p', { class: 'numbers', role: 'status' });
  const bar = el('div');
  const progress = el('div', { class: 'progress', hidden: true }, bar);
  const cancel = button('Cancel', () => dialog.close());
  const apply = button(
    'Apply', start, { kind: 'primary', disabled: true, data: { action: 'apply' } });
  /** @type {HTMLDialogElement} */
  const dialog = el('dialog', {
    class: 'dialog large', 'aria-labelledby': 'batch-title',
    on: { close: () => dialog.remove() },
  }, el('div', { class: 'content' },
    el('h2', { id: 'batch-title' },
      `Apply an edit to ${ids.length.toLocaleString()} ${ids.length === 1 ? 'photo' : 'photos'}`),
    el('div', { class: 'choices' }, source, choices),
    table,
    sum,
    progress,
    el('div', { class: 'actions' }, cancel, apply)));

  async function load() {
    if (!edit) {
      for (const part of [source, choices, table]) part.hidden = true;
      replace(sum,
        'Nothing to apply: there are no presets, and no edit was copied. '
          + 'Select an edited photo and choose “Copy the edit” first.');
      return;
    }
    apply.disabled = true;
    replace(sum, 'Checking the photos…');
    try {
      current = await plan(edit, mode);
      chosen.clear();
      for (const row of current.rows) {
        if (!row.obstacle && row.preselected) chosen.add(row.id);
      }
      show();
    } catch (problem) {
      replace(sum, problem.message);
    }
  }

  function show() {
    replace(body, current.rows.map((row) => {
      /** @type {HTMLInputElement} */
      const check = el('input', {
        type: 'checkbox', checked: chosen.has(row.id), disabled: Boolean(row.obstacle),
        'aria-label': items.get(row.id)?.title ?? row.id,
        on: {
          change: () => {
            if (check.checked) chosen.add(row.id); else chosen.delete(row.id);
            summarize();
          },
        },
      });
      return el('tr', { data: { blocked: String(Boolean(row.obstacle)), id: row.id } },
        el('td', {}, check),
        el('td', {}, photo(row.id)),
        el('td', {}, row.obstacle
          ? `cannot be changed: ${row.obstacle}`
          : effects[row.effect] ?? label(row.effect)),
        el('td', {},
          row.losses.length ? row.losses.map((loss) => words(loss.kind)).join(', ') : 'nothing'));
    }));
    summarize();
  }

  /** @param {string} id */
  function photo(id) {
    const item = items.get(id);
    return el('div', { class: 'photo-cell' },
      item?.picture ? el('img', {
        class: 'row-image', alt: '', loading: 'lazy',
        src: `${path`/api/assets/${id}/picture/${item.picture}`}?w=128&h=128&fit=inside`,
      }) : null,
      el('span', {}, item?.title ?? id.slice(0, 8)));
  }

  function summarize() {
    const lossy = current.rows.filter((row) => !row.obstacle && row.losses.length).length;
    const blocked = current.rows.filter((row) => row.obstacle).length;
    replace(sum, [
      `${chosen.size} will change`,
      lossy ? `${lossy} ${lossy === 1 ? 'loses' : 'lose'} something` : null,
      blocked ? `${blocked} cannot` : null,
    ].filter(Boolean).join(' · '));
    apply.textContent = `Apply to ${chosen.size}`;
    apply.disabled = !chosen.size;
    const able = current.rows.filter((row) => !row.obstacle).length;
    all.checked = chosen.size === able;
    all.indeterminate = chosen.size > 0 && chosen.size < able;
  }

  async function start() {
    apply.disabled = true;
    progress.hidden = false;
    try {
      const result = await run(current.plan, [...chosen], (job) =>
        bar.style.setProperty('transform', `scaleX(${job.done ?? 0})`));
      const count = (/** @type {string} */ outcome) =>
        result.results.filter((entry) => entry.outcome === outcome).length;
      dialog.close();
      done([
        `${count('applied')} changed`,
        count('skipped') && `${count('skipped')} skipped because another program changed them`,
        count('failed') && `${count('failed')} failed`,
      ].filter(Boolean).join(', '));
    } catch (problem) {
      progress.hidden = true;
      apply.disabled = false;
      report(problem);
    }
  }

  document.body.append(dialog);
  dialog.showModal();
  return load();
}

// SPDX-License-Identifier: Apache-2.0
import './dialogWords.js';
import { call, path, Problem } from './api.js';
import { partChoice, usualParts } from './copied.js';
import { countedIds } from './counted.js';
import { button, el, replace } from './dom.js';
import { label } from './editor/schema.js';
import { lossName } from './editor/histogram.js';
import { list, t } from './language.js';
import { report } from './messages.js';
import { partsIn, pickParts } from './parts.js';
import { divisible, follower } from './progress.js';

const modes = [
  ['add', t('batch.add')],
  ['replace', t('batch.replace')],
  ['skip', t('batch.skip')],
];
/** @type {Record<string, string>} */
const effects = {
  first: t('batch.first'), append: t('batch.appended'), replace: t('batch.replaced'),
  none: t('batch.unchanged'), skip: t('batch.skipped'),
};

/**
 * The plan of a batch, then its run: nothing is written before the reader has seen what would be
 * lost.
 * @param {object} batch
 * @param {string[]} batch.ids
 * @param {Map<string, Item>} batch.items those that are loaded
 * @param {import('./copied.js').CopiedEdit | null} batch.copied
 * @param {Preset[]} batch.presets
 * @param {import('./editor/schema.js').Schema} batch.schema
 * @param {(edit: BatchEdit, mode: string, progress: (job: Job<BatchPlan>) => void) =>
 *   Promise<BatchPlan>} batch.plan
 * @param {(plan: string, ids: string[], progress: (job: Job<BatchResult>) => void) =>
 *   Promise<BatchResult>} batch.run
 * @param {(result: BatchResult, isStopped: boolean) => void} batch.done
 */
export function openBatch({ ids, items, copied, presets, schema, plan, run, done }) {
  let mode = 'add';
  /** @type {Preset | null} null for the copied edit */
  let preset = copied ? null : presets[0] ?? null;
  /** @type {Set<import('./parts.js').Part>} */
  let parts = new Set();
  /** @type {BatchPlan | null} */
  let current = null;
  let loads = 0;
  /** The plan that is being made, for a click on Apply meanwhile. */
  let planning = Promise.resolve();
  let isStarting = false;
  /** @type {string | null} the run that Cancel stops */
  let job = null;
  let isStopped = false;
  /** @type {Set<string>} */
  const chosen = new Set();
  /** @type {Set<string>} the photos that the reader left out, which another plan leaves out too */
  const leftOut = new Set();

  /** @type {HTMLSelectElement} */
  const source = el('select', {
    class: 'field', 'aria-label': t('edit'),
    on: {
      change: () => {
        preset = presets.find(({ name }) => name === source.value) ?? null;
        showParts();
        load();
      },
    },
  },
    copied ? el('option', { value: ':copied' }, t('batch.copied')) : null,
    presets.map(({ name }) => el('option', { value: name }, name)));
  const choices = el('div', {
    class: 'segments', role: 'radiogroup', 'aria-label': t('batch.mode'),
  }, modes.map(([value, name]) => el('label', {},
      el('input', {
        type: 'radio', name: 'mode', value, checked: value === mode,
        on: { change: () => { mode = value; load(); } },
      }),
      el('span', {}, name))));
  /** @type {HTMLInputElement} */
  const all = el('input', {
    type: 'checkbox', 'aria-label': t('batch.all'),
    on: {
      change: () => {
        for (const row of current.rows) {
          if (!row.obstacle) choose(row.id, all.checked);
        }
        show();
      },
    },
  });
  const partList = el('div', { hidden: true });
  const body = el('tbody');
  const table = el('div', {
    class: 'plan', role: 'region', 'aria-label': t('batch.plan'), on: { keydown: moveFocus },
  },
    el('table', {},
      el('thead', {}, el('tr', {},
        el('th', { scope: 'col' }, all),
        el('th', { scope: 'col' }, t('name')),
        el('th', { scope: 'col' }, t('batch.effect')),
        el('th', { scope: 'col' }, t('batch.losses')))),
      body));
  const sum = el('p', { class: 'numbers', role: 'status' });
  const progress = follower(sum);
  const cancel = button(t('cancel'), () => (isStarting ? stop() : dialog.close()));
  const apply = button(
    t('apply'), start, { kind: 'primary', disabled: true, data: { action: 'apply' } });
  /** @type {HTMLDialogElement} */
  const dialog = el('dialog', {
    class: 'dialog large', 'aria-labelledby': 'batch-title',
    on: {
      close: () => {
        document.removeEventListener('photoedit:reconnect', load);
        dialog.remove();
      },
      cancel: (event) => { if (isStarting) event.preventDefault(); },
    },
  }, el('div', { class: 'content' },
    el('h2', { id: 'batch-title' }, t('batch.title', countedIds(ids, (id) => items.get(id)))),
    el('div', { class: 'choices' }, source, choices),
    partList,
    table,
    sum,
    progress.element,
    el('div', { class: 'actions' }, cancel, apply)));

  /** The edit with all of its parts; null if there is none. */
  const whole = () => preset?.graph ?? copied?.graph ?? null;

  /** Offers the parts of the edit, unless it has one only; of a preset, all are chosen. */
  function showParts() {
    const graph = whole();
    const all = graph ? partsIn(graph, schema).map(({ part }) => part) : [];
    parts = preset || !graph ? new Set(all) : usualParts(graph, schema);
    partList.hidden = all.length < 2;
    replace(partList, all.length > 1 && partChoice(graph, schema, parts, load));
  }

  /**
   * The edit that is requested.
   * @returns {BatchEdit}
   */
  function edit() {
    const graph = whole();
    if (partsIn(graph, schema).every(({ part }) => parts.has(part))) {
      return preset ? { preset: preset.name } : copied;
    }
    const picked = pickParts(graph, parts, schema);
    return preset ? { graph: picked } : { graph: picked, from: copied.from };
  }

  /**
   * @param {string} id
   * @param {boolean} isChosen
   */
  function choose(id, isChosen) {
    const [to, from] = isChosen ? [chosen, leftOut] : [leftOut, chosen];
    to.add(id);
    from.delete(id);
  }

  function load() {
    const mine = ++loads;
    if (!whole()) {
      for (const part of [source, choices, table]) part.hidden = true;
      replace(sum, t('batch.nothing'));
    } else if (!parts.size) {
      [current, apply.disabled] = [null, true];
      replace(body);
      replace(sum, t('batch.choosePart'));
    } else {
      planning = make(mine);
    }
  }

  /**
   * Makes a plan; a click on Apply meanwhile is for that plan.
   * @param {number} mine
   */
  async function make(mine) {
    replace(sum, t('batch.checking'));
    try {
      const made = await plan(edit(), mode, (state) => {
        if (mine !== loads) return;
        const done = Math.round(state.done * ids.length);
        replace(sum, t('batch.checked', { done, total: ids.length }));
      });
      // Another edit was chosen meanwhile.
      if (mine !== loads) return;
      current = made;
      chosen.clear();
      for (const row of current.rows) {
        if (!row.obstacle && row.preselected && !leftOut.has(row.id)) chosen.add(row.id);
      }
      show();
    } catch (problem) {
      if (mine !== loads) return;
      [current, apply.disabled] = [null, true];
      replace(body);
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
            choose(row.id, check.checked);
            summarize();
          },
        },
      });
      return el('tr', { data: { blocked: String(Boolean(row.obstacle)), id: row.id } },
        el('td', {}, check),
        el('td', {}, photo(row.id)),
        el('td', {}, row.obstacle
          ? t('batch.blocked', { reason: new Problem(row.problem).message })
          : effects[row.effect] ?? label(row.effect)),
        el('td', {},
          row.losses.length ? list(row.losses.map(({ kind }) => lossName(kind))) : t('nothing')));
    }));
    enter(checks()[0]);
    summarize();
  }

  /** @param {string} id */
  function photo(id) {
    const item = items.get(id);
    /** @type {HTMLImageElement | null} */
    const image = item?.picture ? el('img', {
      class: 'row-image', alt: '', loading: 'lazy',
      src: `${path`/api/assets/${id}/picture/${item.picture}`}?w=128&h=128&fit=inside`,
      // A photo that cannot be decoded has none.
      on: { error: () => { image.style.visibility = 'hidden'; } },
    }) : null;
    return el('div', { class: 'photo-cell' },
      image,
      el('span', {}, divisible(item?.title ?? id.slice(0, 8))));
  }

  /** The photos that can be chosen are one stop of Tab: arrows go from one to the next. */
  const checks = () => [.../** @type {NodeListOf<HTMLInputElement>} */ (
    body.querySelectorAll('input:enabled'))];

  /** @param {HTMLInputElement} [check] */
  function enter(check) {
    // What scrolls can be reached without a photo to choose as well.
    table.tabIndex = check ? -1 : 0;
    for (const other of checks()) other.tabIndex = other === check ? 0 : -1;
  }

  /** @param {KeyboardEvent} event */
  function moveFocus(event) {
    const all = checks();
    const index = all.findIndex((check) => check === event.target);
    const next = {
      ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: all.length - 1,
    }[event.key];
    if (index < 0 || next === undefined) return;
    event.preventDefault();
    if (!all[next]) return;
    enter(all[next]);
    all[next].focus();
  }

  function summarize() {
    const lossy = current.rows.filter((row) => !row.obstacle && row.losses.length).length;
    const blocked = current.rows.filter((row) => row.obstacle).length;
    replace(sum, [
      t('batch.willChange', { count: chosen.size }),
      lossy ? t('batch.lossy', { count: lossy }) : null,
      blocked ? t('batch.cannot', { count: blocked }) : null,
    ].filter(Boolean).join(' · '));
    apply.textContent = t('batch.applyTo', { count: chosen.size });
    apply.disabled = isStarting || !chosen.size;
    const able = current.rows.filter((row) => !row.obstacle).length;
    all.checked = chosen.size === able;
    all.indeterminate = chosen.size > 0 && chosen.size < able;
  }

  /** @param {boolean} isBusy */
  function busy(isBusy) {
    [isStarting, apply.disabled] = [isBusy, isBusy];
    for (const part of [source, choices, partList, table]) part.inert = isBusy;
  }

  async function start() {
    busy(true);
    await planning;
    // The newest plan may have failed, or change nothing.
    if (!current || !chosen.size) {
      busy(false);
      apply.disabled = true;
      return;
    }
    // The button that had it is disabled.
    cancel.focus();
    const { items: text } = countedIds([...chosen], (id) => items.get(id));
    try {
      const result = await run(current.plan, [...chosen], (state) => {
        job = state.job;
        if (!isStopped) progress.follow(state, chosen.size, text);
      });
      // Closed by the end of the run.
      isStarting = false;
      dialog.close();
      done(result, isStopped && result.results.length < chosen.size);
    } catch (problem) {
      progress.hide();
      [job, isStopped, cancel.disabled] = [null, false, false];
      busy(false);
      report(problem);
    }
  }

  /** Stops the run: what is changed already stays, and can be undone. */
  function stop() {
    if (!job) return;
    [isStopped, cancel.disabled] = [true, true];
    replace(sum, t('batch.stopping'));
    call('DELETE', path`/api/jobs/${job}`).catch(report);
  }

  // Another session has other plans.
  document.addEventListener('photoedit:reconnect', load);
  document.body.append(dialog);
  dialog.showModal();
  showParts();
  load();
  return planning;
}

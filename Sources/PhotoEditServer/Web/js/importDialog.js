// SPDX-License-Identifier: Apache-2.0
import { call, finish, path, post } from './api.js';
import { button, el, replace } from './dom.js';
import { label } from './editor/schema.js';
import { message, report } from './messages.js';

const kinds = { livePhoto: 'Live Photo', rawPair: 'RAW and JPEG', burst: 'Burst', edited: 'Edited set', duplicate: 'Already in the library', rejected: 'Rejected', photo: 'Photo', video: 'Video' };

/** The review of an import: what will become of each group of files, before anything is copied. */
export function openImport(timeline) {
  const roots = timeline.service.roots?.import ?? [];
  let plan = null;
  const chosen = new Set();
  const input = el('input', { class: 'visually-hidden', id: 'import-files', type: 'file', multiple: true, on: { change: () => upload([...input.files]) } });
  const source = el('div', { class: 'choices' }, input, el('label', { class: 'button', for: 'import-files' }, 'Choose files…'),
    roots.map((root) => button(`From ${root}`, () => load({ root }))));
  const body = el('tbody');
  const table = el('div', { class: 'plan', tabindex: '0', role: 'region', 'aria-label': 'Plan', hidden: true }, el('table', {}, el('thead', {}, el('tr', {},
    el('th', { scope: 'col' }, 'Import'), el('th', { scope: 'col' }, 'Files'), el('th', { scope: 'col' }, 'Kind'), el('th', { scope: 'col' }, 'Reason'))), body));
  const sum = el('p', { class: 'numbers', role: 'status' }, 'Pairs, bursts, edits and duplicates are shown before anything is imported.');
  const progress = el('div', { class: 'progress', hidden: true }, el('div'));
  const start = button('Import', run, { kind: 'primary', disabled: true, data: { action: 'import' } });
  const dialog = el('dialog', { class: 'dialog large', 'aria-labelledby': 'import-title', on: { close: () => dialog.remove() } }, el('div', { class: 'content' },
    el('h2', { id: 'import-title' }, 'Import photos'), source, table, sum, progress, el('div', { class: 'actions' }, button('Cancel', () => dialog.close()), start)));
  const advance = (share) => { progress.hidden = false; progress.firstChild.style.setProperty('transform', `scaleX(${share})`); };

  async function upload(files) {
    try {
      const uploads = [];
      for (const [index, file] of files.entries()) {
        replace(sum, `Reading ${index + 1} of ${files.length}: ${file.name}`);
        advance(index / files.length);
        const answer = await call('PUT', path`/api/uploads/${file.name}`, { body: file });
        uploads.push(answer.upload ?? file.name);
      }
      await load({ uploads });
    } catch (problem) {
      report(problem);
    }
  }

  async function load(request) {
    try {
      replace(sum, 'Looking at the files…');
      plan = await finish(await post('/api/imports', request));
      chosen.clear();
      for (const group of plan.groups) if (!['duplicate', 'rejected'].includes(group.kind)) chosen.add(group.key);
      show();
    } catch (problem) {
      replace(sum, problem.message);
    }
    progress.hidden = true;
  }

  function show() {
    table.hidden = false;
    replace(body, plan.groups.map((group) => {
      const able = !['duplicate', 'rejected'].includes(group.kind);
      const check = el('input', { type: 'checkbox', checked: chosen.has(group.key), disabled: !able, 'aria-label': group.files.join(', '),
        on: { change: () => { if (check.checked) chosen.add(group.key); else chosen.delete(group.key); summarize(); } } });
      return el('tr', { data: { obstacle: String(!able) } }, el('td', {}, check), el('td', {}, group.files.join(', ')), el('td', {}, kinds[group.kind] ?? label(group.kind)), el('td', {}, group.reason ?? ''));
    }));
    summarize();
  }

  function summarize() {
    replace(sum, `${chosen.size} of ${plan.groups.length} will be imported`);
    start.textContent = `Import ${chosen.size}`;
    start.disabled = !chosen.size;
  }

  async function run() {
    start.disabled = true;
    try {
      await finish(await post(path`/api/imports/${plan.plan}/run`, { groups: [...chosen] }), (job) => {
        advance(job.done ?? 0);
        if (job.remaining) replace(sum, `${Math.round((job.done ?? 0) * 100)} %, ${Math.ceil(job.remaining)} s left`);
      });
      dialog.close();
      message(`${chosen.size} imported.`);
    } catch (problem) {
      report(problem);
      start.disabled = false;
    }
  }

  document.body.append(dialog);
  dialog.showModal();
}

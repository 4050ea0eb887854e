// SPDX-License-Identifier: Apache-2.0
import './dialogWords.js';
import { call, finish, path, post } from './api.js';
import { button, el, replace, visible } from './dom.js';
import { label } from './editor/schema.js';
import { takeFiles } from './grid/dropping.js';
import { list, nameOf, sentence, t } from './language.js';
import { message, report } from './messages.js';
import { divisible, follower, problems } from './progress.js';

/** @type {Record<string, string>} */
const kinds = {
  livePhoto: t('tile.live'),
  rawPair: t('import.rawPair'),
  burst: t('import.burst'),
  edited: t('import.edited'),
  completion: t('import.completion'),
  duplicate: t('import.duplicate'),
  description: t('import.description'),
  rejected: t('info.rejected'),
  photo: t('photo'),
  video: t('viewer.video'),
};

/**
 * The review of an import: what will become of each group of files, before anything is copied.
 * @param {import('./grid/timeline.js').Timeline} timeline
 * @param {File[]} files that are chosen already
 */
export function openImport({ service }, files) {
  const roots = service.roots.import;
  /** @type {ImportPlan | null} */
  let plan = null;
  /** @type {string | null} */
  let job = null;
  let isRunning = false;
  /** @type {Set<string>} */
  const chosen = new Set();
  const closed = new AbortController();
  /** @type {HTMLInputElement} */
  const input = el('input', {
    class: 'visually-hidden', id: 'import-files', type: 'file', multiple: true,
    on: { change: () => upload([...input.files]) },
  });
  const source = el('div', { class: 'choices' },
    input,
    el('label', { class: 'button', for: 'import-files' }, t('import.choose')),
    roots.map((root) => button(
      t('import.from', { folder: root }), () => load({ root }), { data: { root } })));
  /** @type {HTMLInputElement} */
  const all = el('input', {
    type: 'checkbox', 'aria-label': t('import.all'),
    on: {
      change: () => {
        for (const group of plan.groups) {
          if (group.importable) {
            if (all.checked) chosen.add(group.key); else chosen.delete(group.key);
          }
        }
        show();
      },
    },
  });
  const body = el('tbody');
  const table = el('div', {
    class: 'plan', tabindex: '0', role: 'region', 'aria-label': t('batch.plan'), hidden: true,
  }, el('table', {},
    el('thead', {}, el('tr', {},
      el('th', { scope: 'col' }, all),
      el('th', { scope: 'col' }, t('import.files')),
      el('th', { scope: 'col' }, t('import.kind')),
      el('th', { scope: 'col' }, t('import.note')))),
    body));
  const sum = el('p', { class: 'numbers', role: 'status' },
    t('import.help'));
  const progress = follower(sum);
  const start = button(
    t('import'), run, { kind: 'primary', disabled: true, data: { action: 'import' } });
  const cancel = button(t('cancel'), () =>
    (job ? call('DELETE', path`/api/jobs/${job}`).catch(report) : dialog.close()));
  /** @type {HTMLDialogElement} */
  const dialog = el('dialog', {
    class: 'dialog large', 'aria-labelledby': 'import-title',
    on: { close: ended, cancel: (event) => { if (isRunning) event.preventDefault(); } },
  }, el('div', { class: 'content' },
    el('h2', { id: 'import-title' }, t('import.title')),
    source,
    table,
    sum,
    progress.element,
    el('div', { class: 'actions' }, cancel, start)));

  function ended() {
    dialog.remove();
    closed.abort();
    discard();
  }

  /** Removes a plan that is not carried out, and the files that were sent for it. */
  function discard() {
    if (plan) call('DELETE', path`/api/imports/${plan.plan}`).catch(() => {});
    plan = null;
  }

  /**
   * Refuses a file that cannot be read, such as one that is gone: in a request, it looks like a
   * server that does not respond.
   * @param {File} file
   */
  async function check(file) {
    // A part of a file that is gone is empty, in some browsers.
    const reader = file.stream().getReader();
    try {
      await reader.read();
      await reader.cancel();
    } catch {
      throw new Error(t('import.unreadable', { file: visible(file.name) }));
    }
  }

  /** @param {File[]} files */
  async function upload(files) {
    if (!files.length) return;
    source.inert = true;
    /** @type {string[]} */
    const uploads = [];
    try {
      for (const [index, file] of files.entries()) {
        replace(sum,
          t('import.sending', { index: index + 1, count: files.length, file: file.name }));
        progress.show(index / files.length);
        await check(file);
        const options = { body: file, signal: closed.signal };
        /** @type {{ upload: string }} */
        const sent = await call('PUT', path`/api/uploads/${file.name}`, options);
        uploads.push(sent.upload);
      }
    } catch (problem) {
      for (const id of uploads) call('DELETE', path`/api/uploads/${id}`).catch(() => {});
      fail(problem);
      return;
    } finally {
      input.value = '';
    }
    await load({ uploads });
  }

  /** @param {{ root: string } | { uploads: string[] }} request */
  async function load(request) {
    [source.inert, start.disabled] = [true, true];
    discard();
    try {
      replace(sum, t('import.checking'));
      /** @type {Job<ImportPlan>} */
      const begun = await post(path`/api/imports`, request);
      plan = await finish(begun, (state) => { job = state.job; progress.show(state.done); });
      [job, source.inert] = [null, false];
      chosen.clear();
      for (const group of plan.groups) if (group.importable) chosen.add(group.key);
      progress.hide();
      show();
      // The button that was pressed has lost the focus; the next key is for the import.
      if (!table.parentNode.contains(document.activeElement)) start.focus();
      if (closed.signal.aborted) discard();
    } catch (problem) {
      fail(problem);
    }
  }

  /** @param {Error} problem */
  function fail(problem) {
    [job, source.inert] = [null, false];
    progress.hide();
    replace(sum, problem.message);
  }

  function show() {
    table.hidden = false;
    replace(body, plan.groups.map((group) => {
      /** @type {HTMLInputElement} */
      const check = el('input', {
        type: 'checkbox', checked: chosen.has(group.key), disabled: !group.importable,
        'aria-label': list(group.files),
        on: {
          change: () => {
            if (check.checked) chosen.add(group.key); else chosen.delete(group.key);
            summarize();
          },
        },
      });
      /** @type {HTMLImageElement | null} */
      const image = group.thumbnail ? el('img', {
        class: 'row-image', alt: '', loading: 'lazy',
        src: path`/api/imports/${plan.plan}/picture/${group.key}`,
        on: { error: () => image.remove() },
      }) : null;
      return el('tr', { data: { blocked: String(!group.importable), kind: group.kind } },
        el('td', {}, check),
        el('td', {}, el('div', { class: 'photo-cell' },
          image, el('span', {}, divisible(visible(list(group.files)))))),
        el('td', {}, kinds[group.kind] ?? label(group.kind)),
        el('td', {}, nameOf(group.reason ?? '') ?? group.reason ?? ''));
    }));
    summarize();
  }

  function summarize() {
    const able = plan.groups.filter((group) => group.importable).length;
    const known = plan.groups.filter((group) => group.kind === 'duplicate').length;
    replace(sum, [
      t('import.willImport', { count: chosen.size, total: able }),
      known ? t('import.known', { count: known }) : null,
    ].filter(Boolean).join(' · '));
    start.textContent = t('import.start', { count: chosen.size });
    start.disabled = !chosen.size;
    all.checked = chosen.size === able && able > 0;
    all.indeterminate = chosen.size > 0 && chosen.size < able;
    all.disabled = !able;
  }

  async function run() {
    [start.disabled, source.hidden, isRunning] = [true, true, true];
    const groups = plan.groups.filter((group) => chosen.has(group.key));
    const count = groups.reduce((total, group) => total + group.files.length, 0);
    try {
      /** @type {Job<ImportResult>} */
      const begun = await post(path`/api/imports/${plan.plan}/run`, { groups: [...chosen] });
      [job, plan] = [begun.job, null];
      const result = await finish(
        begun, (state) => progress.follow(state, count, t('files', { count })));
      isRunning = false;
      dialog.close();
      const failures = result.failed.length;
      message(sentence([
        t('import.imported', { count: result.assets }),
        result.added && t('import.joined', { count: result.added }),
        result.stopped && t('results.stopped'),
        failures && t('import.failed', { count: failures }),
      ]));
      showFailed(result.failed);
    } catch (problem) {
      [source.hidden, isRunning, table.hidden] = [false, false, true];
      fail(problem);
      // An import that ended early names the files that it did not take.
      showFailed(problem.body?.failed ?? []);
    }
  }

  /** @param {FailedFile[]} files */
  function showFailed(files) {
    problems(
      t('import.problems'),
      files.map(({ file, reason }) => [visible(file), nameOf(reason) ?? reason]));
  }

  takeFiles(dialog, (dropped) => {
    if (!source.inert && !source.hidden) upload(dropped);
  });
  document.body.append(dialog);
  dialog.showModal();
  upload(files);
}

// SPDX-License-Identifier: Apache-2.0
import { call, finish, path, post } from './api.js';
import { button, el } from './dom.js';
import { message, report } from './messages.js';
import { follower, problems } from './progress.js';

const versions = [['current', 'Edited'], ['original', 'Originals'], ['all', 'Everything']];

/**
 * Writes photos into a folder that the server was started with.
 * @param {import('./grid/timeline.js').Timeline} timeline
 * @param {string[]} ids
 */
export function openExport({ service, selection }, ids) {
  const roots = service.roots.export;
  let version = 'current';
  /** @type {string | null} */
  let job = null;
  const root = el('select', { class: 'field', id: 'export-root' },
    roots.map((name) => el('option', { value: name }, name)));
  const choices = el('div', { class: 'segments', role: 'radiogroup', 'aria-label': 'Version' },
    versions.map(([value, name]) => el('label', {},
      el('input', {
        type: 'radio', name: 'export-version', value, checked: value === version,
        on: { change: () => { version = value; } },
      }),
      el('span', {}, name))));
  /**
   * @param {string} name
   * @param {string} text
   * @param {boolean} [checked]
   */
  const option = (name, text, checked = false) => {
    const input = el('input', {
      class: 'switch', type: 'checkbox', role: 'switch', id: `export-${name}`, checked,
    });
    options[name] = input;
    return el('div', { class: 'choices' }, input, el('label', { for: input.id }, text));
  };
  /** @type {Record<string, HTMLInputElement>} */
  const options = {};
  const status = el('p', { class: 'numbers', role: 'status' });
  const progress = follower(status);
  const start = button(
    `Export ${ids.length.toLocaleString()}`, run, { kind: 'primary', data: { action: 'export' } });
  const cancel = button('Cancel', () =>
    (job ? call('DELETE', path`/api/jobs/${job}`).catch(report) : dialog.close()));
  /** @type {HTMLDialogElement} */
  const dialog = el('dialog', {
    class: 'dialog', 'aria-labelledby': 'export-title',
    on: { close: () => dialog.remove(), cancel: (event) => { if (job) event.preventDefault(); } },
  }, el('div', { class: 'content' },
    el('h2', { id: 'export-title' },
      `Export ${ids.length.toLocaleString()} ${ids.length === 1 ? 'photo' : 'photos'}`),
    el('div', { class: 'choices' }, el('label', { for: 'export-root' }, 'Folder'), root, choices),
    option('metadata', 'Write title, keywords, date and location into edited versions', true),
    option('sidecar', 'Write an XMP file for each photo'),
    option('splitMotionPhotos', 'Write the videos of motion photos to separate files'),
    option('replace', 'Replace existing files'),
    status,
    progress.element,
    el('div', { class: 'actions' }, cancel, start)));

  async function run() {
    start.disabled = true;
    try {
      /** @type {Job<ExportResult>} */
      const begun = await post(path`/api/exports`, {
        ids, version, root: root.value,
        ...Object.fromEntries(Object.entries(options).map(
          ([name, input]) => [name, input.checked])),
      });
      job = begun.job;
      const result = await finish(begun, (state) => progress.follow(state, ids.length, 'photos'));
      job = null;
      dialog.close();
      selection.clear();
      const parts = [
        `${result.count.toLocaleString()} exported`,
        result.stopped && 'stopped before the end',
        result.failed.length && `${result.failed.length} failed`,
      ];
      message(`${parts.filter(Boolean).join(', ')}.`);
      await problems(
        'Photos that were not exported',
        result.failed.map(({ id, problem }) => [id.slice(0, 8), problem.detail]));
      problems('Files without all properties', result.notes.map(({ file, note }) => [file, note]));
    } catch (problem) {
      job = null;
      progress.hide();
      start.disabled = false;
      report(problem);
    }
  }

  document.body.append(dialog);
  dialog.showModal();
}

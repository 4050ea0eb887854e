// SPDX-License-Identifier: Apache-2.0
import './dialogWords.js';
import { call, finish, path, post, Problem } from './api.js';
import { counted } from './counted.js';
import { button, el } from './dom.js';
import { copiesOf, copySides, download, filesOf } from './download.js';
import { bytesText, nameOf, sentence, t } from './language.js';
import { message, report } from './messages.js';
import { follower, problems } from './progress.js';

/** The value of a destination that is no folder of the command line. */
const browser = '';
/** @type {[version: string, title: string][]} */
const versions = [
  ['current', t('export.edited')], ['original', t('export.originals')],
  ['all', t('export.everything')], ['copies', t('export.copies')],
];
/** The longest sides of copies in a folder; 0 keeps the size. */
const sides = [0, 3840, 2048, 1600, 1080];
/** The largest files of copies in bytes, for which the quality is lowered; 0 keeps the quality. */
const sizes = [0, 5e6, 2e6, 1e6, 500e3, 200e3];

/**
 * Writes photos into a folder that the server was started with, or lets the browser download them.
 * @param {import('./grid/timeline.js').Timeline} timeline
 * @param {string[]} ids
 */
export function openExport({ service, list }, ids) {
  const roots = service.readOnly ? [] : service.roots.export;
  const items = new Map(list.items.filter(Boolean).map((item) => [item.id, item]));
  const chosen = counted(ids.map((id) => items.get(id)));
  let version = 'current';
  /** @type {string | null} */
  let job = null;
  const root = el('select', { class: 'field', id: 'export-root', on: { change: show } },
    roots.map((name) => el('option', { value: name }, name)),
    el('option', { value: browser }, t('export.downloads')));
  /** @param {string} value */
  const versionInput = (value) => el('input', {
    type: 'radio', name: 'export-version', value, checked: value === version,
    on: { change: () => { version = value; show(); } },
  });
  const choices = el('div', {
    class: 'segments', role: 'radiogroup', 'aria-label': t('export.version'),
  }, versions.map(([value, name]) => el('label', {}, versionInput(value), el('span', {}, name))));
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
  const ofFolder = el('div', { class: 'option-list' },
    option('metadata', t('export.metadata'), true),
    option('sidecar', t('export.sidecar')),
    option('splitMotionPhotos', t('export.split')),
    option('replace', t('export.replace')));
  /**
   * @param {string} id
   * @param {string} text
   * @param {[value: string | number, name: string][]} values
   */
  const choice = (id, text, values) => {
    const select = el('select', { class: 'field', id },
      values.map(([value, name]) => el('option', { value }, name)));
    const row = el('div', { class: 'choices' }, el('label', { for: id }, text), select);
    return { select, row };
  };
  const forBrowser = choice('export-side', t('export.side'),
    copySides.map((value) => [value, t('export.pixels', { size: String(value) })]));
  const fit = choice('export-fit', t('export.side'), sides.map((value) =>
    [value, value ? t('export.pixels', { size: String(value) }) : t('export.fullSize')]));
  const most = choice('export-bytes', t('export.largest'),
    sizes.map((value) => [value, value ? bytesText(value) : t('export.noLimit')]));
  const sharp = choice('export-sharp', t('export.sharpen'), [
    ['', t('export.unsharpened')], ['screen', t('export.forScreens')],
    ['print', t('export.forPrints')],
  ]);
  const ofDownload = el('div', { class: 'option-list' },
    forBrowser.row,
    el('p', { class: 'caption' }, t('export.copiesHelp')));
  const ofCopies = el('div', { class: 'option-list' },
    el('div', { class: 'choices wraps' }, fit.row, most.row, sharp.row),
    option('srgb', t('export.srgb'), true),
    option('onlyCopyright', t('export.onlyCopyright')));
  const status = el('p', { class: 'numbers', role: 'status' });
  const progress = follower(status);
  const start = button(t('export'), run, { kind: 'primary', data: { action: 'export' } });
  const cancel = button(t('cancel'), () =>
    (job ? call('DELETE', path`/api/jobs/${job}`).catch(report) : dialog.close()));
  /** @type {HTMLDialogElement} */
  const dialog = el('dialog', {
    class: 'dialog', 'aria-labelledby': 'export-title',
    on: { close: () => dialog.remove(), cancel: (event) => { if (job) event.preventDefault(); } },
  }, el('div', { class: 'content' },
    el('h2', { id: 'export-title' }, t('export.title', chosen)),
    el('div', { class: 'choices' }, el('label', { for: 'export-root' }, t('export.to')),
      root, choices),
    ofCopies,
    ofDownload,
    ofFolder,
    status,
    progress.element,
    el('div', { class: 'actions' }, cancel, start)));

  /** Shows what can be chosen for the destination. */
  function show() {
    const isDownload = root.value === browser;
    if (isDownload && version === 'all') version = 'current';
    for (const input of choices.querySelectorAll('input')) {
      input.checked = input.value === version;
      input.closest('label').hidden = isDownload && input.value === 'all';
    }
    ofFolder.hidden = isDownload;
    // Copies are of the still images alone.
    options.splitMotionPhotos.parentElement.hidden = version === 'copies';
    ofCopies.hidden = isDownload || version !== 'copies';
    ofDownload.hidden = !isDownload || version !== 'copies';
    start.textContent = t(isDownload ? 'export.download' : 'export.start', { count: ids.length });
  }

  async function run() {
    start.disabled = true;
    try {
      await (root.value === browser ? save() : write());
    } catch (problem) {
      job = null;
      progress.hide();
      start.disabled = false;
      report(problem);
    }
  }

  /** Lets the browser download the photos. */
  async function save() {
    const files = version === 'copies'
      ? await copiesOf(ids.map((id) => items.get(id)), Number(forBrowser.select.value))
      : await filesOf(ids, /** @type {'current' | 'original'} */ (version));
    dialog.close();
    await download(files);
  }

  /** The members of the request that say what is written. */
  function settings() {
    const { srgb, onlyCopyright, ...files } = Object.fromEntries(
      Object.entries(options).map(([name, input]) => [name, input.checked]));
    if (version !== 'copies') return { ...files, version };
    return {
      ...files, srgb, onlyCopyright,
      ...(Number(fit.select.value) && { fit: Number(fit.select.value) }),
      ...(Number(most.select.value) && { maxBytes: Number(most.select.value) }),
      ...(sharp.select.value && { sharpenFor: sharp.select.value }),
    };
  }

  /** Writes the photos into the folder. */
  async function write() {
    /** @type {Job<ExportResult>} */
    const begun = await post(path`/api/exports`, { ids, root: root.value, ...settings() });
    job = begun.job;
    const result = await finish(
      begun, (state) => progress.follow(state, ids.length, chosen.items));
    job = null;
    dialog.close();
    message(sentence([
      t('export.exported', { count: result.count }),
      result.stopped && t('results.stopped'),
      result.failed.length && t('results.failed', { count: result.failed.length }),
    ]));
    await problems(
      t('export.problems'),
      result.failed.map(({ id, problem }) =>
        [items.get(id)?.title ?? id.slice(0, 8), new Problem(problem).message]));
    problems(t('export.notes'), result.notes.map(({ file, note }) => [file, nameOf(note) ?? note]));
  }

  show();
  document.body.append(dialog);
  dialog.showModal();
}

// SPDX-License-Identifier: Apache-2.0
import { button, closest, el, icon, iconButton, replace } from '../dom.js';
import { ask, menu } from '../dialogs.js';
import { showHelp } from '../keys.js';
import { keep, setting, switchTheme } from '../settings.js';
import { lossList, words } from './histogram.js';

/**
 * @param {number} count
 * @param {string} word
 */
const plural = (count, word) => `${count} ${word}${count === 1 ? '' : 's'}`;

/**
 * Builds the screen of the editor and returns what shows its state.
 * @param {import('./editor.js').Editor} editor
 */
export function layOutEditor(editor) {
  const { draft, stage, compare, saving, session, service } = editor;
  const status = el('p', { class: 'subtitle' });
  const hold = iconButton('original', 'Show the original while pressed', () => {}, {
    keys: '\\',
    on: {
      pointerdown: (event) => {
        closest(event, 'button').setPointerCapture(event.pointerId);
        compare.hold(true);
      },
      pointerup: () => compare.hold(false),
      pointercancel: () => compare.hold(false),
      keydown: (event) => {
        if (event.key === ' ' || event.key === 'Enter') {
          event.preventDefault();
          compare.hold(true);
        }
      },
      keyup: (event) => { if (event.key === ' ' || event.key === 'Enter') compare.hold(false); },
      blur: () => compare.hold(false),
    },
  });
  const split = iconButton(
    'split', 'Split view', () => editor.toggleSplit(), { keys: 'y', 'aria-pressed': 'false' });
  const undo = iconButton('undo', 'Undo', () => draft.undo(), { keys: 'Ctrl+Z' });
  const redo = iconButton('redo', 'Redo', () => draft.redo(), { keys: 'Ctrl+Shift+Z' });
  const revert = button('Revert', () => saving.revert(), {
    kind: 'plain optional', title: 'Revert to the original; this can be undone',
  });
  const revertThere = button('Revert', () => saving.revert(), {
    kind: 'plain small', title: 'Revert to the original; this can be undone',
  });
  /** @type {HTMLButtonElement} */
  const more = iconButton('more', 'More', () => menu(more, [
    { label: 'Rotate left', symbol: 'left', action: () => editor.rotate(-1) },
    { label: 'Rotate right', symbol: 'right', action: () => editor.rotate(1) },
    { label: 'Dark or light', symbol: 'theme', action: switchTheme },
    { label: 'Keys', symbol: 'help', action: showHelp },
  ]), { class: 'icon-button narrow', 'aria-haspopup': 'menu' });
  const discard = button('Discard',
    () => saving.discard(), { kind: 'plain', title: 'Discard the draft and show the saved state' });
  const save = button(
    'Save', () => saving.save(), { kind: 'primary', 'aria-keyshortcuts': 'Control+S' });
  const historyButton = iconButton(
    'history', 'History', () => toggleHistory(), { keys: 'h', 'aria-pressed': 'true' });

  const bar = el('header', { class: 'bar' },
    service.mode === 'photo' ? null : iconButton('back', 'Back', () => history.back()),
    el('div', { class: 'title' }, el('h1', {}, editor.name), status),
    el('div', { class: 'space' }),
    el('div', { class: 'group' }, undo, redo),
    el('div', { class: 'rule optional' }),
    el('div', { class: 'group optional' },
      iconButton('left', 'Rotate left', () => editor.rotate(-1), { keys: '[' }),
      iconButton('right', 'Rotate right', () => editor.rotate(1), { keys: ']' })),
    el('div', { class: 'rule optional' }),
    el('div', { class: 'group' }, hold, split, historyButton, more),
    el('div', { class: 'group optional' },
      iconButton('theme', 'Dark or light', switchTheme),
      iconButton('help', 'Keys', showHelp, { keys: '?' })),
    el('div', { class: 'rule' }),
    editor.readOnly
      ? el('span', { class: 'caption' }, 'Read-only')
      : el('div', { class: 'group actions' }, revert, discard, save));

  const scale = el('button', {
    type: 'button', class: 'button plain numbers zoom', title: 'Fit or 100 %',
    on: { click: () => stage.zoomTo(stage.zoom ? 0 : 1) },
  });
  const loss = el('button', {
    type: 'button', class: 'button plain loss', hidden: true,
    on: {
      click: () => ask('Will be lost on save',
        lossList(session.losses ?? []), [{ label: 'Close', value: 'close', kind: 'primary' }]),
    },
  });
  const size = el('span', { class: 'caption numbers size' });
  const foot = el('footer', { class: 'stage-bar' },
    loss,
    size,
    el('div', { class: 'space' }),
    iconButton('minus', 'Zoom out', () => stage.zoomBy(-1), { keys: '-' }),
    scale,
    iconButton('plus', 'Zoom in', () => stage.zoomBy(1), { keys: '=' }));
  const banner = el('div', { class: 'stage-banner', hidden: true });
  const problemNote = el('div', { class: 'stage-problem', role: 'alert', hidden: true });
  const work = el('div', { class: 'stage-busy', 'aria-hidden': 'true' });
  const toolBar = el('div', { class: 'tool-bar', hidden: true });
  const center =
    el('main', { class: 'editor-center' }, stage.element, banner, problemNote, work, toolBar, foot);

  const draftSteps = el('p', { class: 'draft-steps caption', hidden: true });
  const left = el('aside', { class: 'side left', 'aria-label': 'History' },
    el('div', { class: 'side-head' },
      el('h2', { class: 'section-title' }, 'History'), editor.readOnly ? null : revertThere),
    draftSteps,
    el('div', { class: 'scroll grow' }, editor.history.element),
    editor.presets.element);
  /** @type {HTMLButtonElement} */
  const addButton = button('Add filter', () => editor.addFilter(addButton), {
    symbol: 'plus', class: 'button add', 'aria-keyshortcuts': '/',
  });
  const right = el('aside', { class: 'side right', 'aria-label': 'Filters' },
    editor.histogram.element, editor.panels.element, el('div', { class: 'side-foot' }, addButton));
  const body = el('div', { class: 'editor-body' }, left, center, right);
  const element = el('div', { class: 'editor' }, bar, body);

  stage.element.addEventListener('pointerdown', (event) => {
    if (event.button || stage.zoom || closest(event, '.handles *, .split-line')) return;
    stage.element.setPointerCapture(event.pointerId);
    compare.hold(stage.fingers.size < 2);
    stage.element.addEventListener('lostpointercapture', () => compare.hold(false), { once: true });
  });
  stage.addEventListener('pinch', () => compare.hold(false));
  stage.element.addEventListener('dblclick', (event) => {
    if (!closest(event, '.handles *')) {
      stage.zoomTo(stage.zoom ? 0 : 1, [event.clientX, event.clientY]);
    }
  });

  function toggleHistory(isShown = element.dataset.history !== 'true') {
    element.dataset.history = String(isShown);
    historyButton.setAttribute('aria-pressed', String(isShown));
    keep('history', isShown);
  }
  toggleHistory(setting('history', true) && innerWidth > 1000);

  function show() {
    const count = draft.changeCount;
    const saved = draft.saved.nodes.length;
    const savedText = saved ? `${plural(saved, 'filter')} saved` : 'Not edited';
    replace(status,
      count ? el('span', { class: 'dot' }) : null,
      saving.isSaving
        ? 'Saving…'
        : count
        ? `${savedText} · ${plural(count, 'unsaved change')}`
        : savedText);
    save.disabled = !draft.isChanged || saving.isSaving;
    save.textContent = saving.isSaving ? 'Saving…' : 'Save';
    discard.hidden = !draft.isChanged;
    revert.hidden = !saved;
    revertThere.hidden = !saved;
    undo.disabled = !draft.undoSteps.length;
    redo.disabled = !draft.redoSteps.length;
    draftSteps.hidden = !count;
    draftSteps.textContent = count ? `Draft: ${plural(count, 'change')}, not saved` : '';
    split.setAttribute('aria-pressed', String(compare.split !== null));
    const losses = session.losses ?? [];
    loss.hidden = !losses.length;
    const others = losses.length > 1 ? ` and ${losses.length - 1} more` : '';
    replace(loss,
      icon('info'),
      losses.length ? `Will be lost on save: ${words(losses[0].kind)}${others}` : '');
    const state = editor.rendering.state;
    banner.hidden = !state;
    if (state) {
      replace(banner,
        el('span', {}, 'Viewing an earlier state'),
        button('Go to this state', () => saving.goTo(state), { kind: 'small primary' }),
        button('Close', () => editor.history.select(null), { kind: 'small plain' }));
    }
  }

  function showScale() {
    if (!stage.full) return;
    const text = `${Math.round(stage.scale * 100)} %`;
    scale.textContent = stage.zoom ? text : `Fit ${text}`;
    size.textContent = `${Math.round(stage.full[0])} × ${Math.round(stage.full[1])}`;
    editor.panels.showScale(stage.scale);
  }

  return {
    element, show, showScale, toggleHistory, addButton, toolBar,
    /** @param {import('../api.js').Problem | null} problem */
    showProblem(problem) {
      problemNote.hidden = !problem;
      if (problem) replace(problemNote, icon('info'), el('span', {}, problem.message));
    },
    /** @param {number} count */
    showHistoryCount(count) { historyButton.title = `History: ${plural(count, 'state')} (h)`; },
    flash() {
      element.dataset.saved = 'true';
      setTimeout(() => { delete element.dataset.saved; }, 900);
    },
  };
}

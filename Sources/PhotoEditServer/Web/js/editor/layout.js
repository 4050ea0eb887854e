// SPDX-License-Identifier: Apache-2.0
import { button, closest, el, icon, iconButton, replace } from '../dom.js';
import { ask, menu } from '../dialogs.js';
import { showHelp } from '../keys.js';
import { measure, t } from '../language.js';
import { chooseLanguage } from '../later.js';
import { keep, setting, switchTheme } from '../settings.js';
import { lossList, lossName } from './histogram.js';

/**
 * Builds the screen of the editor and returns what shows its state.
 * @param {import('./editor.js').Editor} editor
 */
export function layOutEditor(editor) {
  const { draft, stage, compare, saving, session, service } = editor;
  const status = el('p', { class: 'subtitle' });
  const hold = iconButton('original', t('viewer.showOriginal'), () => {}, {
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
    'split', t('editor.split'), () => editor.toggleSplit(),
    { keys: 'y', 'aria-pressed': 'false' });
  const undo = iconButton('undo', t('undo'), () => draft.undo(), { keys: 'Ctrl+Z' });
  const redo = iconButton('redo', t('editor.redo'), () => draft.redo(), { keys: 'Ctrl+Shift+Z' });
  const revert = button(t('editor.revert'), () => saving.revert(), {
    kind: 'plain optional', title: t('editor.revertHelp'),
  });
  const revertThere = button(t('editor.revert'), () => saving.revert(), {
    kind: 'plain small', title: t('editor.revertHelp'),
  });
  /** @type {HTMLButtonElement} */
  const more = iconButton('more', t('editor.more'), () => menu(more, [
    { label: t('rotateLeft'), symbol: 'left', action: () => editor.rotate(-1) },
    { label: t('rotateRight'), symbol: 'right', action: () => editor.rotate(1) },
    editor.strip && { label: t('copyEdit'), symbol: 'copy', action: () => editor.copyEdit() },
    editor.canPaste
      && { label: t('paste.menu'), symbol: 'paste', action: () => editor.pasteEdit() },
    // The bar of a phone has no space for it.
    draft.isChanged && !discard.offsetWidth
      && { label: t('editor.discard'), symbol: 'close', action: () => saving.discard() },
    !editor.readOnly && draft.savedCount > 0
      && { label: t('editor.revert'), symbol: 'original', action: () => saving.revert() },
    { label: t('theme'), symbol: 'theme', action: switchTheme },
    { label: t('language'), symbol: 'globe', action: chooseLanguage },
    { label: t('keys'), symbol: 'help', action: showHelp },
  ]), { class: 'icon-button narrow', 'aria-haspopup': 'menu' });
  const discard = button(t('editor.discard'),
    () => saving.discard(), { kind: 'plain', title: t('editor.discardHelp') });
  const save = button(
    t('save'), () => saving.save(), { kind: 'primary', 'aria-keyshortcuts': 'Control+S' });
  const historyButton = iconButton(
    'history', t('history.title'), () => toggleHistory(), { keys: 'h', 'aria-pressed': 'true' });

  const bar = el('header', { class: 'bar' },
    service.mode === 'photo' ? null : iconButton('back', t('back'), () => editor.back()),
    el('div', { class: 'title' }, el('h1', {}, editor.name), status),
    el('div', { class: 'space' }),
    el('div', { class: 'group' }, undo, redo),
    el('div', { class: 'rule optional' }),
    el('div', { class: 'group optional' },
      iconButton('left', t('rotateLeft'), () => editor.rotate(-1), { keys: '[' }),
      iconButton('right', t('rotateRight'), () => editor.rotate(1), { keys: ']' })),
    editor.strip && el('div', { class: 'rule optional' }),
    editor.strip && el('div', { class: 'group optional' },
      iconButton('copy', t('copyEdit'), () => editor.copyEdit(), { keys: 'Ctrl+C' }),
      editor.canPaste
        && iconButton('paste', t('pasteEdit'), () => editor.pasteEdit(), { keys: 'Ctrl+V' })),
    el('div', { class: 'rule optional' }),
    el('div', { class: 'group' }, hold, split, historyButton, more),
    el('div', { class: 'group optional' },
      iconButton('theme', t('theme'), switchTheme),
      iconButton('help', t('keys'), showHelp, { keys: '?' })),
    el('div', { class: 'rule' }),
    editor.readOnly
      ? el('span', { class: 'caption' }, t('editor.readOnly'))
      : el('div', { class: 'group actions' }, revert, discard, save));

  const scale = el('button', {
    type: 'button', class: 'button plain numbers zoom', title: t('fitOrFull'),
    on: { click: () => stage.zoomTo(stage.zoom ? 0 : 1) },
  });
  const loss = el('button', {
    type: 'button', class: 'button plain loss', hidden: true,
    on: {
      click: () => ask(t('editor.willLose'),
        lossList(session.losses ?? []), [{ label: t('close'), value: 'close', kind: 'primary' }]),
    },
  });
  const size = el('span', { class: 'caption numbers size' });
  const looksButton = button(t('looks.title'), () => editor.toggleLooks(), {
    kind: 'plain', symbol: 'wand', 'aria-pressed': 'false',
    title: t('looks.help'),
  });
  const stripButton = editor.strip && iconButton(
    'filmstrip', t('strip.title'), () => editor.toggleStrip(),
    { keys: 'n', 'aria-pressed': 'false' });
  const foot = el('footer', { class: 'stage-bar' },
    looksButton,
    stripButton,
    loss,
    size,
    el('div', { class: 'space' }),
    iconButton('minus', t('zoomOut'), () => stage.zoomBy(-1), { keys: '-' }),
    scale,
    iconButton('plus', t('zoomIn'), () => stage.zoomBy(1), { keys: '=' }));
  const banner = el('div', { class: 'stage-banner', hidden: true });
  const problemNote = el('div', { class: 'stage-problem', role: 'alert', hidden: true });
  const work = el('div', { class: 'stage-busy', 'aria-hidden': 'true' });
  const toolBar = el('div', { class: 'tool-bar', hidden: true });
  const looks =
    el('section', { class: 'looks', 'aria-label': t('looks.title'), hidden: true });
  const center =
    el('main', { class: 'editor-center' },
      stage.element, banner, problemNote, work, toolBar, looks, foot);

  const draftSteps = el('p', { class: 'draft-steps caption', hidden: true });
  const left = el('aside', { class: 'side left', 'aria-label': t('history.title') },
    el('div', { class: 'side-head' },
      el('h2', { class: 'section-title' }, t('history.title')),
      editor.readOnly ? null : revertThere),
    draftSteps,
    el('div', { class: 'scroll grow' }, editor.history.element),
    editor.presets.element);
  /** @type {HTMLButtonElement} */
  const addButton = button(t('editor.addFilter'), () => editor.addFilter(addButton), {
    symbol: 'plus', class: 'button add', 'aria-keyshortcuts': '/',
  });
  const right = el('aside', { class: 'side right', 'aria-label': t('editor.filters') },
    editor.histogram.element, editor.panels.element, el('div', { class: 'side-foot' }, addButton));
  const body = el('div', { class: 'editor-body' }, left, center, right);
  const element = el('div', { class: 'editor' }, bar, body, editor.strip?.element);

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

  // Where it is beside the photo, and not over it.
  const isWide = matchMedia('(min-width: 1081px)');

  /** @param {boolean} isShown */
  function showHistory(isShown) {
    element.dataset.history = String(isShown);
    historyButton.setAttribute('aria-pressed', String(isShown));
  }

  function toggleHistory() {
    const isShown = element.dataset.history !== 'true';
    showHistory(isShown);
    // Over the photo of a narrow window, it is shown for a moment only.
    if (isWide.matches) keep('history', isShown);
  }
  /** Closes a history that covers the photo; returns whether it did. */
  function closeHistory() {
    if (isWide.matches || element.dataset.history !== 'true') return false;
    showHistory(false);
    return true;
  }
  // Before the photo is compared, or a tool begins.
  center.addEventListener('pointerdown', (event) => {
    if (closeHistory()) event.stopPropagation();
  }, { capture: true });
  const followWidth = () => showHistory(setting('history', true) && isWide.matches);
  isWide.addEventListener('change', followWidth);
  followWidth();

  function show() {
    const count = draft.changeCount;
    const saved = draft.savedCount;
    const savedText = saved ? t('editor.saved', { count: saved }) : t('editor.notEdited');
    replace(status,
      count ? el('span', { class: 'dot' }) : null,
      saving.isSaving
        ? t('saving')
        : count
        ? [el('span', { class: 'optional' }, `${savedText} · `), t('editor.unsaved', { count })]
        : savedText);
    save.disabled = !draft.isChanged;
    save.textContent = t(saving.isSaving ? 'saving' : 'save');
    // They keep their places, so that nothing beside them moves below the pointer.
    discard.disabled = !draft.isChanged;
    revert.disabled = !saved;
    revertThere.hidden = !saved;
    looksButton.setAttribute('aria-pressed', String(editor.looks?.isShown ?? false));
    stripButton?.setAttribute('aria-pressed', String(editor.strip.isShown));
    editor.panels.auto.disabled = editor.isMeasuring || editor.readOnly;
    undo.disabled = !draft.undoSteps.length;
    redo.disabled = !draft.redoSteps.length;
    draftSteps.hidden = !count;
    draftSteps.textContent = count ? t('editor.draft', { count }) : '';
    split.setAttribute('aria-pressed', String(compare.split !== null));
    const losses = session.losses ?? [];
    loss.hidden = !losses.length;
    const name = losses.length ? lossName(losses[0].kind) : '';
    replace(loss,
      icon('info'),
      losses.length > 1
        ? t('editor.losses', { name, count: losses.length - 1 })
        : name && t('editor.loss', { name }));
    const state = editor.rendering.state;
    banner.hidden = !state;
    if (state) {
      replace(banner,
        el('span', {}, t('editor.viewing')),
        button(t('editor.goTo'), () => saving.goTo(state), { kind: 'small primary' }),
        button(t('close'), () => editor.history.select(null), { kind: 'small plain' }));
    }
  }

  function showScale() {
    if (!stage.full) return;
    const text = t('percent', { number: Math.round(stage.scale * 100) });
    scale.textContent = stage.zoom ? text : t('fitScale', { scale: text });
    size.textContent = measure(stage.full.map(Math.round).join(' × '));
    editor.panels.showScale(stage.scale);
  }

  return {
    element, show, showScale, toggleHistory, closeHistory, addButton, toolBar, looks,
    /** @param {import('../api.js').Problem | null} problem */
    showProblem(problem) {
      problemNote.hidden = !problem;
      if (problem) replace(problemNote, icon('info'), el('span', {}, problem.message));
    },
    /** @param {number} count */
    showHistoryCount(count) {
      historyButton.title = t('withKeys', { text: t('history.count', { count }), keys: 'h' });
    },
    flash() {
      element.dataset.saved = 'true';
      setTimeout(() => { delete element.dataset.saved; }, 900);
    },
  };
}

// SPDX-License-Identifier: Apache-2.0
import { showHelp } from '../keys.js';
import { t } from '../language.js';
import { actOnMessage } from '../messages.js';

/**
 * The keys of the editor.
 * @param {import('./editor.js').Editor} editor
 * @returns {Binding[]}
 */
export function editorKeys(editor) {
  const { draft, stage, compare, saving, rendering, strip } = editor;
  const controls = 'input, [role="slider"], button, select, summary';
  // What has a use for Enter of its own.
  const users = 'input:not([type="range"]), button, select, summary';
  /** @param {KeyboardEvent} event */
  const escape = ({ repeat }) => {
    if (editor.view.closeHistory() || editor.tools.escape()) return true;
    if (!strip || repeat || document.activeElement?.matches('input:not([type="range"]), select')) {
      return false;
    }
    editor.back();
    return true;
  };
  /**
   * @param {number} x
   * @param {number} y
   */
  const pan = (x, y) => () =>
    (stage.zoom && !document.activeElement?.matches(controls) ? stage.panBy(x, y) : false);
  /**
   * Pans a photo that is shown larger than the window; else, another one is edited.
   * @param {number} x
   * @param {number} step
   */
  const turn = (x, step) => () => {
    if (stage.zoom || !strip) return pan(x, 0)();
    if (editor.tools.target || document.activeElement?.matches(controls)) return false;
    strip.step(step);
    return true;
  };
  /** @type {Binding[]} */
  const ofList = strip ? [
    ...strip.keys.map((binding) => /** @type {Binding} */ (binding.with(0, binding[0][0]))),
    ['n', t('editorKeys.strip'), () => editor.toggleStrip()],
    ['Ctrl+c', t('copyEdit'), () => {
      if (!getSelection().isCollapsed) return false;
      editor.copyEdit();
      return true;
    }],
    ['Ctrl+v', t('editorKeys.paste'), () => { editor.pasteEdit(); }],
    ['Ctrl+Shift+v', t('editorKeys.pasteAgain'), () => { editor.pasteEdit({ asks: false }); }],
  ] : [];
  return [
    ['Ctrl+s', t('save'), () => { saving.save(); }],
    ['Ctrl+z', t('editorKeys.undo'),
      () => {
        // A stroke that is being painted is taken back first.
        if (editor.tools.press('Esc')) return true;
        return draft.undoSteps.length ? draft.undo() : actOnMessage();
      }],
    ['Ctrl+Shift+z Ctrl+y', t('editorKeys.redo'), () => draft.redo()],
    [
      '\\', t('keys.showOriginal'),
      () => compare.hold(true),
      { up: () => compare.hold(false) },
    ],
    ['y', t('editorKeys.split'), () => editor.toggleSplit()],
    ['j', t('editorKeys.clipping'), () => rendering.toggleClipping()],
    ['a', t('editorKeys.improve'), () => { editor.adjustAutomatically(); }],
    ['l', t('editorKeys.looks'), () => { editor.toggleLooks(); }],
    ['[', t('editorKeys.leftOrSmaller'), () => editor.tools.press('[') || editor.rotate(-1)],
    [']', t('editorKeys.rightOrLarger'), () => editor.tools.press(']') || editor.rotate(1)],
    ['{', t('editorKeys.softer'), () => editor.tools.press('{')],
    ['}', t('editorKeys.harder'), () => editor.tools.press('}')],
    ['x', t('editorKeys.erase'), () => editor.tools.press('x')],
    ['c', t('editorKeys.crop'), () => editor.tools.open('crop')],
    ['s', t('editorKeys.straighten'), () => { editor.tools.straighten(); }],
    ['w', t('editorKeys.whiteBalance'), () => { editor.tools.open('whiteBalance'); }],
    ['r', t('editorKeys.retouch'), () => { editor.tools.open('heal'); }],
    ['Delete Backspace', t('editorKeys.removeSpot'), () => editor.tools.press('Delete')],
    ['m o', t('editorKeys.mask'), () => editor.tools.toggleMask()],
    ['/', t('editorKeys.addFilter'), () => editor.addFilter(editor.view.addButton)],
    ['0', t('editorKeys.fit'), () => stage.zoomTo(0)],
    ['1', t('editorKeys.full'), () => stage.zoomTo(1)],
    ['= +', t('zoomIn'), () => stage.zoomBy(1)],
    ['-', t('zoomOut'), () => stage.zoomBy(-1)],
    ['h', t('editorKeys.history'), () => editor.view.toggleHistory()],
    ['Enter', t('editorKeys.keep'), () =>
      (editor.tools.target && !document.activeElement?.matches(users)
        ? editor.tools.use(null)
        : false)],
    ['d', t('editorKeys.adjust'), () => editor.panels.focus()],
    ['Esc', t(strip ? 'editorKeys.escapeOrBack' : 'editorKeys.escape'), escape],
    ...ofList,
    ['←', null, turn(60, -1)],
    ['→', null, turn(-60, 1)],
    ['↑', null, pan(0, 60)],
    ['↓', null, pan(0, -60)],
    ['?', t('keys'), () => showHelp()],
  ];
}

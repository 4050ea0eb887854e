// SPDX-License-Identifier: Apache-2.0
import { menu } from '../dialogs.js';
import { el, iconButton, replace } from '../dom.js';
import { number, t } from '../language.js';

/**
 * An action on the selected photos. Its label in the bar is a part of its name, so that it is found
 * by voice; where there is no space for all of them, those that are used less are in a menu.
 * @typedef {object} SelectionAction
 * @property {string} symbol
 * @property {string} name
 * @property {string} label
 * @property {() => unknown} action
 * @property {string} [keys]
 * @property {boolean} [isRare]
 * @property {boolean} [isCommon] less rare: in a menu only where the window is small
 */

/** The bar that covers that of the timeline while photos are selected. */
export class SelectionBar {
  /** @param {import('./timeline.js').Timeline} timeline */
  constructor(timeline) {
    this.timeline = timeline;
    this.element = el('div', { class: 'selection-bar', hidden: true });
  }

  /** @param {number} count */
  show(count) {
    const hadFocus = this.element.contains(document.activeElement);
    this.element.hidden = !count;
    if (!count) {
      const { grid } = this.timeline;
      if (hadFocus) grid.focus(grid.focused, { scrolls: false });
      return;
    }
    const actions = this.actions(count).flatMap((action) => (action ? [action] : []));
    const isInMenu = (/** @type {SelectionAction} */ { symbol }) => {
      const own = this.element.querySelector(`[data-action=${symbol}]`);
      return !own.checkVisibility();
    };
    /** @type {HTMLElement} */
    const more = iconButton('more', t('editor.more'), () =>
      menu(more, actions.filter(isInMenu).map((item) =>
        ({ label: item.name, symbol: item.symbol, action: item.action }))), {
      class: 'icon-button narrow', 'aria-haspopup': 'menu', data: { label: t('editor.more') },
    });
    replace(this.element,
      iconButton('close', t('selection.clear'), () => this.timeline.selection.clear()),
      el('strong', { class: 'numbers' },
        el('span', { class: 'visually-hidden' }, t('selection.count', { count })),
        el('span', { class: 'short', 'aria-hidden': 'true' }, number(count)),
        el('span', { class: 'long', 'aria-hidden': 'true' }, t('selection.count', { count }))),
      el('div', { class: 'space' }),
      actions.map(({ symbol, name, label, action, keys, isRare, isCommon }) =>
        iconButton(symbol, name, action, {
          keys, data: { label, action: symbol },
          class: `icon-button ${isRare ? 'rare' : isCommon ? 'common' : ''}`,
        })),
      actions.some(({ isRare }) => isRare) ? more : null);
  }

  /**
   * The actions on some photos, in their order.
   * @param {number} count
   * @returns {(SelectionAction | false)[]}
   */
  actions(count) {
    const { actions, isAlbum, isLibrary, service, source } = this.timeline;
    /** @type {SelectionAction | false} */
    const compare = count === 2 && {
      symbol: 'split', name: t('selection.compare'), label: t('selection.compare'), keys: 'k',
      isCommon: !service.readOnly && source !== 'trash', action: () => this.timeline.compare(),
    };
    if (service.readOnly) return [compare];
    if (source === 'trash') {
      return [
        compare,
        {
          symbol: 'undo', name: t('selection.restore'), label: t('selection.restore'), keys: 'r',
          action: () => actions.restore(),
        },
        {
          symbol: 'trash', name: t('selection.purge'), label: t('delete'),
          action: () => actions.purge(),
        },
      ];
    }
    return [
      compare,
      isLibrary && {
        symbol: 'heart', name: t('favorite'), label: t('favorite'), keys: 'f',
        action: () => actions.favorite(),
      },
      isLibrary && {
        symbol: 'star', name: t('info.rating'), label: t('info.rating'), isCommon: true,
        action: () => actions.chooseRating(),
      },
      isLibrary && {
        symbol: 'tag', name: t('info.label'), label: t('info.label'), isCommon: true,
        action: () => actions.chooseLabel(),
      },
      isLibrary && {
        symbol: 'info', name: t('info.title'), label: t('info.title'), keys: 'i', isRare: true,
        action: () => actions.describe(),
      },
      {
        symbol: 'left', name: t('rotateLeft'), label: t('label.left'), keys: '[', isRare: true,
        action: () => actions.rotate(-1),
      },
      {
        symbol: 'right', name: t('rotateRight'), label: t('label.right'), keys: ']', isRare: true,
        action: () => actions.rotate(1),
      },
      isLibrary && {
        symbol: 'album', name: t('selection.add'), label: t('label.album'), keys: 'a',
        action: () => actions.addToAlbum(),
      },
      isAlbum && {
        symbol: 'minus', name: t('selection.remove'), label: t('label.remove'), keys: 'Backspace',
        isRare: true, action: () => actions.removeFromAlbum(),
      },
      {
        symbol: 'original', name: t('selection.revert'), label: t('label.revert'), isRare: true,
        action: () => actions.revert(),
      },
      count === 1 && {
        symbol: 'copy', name: t('copyEdit'), label: t('label.copy'), keys: 'c', isRare: true,
        action: () => actions.copyEdit(),
      },
      {
        symbol: 'sliders', name: t('selection.apply'), label: t('apply'), keys: 'v', isRare: true,
        action: () => actions.applyEdit(),
      },
      {
        symbol: 'download', name: t('download'), label: t('download'),
        action: () => actions.download(),
      },
      {
        symbol: 'export', name: t('export'), label: t('export'), isRare: true,
        action: () => actions.exportPhotos(),
      },
      isLibrary && {
        symbol: 'trash', name: t('moveToTrash'), label: t('grid.trash'), keys: 'Delete',
        action: () => actions.trash(),
      },
    ];
  }
}

// SPDX-License-Identifier: Apache-2.0
import { call, get, path, post } from '../api.js';
import { ask, askForText, menu } from '../dialogs.js';
import { el, icon, iconButton, replace, visible } from '../dom.js';
import { number, t } from '../language.js';
import { message, report } from '../messages.js';
import { address, go } from '../router.js';

/** The list of collections: the smart ones, then albums and folders as a tree. */
export class Sidebar {
  /** @param {import('./timeline.js').Timeline} timeline */
  constructor(timeline) {
    this.timeline = timeline;
    /** @type {Album[]} */
    this.albums = [];
    this.tree = el('ul', { class: 'albums' });
    this.canAlbums = timeline.service.mode === 'library';
    const canWrite = this.canAlbums && !timeline.service.readOnly;
    this.element = el('nav', { class: 'sidebar scroll', 'aria-label': t('grid.collections') },
      el('ul', {},
        this.link('all', t('grid.all'), 'album', '#/'),
        this.canAlbums ? [
          this.link('favorites', t('grid.favorites'), 'heart'),
          this.link('recent', t('grid.recent'), 'inbox'),
          this.link('trash', t('grid.trash'), 'trash'),
        ] : null),
      this.canAlbums ? el('div', { class: 'sidebar-head' },
        el('h2', { class: 'section-title' }, t('grid.albums')),
        canWrite ? iconButton('plus', t('album.new'), () => this.create()) : null) : null,
      this.canAlbums ? this.tree : null);
  }

  /**
   * @param {string} source
   * @param {string} title
   * @param {string} symbol
   * @param {string} [target]
   * @param {number | null} [count]
   */
  link(source, title, symbol, target = address('album', source), count = null) {
    const isCurrent = this.timeline.source === source;
    const link = el('a', {
      class: 'collection', href: target, 'aria-current': isCurrent ? 'page' : null,
      data: { source },
    },
      icon(symbol),
      el('span', { class: 'collection-name' }, title),
      count === null ? null : el('span', { class: 'caption numbers' }, number(count)));
    return el('li', {}, link);
  }

  async load() {
    try {
      /** @type {{ albums: Album[] }} */
      const { albums } = await get(path`/api/albums`);
      this.albums = albums;
      const flat = this.flat();
      const { isAlbum, source } = this.timeline;
      if (!this.element.isConnected) return;
      if (isAlbum && !flat.some(({ id }) => source === `album:${id}`)) {
        // It was deleted, here or elsewhere.
        go('#/', { replaces: true });
        return;
      }
      this.timeline.showTitle(flat);
      replace(this.tree, this.albums.map((album) => this.item(album)));
    } catch (problem) {
      report(problem);
    }
  }

  /**
   * @param {Album} album
   * @returns {HTMLElement}
   */
  item(album) {
    if (album.kind === 'folder') {
      return el('li', {}, el('details', { class: 'album-folder', open: true },
        el('summary', {}, icon('forward', 'chevron'), album.title),
        el('ul', {}, (album.children ?? []).map((child) => this.item(child)))));
    }
    const item = this.link(
      `album:${album.id}`, visible(album.title), 'album', undefined, album.count ?? null);
    const link = item.querySelector('a');
    link.dataset.album = album.id;
    if (!this.timeline.service.readOnly) {
      /** @type {HTMLElement} */
      const more = iconButton('more',
        t('album.more', { album: visible(album.title) }), () => this.openMenu(more, album),
        { class: 'icon-button album-more', 'aria-haspopup': 'menu' });
      item.append(more);
    }
    link.addEventListener(
      'contextmenu', (event) => { event.preventDefault(); this.openMenu(link, album); });
    link.addEventListener('keydown', (event) => {
      if (event.key === 'ContextMenu' || (event.shiftKey && event.key === 'F10')) {
        event.preventDefault();
        this.openMenu(link, album);
      }
    });
    return item;
  }

  /**
   * @param {HTMLElement} anchor
   * @param {Album} album
   */
  openMenu(anchor, album) {
    if (this.timeline.service.readOnly) return;
    menu(anchor, [
      { label: t('album.rename'), symbol: 'edit', action: () => this.rename(album) },
      { label: t('album.delete'), symbol: 'trash', action: () => this.remove(album) },
    ]);
  }

  /**
   * Albums in a flat list, for choosing one.
   * @param {Album[]} [albums]
   * @returns {Album[]}
   */
  flat(albums = this.albums) {
    return albums.flatMap((album) =>
      (album.kind === 'folder' ? this.flat(album.children ?? []) : [album]));
  }

  /**
   * @param {string} title
   * @param {string} [value]
   */
  name(title, value = '') {
    return askForText(title, { value, 'aria-label': t('name'), maxlength: 200 });
  }

  /** @returns {Promise<Album | null>} */
  async create() {
    const title = await this.name(t('album.new'));
    if (!title) return null;
    try {
      /** @type {{ id: string }} */
      const { id } = await post(path`/api/albums`, { title });
      await this.load();
      return { id, title, kind: 'album' };
    } catch (problem) {
      report(problem);
      return null;
    }
  }

  /** @param {Album} album */
  async rename(album) {
    const title = await this.name(t('album.renameTitle'), album.title);
    if (title) {
      await call('PATCH', path`/api/albums/${album.id}`, { json: { title } }).then(
        () => this.load(), report);
    }
  }

  /** @param {Album} album */
  async remove(album) {
    const answer = await ask(
      t('album.deleteQuestion', { album: album.title }), el('p', {}, t('album.deleteHelp')),
      [
        { label: t('cancel') },
        { label: t('album.delete'), value: 'delete', kind: 'primary', isFinal: true },
      ]);
    if (answer === 'delete') {
      await call('DELETE', path`/api/albums/${album.id}`).then(
        () => { message(t('album.deleted')); this.load(); }, report);
    }
  }

  /**
   * Lets the reader choose an album; resolves to it, or null.
   * @param {HTMLElement} anchor
   * @returns {Promise<Album | null>}
   */
  choose(anchor) {
    return new Promise((resolve) => {
      menu(anchor, [
        ...this.flat().map((album) =>
          ({ label: album.title, symbol: 'album', action: () => resolve(album) })),
        {
          label: t('album.newEllipsis'), symbol: 'plus',
          action: async () => resolve(await this.create()),
        },
      ], { dismissed: () => resolve(null) });
    });
  }
}


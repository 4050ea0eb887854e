// SPDX-License-Identifier: Apache-2.0
import { call, path, post, send } from '../api.js';
import { el, icon, iconButton, replace } from '../dom.js';
import { AssetList } from '../grid/list.js';
import { loadImage } from '../grid/images.js';
import { imageAddress } from '../grid/tile.js';
import { bind, showHelp } from '../keys.js';
import { actOnMessage, announce, message, report } from '../messages.js';
import { address, go, photoAddress } from '../router.js';
import { keep, setting } from '../settings.js';
import { Motion } from './motion.js';
import { infoPanel } from './info.js';
import { PhotoStage } from './photoStage.js';

/**
 * Shows one photo of a list, and its neighbors with the arrow keys.
 * @param {HTMLElement} screen
 * @param {string} id
 * @param {Service} service
 * @param {URLSearchParams} query
 */
export async function openViewer(screen, id, service, query) {
  const viewer = new Viewer(service, query.get('from') ?? 'all', query.get('where') ?? '');
  return viewer.start(screen, id);
}

/** The viewer: a photo on a stage, with the list of its neighbors. */
export class Viewer {
  /**
   * @param {Service} service
   * @param {string} source
   * @param {string} predicate
   */
  constructor(service, source, predicate) {
    this.service = service;
    this.source = source;
    this.predicate = predicate;
    this.index = 0;
    /** @type {AssetList | null} */
    this.list = null;
    /** @type {Item | null} */
    this.item = null;
    this.stage = new PhotoStage();
    this.motion = new Motion(this);
  }

  /**
   * @param {HTMLElement} screen
   * @param {string} id
   */
  async start(screen, id) {
    this.layOut();
    replace(screen, this.element);
    try {
      this.list = await AssetList.open({
        source: this.source, sections: 'none',
        ...(this.predicate ? { predicate: this.predicate } : {}),
      });
      this.index = Math.max(0, await this.list.indexOf(id));
      await this.show(this.index);
    } catch (problem) {
      report(problem);
    }
    this.stage.addEventListener('view', () => this.showScale());
    this.stage.addEventListener('failed', (event) =>
      this.failed(/** @type {CustomEvent<string>} */ (event).detail));
    this.swipe();
    bind(this.keys());
    return () => {
      bind([]);
      this.motion.stop();
      this.stage.stop();
      this.list?.close();
    };
  }

  layOut() {
    this.title = el('h1', {}, '');
    this.subtitle = el('p', { class: 'subtitle' });
    const canWrite = !this.service.readOnly;
    const isLibrary = canWrite && this.service.mode === 'library';
    this.favorite = iconButton(
      'heart', 'Favorite', () => this.toggleFavorite(), { keys: 'f', 'aria-pressed': 'false' });
    this.infoButton = iconButton(
      'info', 'Information', () => this.toggleInfo(), { keys: 'i', 'aria-pressed': 'false' });
    this.editButton =
      el('button', { type: 'button', class: 'button primary', on: { click: () => this.edit() } },
        icon('sliders'), 'Edit');
    const bar = el('header', { class: 'bar' },
      this.service.mode === 'photo'
        ? null
        : iconButton('back', 'Back', () => this.back(), { keys: 'Esc' }),
      el('div', { class: 'title' }, this.title, this.subtitle),
      el('div', { class: 'space' }),
      el('div', { class: 'group' },
        iconButton('original', 'Show the original while pressed', () => {}, {
          keys: 'o',
          on: {
            pointerdown: () => this.stage.showVersion('original'),
            pointerup: () => this.stage.showVersion('current'),
            pointerleave: () => this.stage.showVersion('current'),
          },
        }),
        isLibrary ? this.favorite : null,
        iconButton('download', 'Download', () => this.download()),
        isLibrary
          ? iconButton('trash', 'Move to the trash', () => this.trash(), { keys: 'Delete' })
          : null,
        this.infoButton),
      canWrite ? this.editButton : null);
    this.scale = el('button', {
      type: 'button', class: 'button plain numbers zoom', title: 'Fit or 100 %',
      on: { click: () => this.stage.zoomTo(this.stage.zoom ? 0 : 1) },
    });
    this.positionLabel = el('span', { class: 'caption numbers size' });
    const foot = el('footer', { class: 'stage-bar' },
      this.positionLabel,
      el('div', { class: 'space' }),
      iconButton('minus', 'Zoom out', () => this.stage.zoomBy(-1), { keys: '-' }),
      this.scale,
      iconButton('plus', 'Zoom in', () => this.stage.zoomBy(1), { keys: '=' }));
    this.problem = el('p', { class: 'viewer-problem', role: 'status', hidden: true });
    this.before = iconButton(
      'back', 'Previous photo', () => this.step(-1), { class: 'icon-button turn before' });
    this.after = iconButton(
      'forward', 'Next photo', () => this.step(1), { class: 'icon-button turn after' });
    this.info = el('aside', {
      class: 'viewer-info scroll', 'aria-label': 'Information', hidden: !setting('info', false),
    });
    this.infoButton.setAttribute('aria-pressed', String(!this.info.hidden));
    this.element = el('div', { class: 'viewer' },
      bar,
      el('div', { class: 'viewer-body' },
        el('main', { class: 'viewer-main' },
          this.stage.element,
          this.problem,
          this.motion.button,
          this.before,
          this.after,
          foot),
        this.info));
  }

  /** @param {number} index */
  async show(index) {
    const item = await this.list.item(index);
    if (!item) return;
    this.index = index;
    this.item = item;
    this.stage.show(item);
    this.title.textContent = item.title ?? 'Photo';
    const date = item.date
      ? new Date(item.date).toLocaleString([], { dateStyle: 'long', timeStyle: 'short' })
      : 'No date';
    this.subtitle.textContent = date;
    const position = `${(index + 1).toLocaleString()} of ${this.list.count.toLocaleString()}`;
    this.positionLabel.textContent = item.w ? `${position} · ${item.w} × ${item.h}` : position;
    this.problem.hidden = true;
    this.editButton.hidden = this.isMovie;
    document.title = `${item.title ?? 'Photo'} – photoedit`;
    this.favorite.setAttribute('aria-pressed', String(item.flags?.includes('favorite') ?? false));
    this.before.disabled = index === 0;
    this.after.disabled = index >= this.list.count - 1;
    this.motion.show(item);
    this.showScale();
    if (!this.info.hidden) infoPanel(this.info, item);
    history.replaceState(null, '', photoAddress(item, this));
    announce(`${item.title ?? 'Photo'}, ${date}`);
    this.prefetch();
  }

  /**
   * Shows the reason for which the server sends no image.
   * @param {string} address
   */
  async failed(address) {
    const { item } = this;
    const problem = await send('GET', address).then(() => null, (error) => error);
    if (this.item !== item || !problem) return;
    this.stage.image.hidden = true;
    this.problem.textContent = `${item.title ?? 'The photo'} cannot be shown: ${problem.message}`;
    this.problem.hidden = false;
  }

  showScale() { this.scale.textContent = this.stage.scaleText; }

  prefetch() {
    for (const step of [1, -1]) {
      const index = this.index + step;
      if (index < 0 || index >= this.list.count) continue;
      const [width, height] = this.stage.space;
      this.list.item(index).then((item) => { loadImage(imageAddress(item, width, height)); });
    }
  }

  /** @param {number} step */
  step(step) {
    const index = this.index + step;
    if (index >= 0 && index < this.list.count) this.show(index);
  }

  back() {
    if (this.service.mode === 'photo') return;
    const list = this.source === 'all' ? '#/' : address('album', this.source);
    go(this.predicate ? `${list}?where=${encodeURIComponent(this.predicate)}` : list);
  }

  get isMovie() { return this.item?.flags?.includes('movie') ?? false; }

  edit() {
    if (this.isMovie) message("Videos are edited with 'photoedit apply'.");
    else go(address('a', this.item.id, 'edit'));
  }

  download() { location.assign(`${path`/api/assets/${this.item.id}/file`}?version=current`); }

  async toggleFavorite() {
    const favorite = !this.item.flags?.includes('favorite');
    try {
      const options = { json: { favorite }, headers: { 'If-Match': '*' } };
      await call('PATCH', path`/api/assets/${this.item.id}`, options);
      this.item.flags = favorite
        ? [...(this.item.flags ?? []), 'favorite']
        : this.item.flags.filter((flag) => flag !== 'favorite');
      this.favorite.setAttribute('aria-pressed', String(favorite));
    } catch (problem) {
      report(problem);
    }
  }

  async trash() {
    const { id } = this.item;
    try {
      await post(path`/api/trash`, { ids: [id] });
      message('Moved to the trash.', { label: 'Undo', action: () => this.restore(id) });
      await this.list.reopen();
      if (this.list.count) await this.show(Math.min(this.index, this.list.count - 1));
      else this.back();
    } catch (problem) {
      report(problem);
    }
  }

  /**
   * Undoes the move to the trash, and shows the photo again unless the viewer was left.
   * @param {string} id
   */
  async restore(id) {
    try {
      await post(path`/api/restore`, { ids: [id] });
      if (!this.element.isConnected) return;
      await this.list.reopen();
      await this.show(Math.max(0, await this.list.indexOf(id)));
    } catch (problem) {
      report(problem);
    }
  }

  toggleInfo() {
    this.info.hidden = !this.info.hidden;
    keep('info', !this.info.hidden);
    this.infoButton.setAttribute('aria-pressed', String(!this.info.hidden));
    if (!this.info.hidden) infoPanel(this.info, this.item);
  }

  swipe() {
    /** @type {Point | null} */
    let start = null;
    this.stage.element.addEventListener('pointerdown', (event) => {
      start = event.pointerType === 'touch' && !this.stage.zoom && this.stage.fingers.size < 2
        ? [event.clientX, event.clientY]
        : null;
    });
    this.stage.element.addEventListener('pointerup', (event) => {
      if (!start) return;
      const [x, y] = [event.clientX - start[0], event.clientY - start[1]];
      start = null;
      if (Math.abs(x) > 48 && Math.abs(x) > 1.5 * Math.abs(y)) this.step(x < 0 ? 1 : -1);
    });
  }

  /** @returns {Binding[]} */
  keys() {
    const { stage } = this;
    /**
     * @param {number} step
     * @param {number} x
     * @param {number} y
     */
    const move = (step, x, y) =>
      () => { if (stage.zoom) stage.panBy(x, y); else if (step) this.step(step); };
    /** @type {Binding[]} */
    const all = [
      ['←', 'Previous photo', move(-1, 80, 0)],
      ['→', 'Next photo', move(1, -80, 0)],
      ['↑', null, move(0, 0, 80)],
      ['↓', null, move(0, 0, -80)],
      ['Esc', 'Back', () => (stage.zoom ? stage.zoomTo(0) : this.back())],
      ['e', 'Edit', () => this.edit()],
      [
        'o', 'Show the original while held',
        () => this.stage.showVersion('original'),
        { up: () => this.stage.showVersion('current') },
      ],
      ['f', 'Favorite', () => { this.toggleFavorite(); }],
      ['i', 'Information', () => this.toggleInfo()],
      ['l', 'Play the Live Photo', () => this.motion.toggle()],
      ['Ctrl+z', 'Undo, while a message offers it', actOnMessage],
      ['Delete', 'Move to the trash', () => { this.trash(); }],
      ['0', 'Fit', () => stage.zoomTo(0)],
      ['1', '100 %', () => stage.zoomTo(1)],
      ['= +', 'Zoom in', () => stage.zoomBy(1)],
      ['-', 'Zoom out', () => stage.zoomBy(-1)],
      ['?', 'Keys', () => { showHelp(); }],
    ];
    return this.service.mode === 'library'
      ? all
      : all.filter(([keys]) => !['f', 'Delete'].includes(keys));
  }
}


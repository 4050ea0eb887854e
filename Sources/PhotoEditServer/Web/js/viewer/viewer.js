// SPDX-License-Identifier: Apache-2.0
import { path, post, send } from '../api.js';
import { button, el, icon, iconButton, replace, visible } from '../dom.js';
import { downloadMenu } from '../download.js';
import { keepShown } from '../grid/lastShown.js';
import { AssetList } from '../grid/list.js';
import { favorite, rotate, setMarkOf } from '../grid/changes.js';
import { loadImage } from '../grid/images.js';
import { imageAddress } from '../grid/tile.js';
import { bind } from '../keys.js';
import { date, measure, t } from '../language.js';
import { announce, message, report } from '../messages.js';
import { searching } from '../query.js';
import { reportResults, undoEdits } from '../results.js';
import { whenBack } from '../retry.js';
import { address, go, open, photoAddress } from '../router.js';
import { keep, setting } from '../settings.js';
import { Motion } from './motion.js';
import { infoPanel } from './info.js';
import { VideoTools } from './videoTools.js';
import { goOnAfterLogin } from './login.js';
import { PhotoStage } from './photoStage.js';
import { onSwipe } from './swipe.js';
import { Trashed } from './trashed.js';
import { viewerKeys } from './viewerKeys.js';

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

const whole = /** @type {const} */ ({ dateStyle: 'long', timeStyle: 'short' });

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
    /** @type {AssetList | null} */
    this.list = null;
    this.index = 0;
    /** @type {Item | null} */
    this.item = null;
    this.stage = new PhotoStage();
    this.motion = new Motion(this);
    this.video = new VideoTools(this);
    this.trashed = new Trashed(this);
  }

  /**
   * @param {HTMLElement} screen
   * @param {string} id
   */
  async start(screen, id) {
    this.layOut();
    replace(screen, this.element);
    try {
      const index = await this.find(id);
      if (index < 0) { this.showMissing(screen); return () => this.end(); }
      this.showActions();
      await this.show(index);
    } catch (problem) {
      report(problem);
      if (problem.word === 'unreachable') this.stopWaiting = whenBack(open);
    }
    this.stage.addEventListener('view', () => this.showScale());
    this.stage.addEventListener('failed', (event) =>
      this.failed(/** @type {CustomEvent<string>} */ (event).detail));
    onSwipe(this.stage, (step) => this.step(step));
    bind(viewerKeys(this));
    return goOnAfterLogin(this, () => this.end());
  }

  end() {
    bind([]);
    this.stopWaiting?.();
    this.motion.stop();
    this.stage.stop();
    this.list?.close();
  }

  /** Indicates whether the photo is in the trash, from which it can be restored. */
  get isTrash() { return this.source === 'trash'; }

  /**
   * Opens the list of the photo and returns its index there. One that was changed may no longer be
   * in the list that the address names: then the list is all photos, or the trash; -1 if it is in
   * neither.
   * @param {string} id
   */
  async find(id) {
    const { source, predicate, service } = this;
    const trash = service.mode === 'library' ? [['trash', '']] : [];
    for (const [from, where] of [[source, predicate], ['all', ''], ...trash]) {
      this.list?.close();
      [this.source, this.predicate] = [from, where];
      this.list = await AssetList.open({ source: from, sections: 'none', ...searching(where) });
      const index = await this.list.indexOf(id);
      if (index >= 0) return index;
    }
    [this.source, this.predicate] = [source, predicate];
    return -1;
  }

  /** @param {HTMLElement} screen */
  showMissing(screen) {
    const title = t('viewer.missing');
    document.title = t('window', { name: title });
    replace(screen, el('main', { class: 'notice' }, icon('info'), el('h1', {}, title),
      el('p', {}, t('viewer.missingHelp')), button(t('grid.all'), () => go('#/'))));
    bind([['Esc', t('back'), () => { go('#/'); }]]);
  }

  layOut() {
    this.title = el('h1');
    this.subtitle = el('p', { class: 'subtitle' });
    const canWrite = !this.service.readOnly;
    const isLibrary = canWrite && this.service.mode === 'library';
    this.favorite = iconButton(
      'heart', t('favorite'), () => this.toggleFavorite(), { keys: 'f', 'aria-pressed': 'false' });
    this.downloadButton = iconButton(
      'download', t('download'), () => downloadMenu(this.downloadButton, this.item),
      { 'aria-haspopup': 'menu' });
    this.infoButton = iconButton(
      'info', t('info.title'), () => this.toggleInfo(), { keys: 'i', 'aria-pressed': 'false' });
    this.editButton =
      el('button', { type: 'button', class: 'button primary', on: { click: () => this.edit() } },
        icon('sliders'), t('edit'));
    this.trashButton =
      iconButton('trash', t('moveToTrash'), () => this.trash(), { keys: 'Delete' });
    /** What changes a photo that is not in the trash. */
    this.changing = [
      ...(isLibrary ? [this.favorite] : []),
      ...(canWrite ? [
        iconButton('left', t('rotateLeft'), () => this.rotate(-1), { keys: '[' }),
        iconButton('right', t('rotateRight'), () => this.rotate(1), { keys: ']' }),
      ] : []),
    ];
    const bar = el('header', { class: 'bar' },
      this.service.mode === 'photo'
        ? null
        : iconButton('back', t('back'), () => this.back(), { keys: 'Esc' }),
      el('div', { class: 'title' }, this.title, this.subtitle),
      el('div', { class: 'space' }),
      el('div', { class: 'group' },
        iconButton('original', t('viewer.showOriginal'), () => {}, {
          keys: 'o',
          on: {
            pointerdown: () => this.stage.showVersion('original'),
            pointerup: () => this.stage.showVersion('current'),
            pointerleave: () => this.stage.showVersion('current'),
          },
        }),
        this.changing,
        this.downloadButton,
        isLibrary ? this.trashButton : null,
        this.infoButton),
      canWrite ? [this.video.button, this.editButton] : null);
    this.scale = el('button', {
      type: 'button', class: 'button plain numbers zoom', title: t('fitOrFull'),
      on: { click: () => this.stage.zoomTo(this.stage.zoom ? 0 : 1) },
    });
    this.positionLabel = el('span', { class: 'caption numbers size' });
    const foot = el('footer', { class: 'stage-bar' },
      this.positionLabel,
      el('div', { class: 'space' }),
      iconButton('minus', t('zoomOut'), () => this.stage.zoomBy(-1), { keys: '-' }),
      this.scale,
      iconButton('plus', t('zoomIn'), () => this.stage.zoomBy(1), { keys: '=' }));
    this.problem = el('p', { class: 'viewer-problem', role: 'status', hidden: true });
    this.before = iconButton(
      'back', t('previousPhoto'), () => this.step(-1), { class: 'icon-button turn before' });
    this.after = iconButton(
      'forward', t('nextPhoto'), () => this.step(1), { class: 'icon-button turn after' });
    this.info = el('aside', {
      class: 'viewer-info scroll', 'aria-label': t('info.title'), hidden: !setting('info', false),
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
          this.video.element,
          foot),
        this.info));
  }

  /** Offers what can be done with a photo of the list. */
  showActions() {
    for (const control of [...this.changing, this.trashButton]) control.hidden = this.isTrash;
    const { buttons } = this.trashed;
    if (this.isTrash && !this.service.readOnly) this.infoButton.parentElement.after(buttons);
    else buttons.remove();
  }

  /** @param {number} index */
  async show(index) {
    const item = await this.list.item(index);
    if (!item) return;
    this.index = index;
    this.item = item;
    this.stage.show(item);
    const name = item.title ?? t('photo');
    this.title.textContent = name;
    const taken = item.date ? date(item.date, whole) : t('noDate');
    this.subtitle.textContent = taken;
    const position = t('viewer.position', { index: index + 1, count: this.list.count });
    const size = item.w && measure(`${item.w} × ${item.h}`);
    this.positionLabel.textContent = size ? `${position} · ${size}` : position;
    this.problem.hidden = true;
    this.editButton.hidden = this.isMovie || this.isTrash;
    keepShown(item.id);
    document.title = t('window', { name });
    this.before.disabled = index === 0;
    this.after.disabled = index >= this.list.count - 1;
    this.motion.show(item);
    this.video.show(item);
    this.showScale();
    this.showMarks();
    history.replaceState(null, '', photoAddress(item, this));
    announce(`${name}, ${taken}`);
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
    const name = item.title ?? t('viewer.thePhoto');
    this.problem.textContent = t('viewer.failed', { name, reason: problem.message });
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
    if (this.isTrash) return;
    if (!this.isMovie) go(photoAddress(this.item, this, 'edit'));
    else if (!this.service.readOnly) this.video.toggle();
  }

  /**
   * Gives the photo of a library a rating, a label or the mark of a favorite.
   * @template T
   * @param {import('../grid/changes.js').Mark<T>} mark
   * @param {T} value
   * @param {T} [other] the value instead, if it has the first one
   */
  mark(mark, value, other) {
    const { item, service } = this;
    if (service.readOnly || service.mode !== 'library' || this.isTrash) return null;
    const changed = () => { if (this.item === item) this.showMarks(); };
    return setMarkOf(mark, item, value, { other, changed }).catch(report);
  }

  /** Marks the photo as a favorite, or no longer. */
  toggleFavorite() { return this.mark(favorite, true, false); }

  showMarks() {
    this.favorite.setAttribute('aria-pressed', String(favorite.of(this.item)));
    if (!this.info.hidden) this.showInfo();
  }

  /** Shows the information of the photo, which can be changed in a library. */
  showInfo() {
    const canWrite = this.service.mode === 'library' && !this.service.readOnly && !this.isTrash;
    infoPanel(this.info, this.item, canWrite ? {
      changed: (properties) => {
        Object.assign(this.item, { title: visible(properties.title ?? properties.name),
          rating: properties.rating, date: properties.date });
        this.title.textContent = this.item.title;
      },
    } : null);
  }

  /** @param {number} turns */
  async rotate(turns) {
    if (this.service.readOnly || this.isTrash) return;
    const { item } = this;
    const itemOf = () => item;
    const undo = (/** @type {import('../results.js').Results} */ changed) =>
      undoEdits(changed, itemOf).then(() => this.reload(item.id), report);
    try {
      const done = (/** @type {import('../results.js').Counted} */ rotated) =>
        t('done.rotated', rotated);
      reportResults(await rotate([item.id], turns), { done, itemOf, undo });
      await this.reload(item.id);
    } catch (problem) {
      report(problem);
    }
  }

  /**
   * Shows a photo again after it was changed.
   * @param {string} id
   */
  async reload(id) {
    await this.list.reopen();
    const index = await this.list.indexOf(id);
    if (!this.element.isConnected) return;
    // What was changed may have left the list.
    if (index >= 0) await this.show(index);
    else await this.showNear();
  }

  /** Shows the photo that is now where one was that has left the list. */
  async showNear() {
    if (this.list.count) await this.show(Math.min(this.index, this.list.count - 1));
    else this.back();
  }

  async trash() {
    const { id } = this.item;
    try {
      await post(path`/api/trash`, { ids: [id] });
      message(t('viewer.trashed'), { label: t('undo'), action: () => this.restore(id) });
      await this.list.reopen();
      await this.showNear();
    } catch (problem) {
      report(problem);
    }
  }

  /**
   * Undoes the move to the trash, and shows the photo again unless the viewer was left.
   * @param {string} id
   */
  restore(id) {
    return post(path`/api/restore`, { ids: [id] }).then(() => this.reload(id)).catch(report);
  }

  toggleInfo() {
    this.info.hidden = !this.info.hidden;
    keep('info', !this.info.hidden);
    this.infoButton.setAttribute('aria-pressed', String(!this.info.hidden));
    if (!this.info.hidden) this.showInfo();
  }
}

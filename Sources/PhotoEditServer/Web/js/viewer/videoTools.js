// SPDX-License-Identifier: Apache-2.0
import { finish, get, path, post, Problem } from '../api.js';
import { button, el, replace } from '../dom.js';
import { measure, t } from '../language.js';
import { message, report } from '../messages.js';
import { reportResults, undoEdits } from '../results.js';
import { moved, timeText, videoEdit, withVideoEdit } from './videoEdit.js';

/** The steps of the keys, in seconds. */
const [step, longStep] = [0.1, 1];
/** The delay in milliseconds after which the server is asked where a part begins. */
const askDelay = 150;

/** The bar below a video with which it is trimmed and muted; nothing is encoded again. */
export class VideoTools {
  /** @param {import('./viewer.js').Viewer} viewer */
  constructor(viewer) {
    this.viewer = viewer;
    /** @type {{ graph: Graph | null, revision: string } | null} what is stored */
    this.stored = null;
    this.edit = videoEdit(null);
    this.duration = 0;
    this.button = button(t('video.trim'), () => this.toggle(), {
      symbol: 'trim', title: t('video.trimHelp'), 'aria-pressed': 'false', hidden: true,
    });
    this.handles = {
      start: this.handle('start', t('video.start')), end: this.handle('end', t('video.end')),
    };
    this.part = el('div', { class: 'trim-part' });
    /** What is before the start and is kept, because the part begins at a key frame. */
    this.lead = el('div', { class: 'trim-lead', hidden: true });
    /** @type {{ start: number | null, end: number | null } | null} what Save will keep */
    this.kept = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.head = el('div', { class: 'trim-head' });
    this.track = el('div', {
      class: 'trim-track', on: { pointerdown: (event) => this.seekTo(event) },
    }, this.lead, this.part, this.head, this.handles.start, this.handles.end);
    this.times = el('p', { class: 'numbers', role: 'status' });
    /** @type {HTMLInputElement} */
    this.mute = el('input', {
      class: 'switch', type: 'checkbox', role: 'switch', id: 'video-mute',
      on: { change: () => this.set({ ...this.edit, isMuted: this.mute.checked }) },
    });
    this.save = button(t('save'), () => this.store(), { kind: 'primary' });
    this.element = el('section', {
      class: 'video-tools', 'aria-label': t('video.trim'), hidden: true,
    },
      this.track,
      el('div', { class: 'choices' },
        this.times,
        el('label', { class: 'choices', for: 'video-mute' }, this.mute, t('video.mute')),
        button(t('cancel'), () => this.close(), { kind: 'plain' }),
        this.save),
      el('p', { class: 'caption' }, t('video.note')));
  }

  /**
   * @param {'start' | 'end'} side
   * @param {string} name
   */
  handle(side, name) {
    return el('div', {
      class: `trim-handle ${side}`, role: 'slider', tabindex: '0', 'aria-label': name,
      on: {
        pointerdown: (event) => this.drag(event, side),
        keydown: (event) => this.pressed(event, side),
      },
    });
  }

  /** @param {Item} item */
  show(item) {
    this.close();
    this.button.hidden = this.viewer.service.readOnly || this.viewer.isTrash
      || !item.flags?.includes('movie');
  }

  get isOpen() { return !this.element.hidden; }

  toggle() { return this.isOpen ? this.close() : this.open(); }

  async open() {
    const { item, motion } = this.viewer;
    try {
      /** @type {Journal} */
      const { revision, states, current } = await get(path`/api/assets/${item.id}/history`);
      if (this.viewer.item !== item) return;
      const state = states.find(({ n }) => n === current);
      if (state?.edited && !state.graph) {
        message(t('video.foreign'));
        return;
      }
      this.stored = { graph: state?.graph ?? null, revision };
      this.kept = null;
      this.edit = videoEdit(this.stored.graph);
      // Its length is known until it was trimmed; that of the original comes with its file.
      this.duration = this.edit.start || this.edit.end ? this.edit.end : item.duration;
      this.element.hidden = false;
      this.button.setAttribute('aria-pressed', 'true');
      motion.show(item, 'original');
      this.follow(motion.video);
      this.set(this.edit);
      this.handles.start.focus();
    } catch (problem) {
      report(problem);
    }
  }

  /**
   * Shows where the video is, and keeps it within the part.
   * @param {HTMLVideoElement} video
   */
  follow(video) {
    const measured = () => {
      if (!Number.isFinite(video.duration) || !this.isOpen) return;
      this.duration = video.duration;
      this.set(this.edit);
      video.currentTime = this.edit.start;
    };
    video.addEventListener('loadedmetadata', measured);
    video.addEventListener('timeupdate', () => {
      const { start, end } = this.edit;
      if (end && !video.paused && video.currentTime >= end) {
        video.pause();
        video.currentTime = start;
      }
      this.place(this.head, video.currentTime);
    });
  }

  close() {
    if (!this.isOpen) return;
    const { item, motion } = this.viewer;
    clearTimeout(this.timer);
    // A key that follows is not for a handle that is hidden.
    if (this.element.contains(document.activeElement)) this.button.focus();
    this.element.hidden = true;
    this.button.setAttribute('aria-pressed', 'false');
    if (item?.flags?.includes('movie')) motion.show(item);
  }

  /** @param {import('./videoEdit.js').VideoEdit} edit */
  set(edit) {
    this.edit = edit;
    const { duration, handles, part } = this;
    const { start, end, isMuted } = edit;
    const last = end || duration;
    this.track.hidden = !duration;
    for (const [side, time] of /** @type {const} */ ([['start', start], ['end', last]])) {
      this.place(handles[side], time);
      handles[side].setAttribute('aria-valuemin', '0');
      handles[side].setAttribute('aria-valuemax', duration.toFixed(3));
      handles[side].setAttribute('aria-valuenow', time.toFixed(3));
      handles[side].setAttribute('aria-valuetext', timeText(time));
    }
    this.place(part, start);
    part.style.setProperty('width', `${duration ? (100 * (last - start)) / duration : 100}%`);
    clearTimeout(this.timer);
    if (!start || start < this.kept?.start) this.kept = null;
    if (start) this.timer = setTimeout(() => this.measure(), askDelay);
    this.showTimes();
    this.mute.checked = isMuted;
    const { video } = this.viewer.motion;
    if (video) video.muted = isMuted;
    this.save.disabled = this.isUnchanged;
  }

  /** Shows the times, and those that Save will keep where they differ. */
  showTimes() {
    const { duration, kept } = this;
    const { start, end } = this.edit;
    const last = end || duration;
    const isLonger = start - (kept?.start ?? start) > 0.05;
    this.lead.hidden = !isLonger;
    if (isLonger) {
      this.place(this.lead, kept.start);
      this.lead.style.setProperty('width', `${(100 * (start - kept.start)) / duration}%`);
    }
    replace(this.times,
      duration && measure(`${timeText(start)} – ${timeText(last)} · ${timeText(last - start)}`),
      isLonger && ` · ${t('video.fromKeyFrame', {
        start: timeText(kept.start), duration: timeText((kept.end ?? last) - kept.start),
      })}`,
      // The index of some containers is read only when they are written.
      start && kept?.start === null
        && ` · ${t('video.keyFrameLater', { start: timeText(start) })}`);
  }

  /** Asks the server for the key frame with which the part will begin. */
  async measure() {
    const { item } = this.viewer;
    const { start, end } = this.edit;
    const times = `start=${start}${end ? `&end=${end}` : ''}`;
    try {
      /** @type {{ start: number | null, end: number | null }} */
      const kept = await get(`${path`/api/assets/${item.id}/trim`}?${times}`);
      const isNewest = this.viewer.item === item && this.isOpen
        && this.edit.start === start && this.edit.end === end;
      if (!isNewest) return;
      this.kept = kept;
      this.showTimes();
    } catch { /* Save reports what is wrong with the times */ }
  }

  get isUnchanged() {
    return JSON.stringify(withVideoEdit(this.stored.graph, this.edit).nodes)
      === JSON.stringify(withVideoEdit(this.stored.graph, videoEdit(this.stored.graph)).nodes);
  }

  /**
   * @param {HTMLElement} element
   * @param {number} time
   */
  place(element, time) {
    const share = this.duration ? Math.max(0, Math.min(1, time / this.duration)) : 0;
    element.style.setProperty('left', `${100 * share}%`);
  }

  /**
   * Moves a time, and shows the frame there.
   * @param {'start' | 'end'} side
   * @param {number} time
   */
  move(side, time) {
    this.set(moved(this.edit, side, time, this.duration));
    const { video } = this.viewer.motion;
    if (!video) return;
    video.pause();
    video.currentTime = side === 'start' ? this.edit.start : this.edit.end || this.duration;
  }

  /** @param {PointerEvent} event */
  timeAt({ clientX }) {
    const box = this.track.getBoundingClientRect();
    return ((clientX - box.left) / box.width) * this.duration;
  }

  /** @param {PointerEvent} event */
  seekTo(event) {
    const { video } = this.viewer.motion;
    if (video) video.currentTime = Math.max(0, Math.min(this.duration, this.timeAt(event)));
  }

  /**
   * @param {PointerEvent} event
   * @param {'start' | 'end'} side
   */
  drag(event, side) {
    event.stopPropagation();
    event.preventDefault();
    const handle = this.handles[side];
    handle.focus();
    handle.setPointerCapture(event.pointerId);
    const controller = new AbortController();
    const options = { signal: controller.signal };
    handle.addEventListener('pointermove', (next) => this.move(side, this.timeAt(next)), options);
    handle.addEventListener('lostpointercapture', () => controller.abort(), options);
  }

  /**
   * @param {KeyboardEvent} event
   * @param {'start' | 'end'} side
   */
  pressed(event, side) {
    const by = event.shiftKey ? longStep : step;
    const time = side === 'start' ? this.edit.start : this.edit.end || this.duration;
    const target = {
      ArrowLeft: time - by, ArrowDown: time - by, ArrowRight: time + by, ArrowUp: time + by,
      Home: 0, End: this.duration,
    }[event.key];
    if (event.key === 'Escape') this.close();
    else if (target !== undefined) this.move(side, target);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Saves the edit in place of the one before, without encoding. */
  async store() {
    const { viewer, stored } = this;
    const { item } = viewer;
    const itemOf = () => item;
    const graph = withVideoEdit(stored.graph, this.edit);
    // A button that is disabled would lose it.
    this.button.focus();
    this.save.disabled = true;
    this.save.textContent = t('saving');
    try {
      const results = graph.nodes.length
        ? await this.replace(item.id, graph)
        : [await this.revert(item.id, stored.revision)];
      const { start, end } = this.edit;
      const expected = (end || this.duration) - start;
      if (viewer.item === item) await viewer.reload(item.id);
      // The part begins at a key frame, which may be long before the start.
      const actual = viewer.item?.id === item.id ? viewer.item.duration : expected;
      reportResults(results, {
        itemOf,
        done: () => (Math.abs(actual - expected) < 0.1
          ? t('done.saved')
          : t('video.savedLonger', { duration: timeText(actual), expected: timeText(expected) })),
        undo: (changed) => undoEdits(changed, itemOf).then(() => viewer.reload(item.id), report),
      });
    } catch (problem) {
      report(problem);
      this.save.disabled = false;
    }
    this.save.textContent = t('save');
  }

  /**
   * @param {string} id
   * @param {Graph} graph
   */
  async replace(id, graph) {
    /** @type {Job<BatchPlan>} */
    const begun = await post(path`/api/batches`, { ids: [id], graph, from: id, mode: 'replace' });
    const { plan, rows } = await finish(begun);
    if (rows[0].obstacle) throw new Problem({ title: rows[0].obstacle });
    /** @type {Job<BatchResult>} */
    const run = await post(path`/api/batches/${plan}/run`, { ids: [id] });
    return (await finish(run)).results;
  }

  /**
   * @param {string} id
   * @param {string} revision
   */
  async revert(id, revision) {
    /** @type {CurrentState} */
    const state = await post(path`/api/assets/${id}/revert`, {}, { ifMatch: revision });
    return { id, outcome: /** @type {const} */ ('applied'), revision: state.revision };
  }
}

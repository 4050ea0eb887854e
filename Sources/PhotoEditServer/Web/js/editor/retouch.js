// SPDX-License-Identifier: Apache-2.0
import { t } from '../language.js';
import { message, report } from '../messages.js';
import { NodeAdjustment } from './localAdjustment.js';
import { Panel } from './panel.js';
import { effectOf, projected } from './projection.js';
import { retouchBar, shareSlider, sizeSlider } from './retouchBar.js';
import { circle, radiusHandle, retouchMarks } from './retouchMarks.js';
import { indexOf, inside, onPupil, placeOf, withSource } from './retouchSearch.js';
import { methods, retouchWords } from './retouchWords.js';
import { Spots } from './spots.js';

/** @typedef {import('./spots.js').Spot & import('./spots.js').Place} Placed */

/** The radii that a disc can have, as fractions of the longer side. */
const limits = { least: 0.001, most: 0.25 };
/** @type {Record<string, { radius: number, modes: string[] }>} */
const kinds = {
  heal: { radius: 0.015, modes: ['heal', 'clone'] }, redEye: { radius: 0.012, modes: [] },
};
/** How far from its center a small disc can be pressed, in points of the screen. */
const reachable = matchMedia('(pointer: coarse)').matches ? 18 : 10;
/** The radii that were set last: the next disc is of the same size. */
const radii = Object.fromEntries(Object.entries(kinds).map(([name, { radius }]) => [name, radius]));

/**
 * The tools that retouch: a click places a spot, whose source is looked for, or a disc on a red
 * pupil. Discs are changed by their handles and by keys. The geometry of the edit stays in effect.
 * @param {import('./editor.js').Editor} editor
 * @param {import('./tools.js').Target} target
 * @returns {Tool}
 */
export function makeTool(editor, target) {
  const { stage, draft, schema } = editor;
  const { adjust } = editor.panels;
  const { name } = target.filter;
  const words = retouchWords[name];
  const isHealing = name === 'heal';
  // A panel of the list has the discs of its own node, with the method of that one.
  const modes = target instanceof Panel ? [] : kinds[name].modes;
  const spots = new Spots(draft, target instanceof Panel
    ? [new NodeAdjustment(target.filter, editor, { selected: target.nodeId })]
    : modes.length
    ? modes.map((mode) => adjust.adjustment(name, { mode }))
    : [adjust.adjustment(name)]);
  let mode = 0;
  let selected = -1;
  /** @type {Point} where Enter places a disc */
  let next = [0.5, 0.5];
  /** @type {Point | null} */
  let pointer = null;
  /** @type {[x: number, y: number] | null} where a click began */
  let pressed = null;
  /** @type {Point | null} where a handle that is dragged is, also outside of the photo */
  let dragged = null;
  /** The nodes of the graph on the screen. */
  let shown = draft.nodes;
  /** @type {ReturnType<typeof drawn>[]} the discs as they are on the screen */
  let marked = [];
  let isEnded = false;
  /** The searches, one after another: a spot can be healed from one that was placed before. */
  let searches = Promise.resolve();

  const marks = retouchMarks(stage, {
    words, select, move,
    begin: () => { dragged = null; draft.beginGesture(); },
    end: () => { dragged = null; draft.endGesture(); layOut(); },
  });
  const bar = retouchBar({
    note: words.note, modes, setMode,
    sliders: [sizeSlider(limits, resize), ...(isHealing
      ? [shareSlider(t('retouch.feather'), t('retouch.featherHelp'), 1, set('feather')),
        shareSlider(t('panel.opacity'), t('retouch.opacityHelp'), 1, setOpacity)]
      : [shareSlider(
        t('retouch.threshold'), t('retouch.thresholdHelp'), 0.8, set('threshold'))])],
    begin: () => draft.beginGesture(), end: () => draft.endGesture(),
    remove: () => removeSelected(), done: () => editor.tools.use(null),
  });
  stage.handles.append(marks.element);
  marks.next.element.addEventListener('focus', () => { select(-1); stage.reveal(next); });
  marks.next.element.addEventListener('blur', () => layOut());
  marks.next.element.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    event.stopPropagation();
    add(next);
  });
  marks.board.addEventListener('pointerdown', press);
  marks.board.addEventListener('pointermove', (event) => aimAt(viewOf(event)));
  marks.board.addEventListener('pointerleave', () => aimAt(null));
  marks.element.addEventListener('wheel', wheel);
  // A photo that is panned takes the pointer from the board.
  stage.element.addEventListener('pointerup', release);
  const forget = () => { pressed = null; };
  stage.addEventListener('pinch', forget);

  /** @param {Placed | import('./spots.js').Place} spot */
  const at = ({ adjustment }) => placeOf(editor, adjustment, shown);
  /** @returns {Placed | null} */
  const current = () => spots.all[selected] ?? null;

  /** @param {number} index */
  function select(index) {
    selected = index;
    const spot = current();
    if (spot) {
      mode = spots.adjustments.indexOf(spot.adjustment);
      radii[name] = spot.radius;
      stage.reveal(projected(at(spot).toView, spot.center));
      bar.note.textContent = words.selected(selected + 1, spots.all.length);
    }
    layOut();
  }

  /**
   * Moves what a handle is for, by fractions of what is shown.
   * @param {'center' | 'source' | 'radius' | 'next'} part
   * @param {number} dx
   * @param {number} dy
   */
  function move(part, dx, dy) {
    const spot = current();
    if (part === 'next') {
      // A key moves by half of the disc.
      const step = Math.max(1, (radii[name] / 2) * Math.max(...stage.full));
      next = inside([next[0] + dx * step, next[1] + dy * step]);
      stage.reveal(next);
      layOut();
    } else if (part === 'radius') {
      if (spot) moveRadius(spot, dx, dy);
    } else if (spot) {
      const { toView, toImage } = at(spot);
      const from = dragged ?? projected(toView, part === 'center' ? spot.center : spot.source);
      /** @type {Point} */
      const to = [from[0] + dx, from[1] + dy];
      if (draft.gesture) dragged = to;
      editor.inputAt = performance.now();
      spots.moveTo(spot, part, inside(projected(toImage, to)));
    }
  }

  /**
   * @param {Placed} spot
   * @param {number} dx
   * @param {number} dy
   */
  function moveRadius(spot, dx, dy) {
    const { direction, radius } = measured(spot);
    // By keys, right and down enlarge it, on whatever side the handle is.
    const along = draft.gesture
      ? dx * stage.size[0] * direction[0] + dy * stage.size[1] * direction[1]
      : (dx * stage.size[0] + dy * stage.size[1]);
    resize(spot.radius * (1 + along / Math.max(1, radius)));
  }

  /**
   * The handle of the radius, and the radius in points of the screen.
   * @param {Placed} spot
   */
  function measured(spot) {
    const place = at(spot);
    /** @param {Point} point */
    const onScreen = (point) => point.map((value, axis) => value * stage.size[axis]);
    const center = onScreen(projected(place.toView, spot.center));
    const rim = onScreen(circle(place, spot.center, spot.radius)[0]);
    const radius = Math.hypot(rim[0] - center[0], rim[1] - center[1]);
    const source = spot.source ? onScreen(projected(place.toView, spot.source)) : null;
    return { radius, ...radiusHandle(center, source, radius) };
  }

  /** @param {number} radius */
  function resize(radius) {
    radii[name] = Math.min(limits.most, Math.max(limits.least, radius));
    const spot = current();
    if (spot) spots.change(spot, { radius: radii[name] });
    layOut();
  }

  /**
   * A function that sets a parameter of all discs.
   * @param {string} parameter
   */
  function set(parameter) {
    return (/** @type {number} */ value, /** @type {number} */ at) =>
      spots.changeNodes(`retouch.${parameter}`, (node) => {
        node.params = { ...node.params, [parameter]: value };
      }, at);
  }

  /**
   * @param {number} value
   * @param {number} at
   */
  function setOpacity(value, at) {
    spots.changeNodes('retouch.opacity', (node) => {
      if (value === 1) delete node.opacity;
      else node.opacity = value;
    }, at);
  }

  /** @param {number} index */
  function setMode(index) {
    const spot = current();
    const other = spots.adjustments[index];
    if (spot && spot.adjustment !== other) {
      if (!spots.hasSpace(other)) { refuse(); return; }
      selected = spots.indexOf(spots.move(spot, other));
    }
    mode = index;
    layOut();
  }

  function refuse() {
    message(words.most(spots.store.most));
    layOut();
  }

  function removeSelected() {
    const spot = current();
    if (!spot) return false;
    const hadFocus = marks.element.contains(document.activeElement);
    selected = -1;
    spots.remove(spot);
    layOut();
    bar.note.textContent = words.removed;
    if (hadFocus) marks.next.element.focus({ preventScroll: true });
    return true;
  }

  /**
   * Adds a disc at a point of what is shown.
   * @param {Point} view
   */
  function add(view) {
    const adjustment = spots.adjustments[mode];
    const { size, toImage } = placeOf(editor, adjustment, shown);
    const center = projected(toImage, view);
    if (center.some((value) => value < 0 || value > 1)) return;
    if (!spots.hasSpace(adjustment)) { refuse(); return; }
    const clicked = { center, radius: radii[name] };
    bar.note.textContent = words.search;
    searches = searches.then(async () => {
      const find = isHealing ? withSource : onPupil;
      const spot = await find(editor, adjustment, clicked, size);
      if (isEnded) return;
      select(spots.indexOf(spots.add(adjustment, spot)));
      marks.centers[selected]?.element.focus({ preventScroll: true });
    }).catch(report);
  }

  /**
   * The point of what is shown at which a pointer is.
   * @param {MouseEvent} event
   * @returns {Point}
   */
  function viewOf(event) {
    const box = marks.element.getBoundingClientRect();
    return [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
  }

  /**
   * What a pointer takes at a point: the nearest disc, or the source of the selected one.
   * @param {Point} view
   * @returns {{ part: 'center' | 'source', index: number } | null}
   */
  function hit(view) {
    /** @param {Point} [point] */
    const away = (point) => (point ? Math.hypot(
      (point[0] - view[0]) * stage.size[0], (point[1] - view[1]) * stage.size[1]) : Infinity);
    return marked.flatMap((spot, index) => {
      const reach = Math.max(reachable, spot.radius);
      const own = { part: /** @type {const} */ ('center'), index, distance: away(spot.view) };
      const source = { part: /** @type {const} */ ('source'), index, distance: away(spot.source) };
      return [own, ...(index === selected ? [source] : [])].filter(({ distance }) =>
        distance <= reach);
    }).sort((one, other) => one.distance - other.distance)[0] ?? null;
  }

  /** @param {PointerEvent} event */
  function press(event) {
    if (event.button) return;
    const found = hit(viewOf(event));
    if (!found) pressed = [event.clientX, event.clientY];
    else (found.part === 'source' ? marks.source : marks.centers[found.index]).press(event);
  }

  /** @param {PointerEvent} event */
  function release(event) {
    const isClick = pressed
      && Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) < 6;
    pressed = null;
    if (isClick) add(viewOf(event));
  }

  /** @param {WheelEvent} event */
  function wheel(event) {
    const found = event.ctrlKey ? null : hit(viewOf(event));
    if (!found) return;
    event.preventDefault();
    event.stopPropagation();
    if (found.index !== selected) select(found.index);
    resize(current().radius * Math.exp(-event.deltaY * 0.0015));
  }

  /** @param {Point | null} view */
  function aimAt(view) {
    pointer = view;
    showAim();
  }

  function showAim() {
    const view = pointer ?? (document.activeElement === marks.next.element ? next : null);
    const isOver = pointer !== null && hit(pointer) !== null;
    marks.board.dataset.over = String(isOver);
    if (!view || isOver) { marks.showAim(null); return; }
    const place = placeOf(editor, spots.adjustments[mode], shown);
    marks.showAim(circle(place, projected(place.toImage, view), radii[name]));
  }

  /** @param {Placed} spot */
  function drawn(spot) {
    const { adjustment, center, radius, source } = spot;
    const place = at(spot);
    /** @param {Point} point */
    const pixels = (point) => point.map((value, axis) => Math.round(value * place.size[axis]));
    const reach = Math.max(1, Math.round(radius * Math.max(...place.size)));
    const position = `${pixels(center).join(', ')} px`;
    const text = isHealing
      ? t('retouch.spotAt', {
        method: methods[String(adjustment.value('mode'))], position, radius: reach,
      })
      : t('retouch.pupilAt', { position, radius: reach });
    return {
      view: projected(place.toView, center), circle: circle(place, center, radius),
      radius: measured(spot).radius, text, reach,
      ...(source && {
        source: projected(place.toView, source), sourceCircle: circle(place, source, radius),
        sourceText: `${pixels(source).join(', ')} px`,
      }),
    };
  }

  function layOut() {
    if (!stage.size || isEnded) return;
    if (selected >= spots.all.length) selected = -1;
    marked = spots.all.map(drawn);
    marks.show(marked, selected);
    marks.next.put(...next, `${next.map((value, axis) =>
      Math.round(value * stage.full[axis])).join(', ')} px`);
    const [spot, own] = [current(), marked[selected]];
    if (spot) {
      if (own.source) marks.source.put(...own.source, own.sourceText);
      const [x, y] = measured(spot).point;
      marks.radius.put(
        x / stage.size[0], y / stage.size[1], `${own.reach} px`, own.reach);
    }
    const owner = spots.adjustments.find(({ node }) => node);
    const common = isHealing
      ? [Number(owner?.value('feather')), owner?.node.opacity ?? 1]
      : [Number(owner?.value('threshold'))];
    bar.show({
      mode, hasSelection: spot !== null,
      values: [radii[name], ...common.map((value) => (owner ? value : null))],
    });
    showAim();
  }

  return {
    bar: bar.element,
    focus: marks.next.element,
    graph(graph) {
      const first = Math.min(...spots.adjustments.map((adjustment) =>
        indexOf(draft, adjustment, graph.nodes)));
      return {
        ...graph,
        nodes: graph.nodes.map((node, order) => {
          if (schema.filter(node.filter)?.family !== 'geometry') return node;
          // Discs are where they are seen: what moves points in an unknown way is left out.
          const isLeftOut = order >= first && !effectOf(node, [1, 1]);
          // The geometry of what is painted stays known while that of the draft changes.
          return { ...structuredClone(node), ...(isLeftOut && { enabled: false }) };
        }),
      };
    },
    layOut,
    painted(graph) { shown = graph.nodes; layOut(); },
    press(key) {
      if (key === 'Delete') return removeSelected();
      if (key !== '[' && key !== ']') return false;
      resize((current()?.radius ?? radii[name]) * (key === '[' ? 1 / 1.15 : 1.15));
      return true;
    },
    stop() {
      isEnded = true;
      stage.element.removeEventListener('pointerup', release);
      stage.removeEventListener('pinch', forget);
    },
  };
}

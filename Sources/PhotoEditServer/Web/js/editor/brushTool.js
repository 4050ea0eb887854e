// SPDX-License-Identifier: Apache-2.0
import { button } from '../dom.js';
import { keysText, t } from '../language.js';
import { message } from '../messages.js';
import { most, Painting, pointCount, radii } from './brush.js';
import { brushBar } from './brushBar.js';
import { brushMarks } from './brushMarks.js';
import { withCoverage } from './coverage.js';
import { NodeAdjustment } from './localAdjustment.js';
import { effectOf, projected } from './projection.js';
import { inside, placeOf } from './retouchSearch.js';
import { paintedOf, strokesText, unpainted } from './strokes.js';

/** What the next stroke is painted with, of any mask. */
const brush = { radius: 0.05, hardness: 0.5, flow: 1 };
/** How far a finger moves before it paints: a second finger may follow, to zoom. */
const slack = 8;
/** For how many milliseconds a second finger takes back what the first one has painted. */
const pinchTime = 500;

/**
 * The tool that paints a mask on the photo, whose geometry stays in effect.
 * @param {import('./editor.js').Editor} editor
 * @param {import('./tools.js').Target} target
 * @returns {Tool}
 */
export function makeTool(editor, target) {
  const { stage, draft, schema } = editor;
  const mask = new NodeAdjustment(target.filter, editor, { selected: target.nodeId });
  let isShown = false;
  let mode = 0;
  let isAltPressed = false;
  /** @type {Point} where keys paint */
  let next = [0.5, 0.5];
  let isByKeys = false;
  /** @type {Point | null} */
  let pointer = null;
  /**
   * @type {{
   *   stroke: Painting, before: Stroke[], by: number | 'keys', since: number,
   *   start: [x: number, y: number] | null, frame?: number,
   * } | null}
   */
  let painting = null;
  /** @type {{ isUsed: boolean } | null} the pressed Space key, and whether it has done something */
  let held = null;
  /** The nodes of the graph on the screen. */
  let shown = draft.nodes;
  if (stage.zoom && stage.full) {
    const { x, y, w, h } = stage.visible();
    next = [x + w / 2, y + h / 2];
  }
  /** @type {Point[]} what is painted and not on the screen yet */
  let trace = [];
  /** The end of the trace when strokes were stored. @type {WeakMap<Stroke[], Point>} */
  const traced = new WeakMap();
  /** @type {Point | undefined} the end of what is on the screen */
  let seen;

  const show = button(t('mask.show'), () => tool.toggleMask(), {
    kind: 'plain small', 'aria-pressed': 'false', 'aria-keyshortcuts': 'o m',
    title: t('withKeys', { text: t('mask.show'), keys: keysText('o') }),
  });
  const marks = brushMarks(stage, move);
  const bar = brushBar({
    set, clear, show, done: () => editor.tools.use(null),
    setMode: (index) => { mode = index; layOut(); },
  });
  stage.handles.append(marks.element);
  const { board, cursor: { element: cursor } } = marks;
  board.addEventListener('pointerdown', press);
  board.addEventListener('pointermove', follow);
  board.addEventListener('lostpointercapture', ({ pointerId }) => {
    if (painting?.by === pointerId) end();
  });
  board.addEventListener('pointerleave', () => { pointer = null; showAim(); });
  cursor.addEventListener('keydown', pressKey);
  cursor.addEventListener('keyup', ({ key }) => { if (key === ' ') releaseSpace(); });
  cursor.addEventListener('focus', () => {
    isByKeys = cursor.matches(':focus-visible');
    stage.reveal(next);
    showAim();
  });
  cursor.addEventListener('blur', () => {
    hold(null);
    if (painting?.by === 'keys') end();
    showAim();
  });
  stage.addEventListener('pinch', pinch);
  document.addEventListener('keydown', alt);
  document.addEventListener('keyup', alt);

  const strokes = () => paintedOf(mask.value('strokes'));
  const place = () => placeOf(editor, mask, shown);
  const isErasing = () => (mode === 1) !== isAltPressed;

  /** @param {Partial<typeof brush>} values */
  function set({ radius = brush.radius, hardness = brush.hardness, flow = brush.flow }) {
    brush.radius = Math.min(radii.most, Math.max(radii.least, radius));
    brush.hardness = Math.round(100 * Math.min(1, Math.max(0, hardness))) / 100;
    // A stroke without flow is none.
    brush.flow = Math.max(0.01, flow);
    layOut();
  }

  /** @param {Stroke[]} value */
  function store(value) {
    if (!mask.node) return;
    editor.inputAt = performance.now();
    draft.setValue(target.nodeId, 'strokes', value);
  }

  /** Removes all strokes, in a step of its own. */
  function clear() {
    draft.beginGesture();
    store(unpainted());
    draft.endGesture();
  }

  /**
   * Begins a stroke at a point of what is shown.
   * @param {number | 'keys'} by the pointer
   * @param {Point} view
   * @param {{ pressure?: number, start?: [x: number, y: number] | null }} options
   */
  function begin(by, view, { pressure, start = null } = {}) {
    const before = strokes();
    const space = most.points - pointCount(before);
    if (!mask.node) return;
    if (before.length >= most.strokes || space < 1) { refuse(); return; }
    const stroke = new Painting({ ...brush, erase: isErasing() }, place().size, space);
    trace = [];
    draft.beginGesture();
    painting = { stroke, before, by, since: performance.now(), start };
    extend(view, pressure);
  }

  /**
   * @param {Point} view
   * @param {number} [pressure]
   */
  function extend(view, pressure) {
    if (!painting.stroke.add(projected(place().toImage, view), pressure)) {
      end();
      refuse();
      return;
    }
    trace.push(view);
    if (!painting.start) painting.frame ??= requestAnimationFrame(write);
  }

  function refuse() {
    message(t('brush.most', { count: most.strokes, points: most.points }));
  }

  /** Shows and stores what is painted so far, once in a frame. */
  function write() {
    painting.frame = undefined;
    showTrace();
    keep(painting.stroke.stroke);
  }

  /** @param {Stroke} stroke */
  function keep(stroke) {
    const all = [...painting.before, stroke];
    traced.set(all, trace.at(-1));
    store(all);
  }

  function end() {
    cancelAnimationFrame(painting.frame);
    keep(painting.stroke.finished());
    painting = null;
    if (trace.at(-1) === seen) trace = [];
    draft.endGesture();
    layOut();
  }

  function cancel() {
    cancelAnimationFrame(painting.frame);
    painting = null;
    trace = [];
    draft.cancelGesture();
    layOut();
  }

  /** Two fingers zoom; the first one did not mean to paint. */
  function pinch() {
    if (typeof painting?.by !== 'number') return;
    if (performance.now() - painting.since < pinchTime) cancel();
    else end();
  }

  /**
   * The point of what is shown at which a pointer is.
   * @param {MouseEvent} event
   * @returns {Point}
   */
  function viewOf({ clientX, clientY }) {
    const box = marks.element.getBoundingClientRect();
    return [(clientX - box.left) / box.width, (clientY - box.top) / box.height];
  }

  /** @param {PointerEvent} event */
  const pressureOf = ({ pointerType, pressure }) => (pointerType === 'pen' ? pressure : 1);

  /** @param {PointerEvent} event */
  function press(event) {
    // With Space, the photo is moved.
    if (held) { held.isUsed = true; return; }
    if (event.button || painting || stage.fingers.size) return;
    event.preventDefault();
    isAltPressed = event.altKey;
    pointer = viewOf(event);
    next = inside(pointer);
    cursor.focus({ preventScroll: true });
    isByKeys = false;
    board.setPointerCapture(event.pointerId);
    begin(event.pointerId, pointer, {
      pressure: pressureOf(event),
      start: event.pointerType === 'touch' ? [event.clientX, event.clientY] : null,
    });
    showAim();
  }

  /** @param {PointerEvent} event */
  function follow(event) {
    if (painting && painting.by !== event.pointerId) return;
    pointer = viewOf(event);
    isByKeys = false;
    if (!painting && event.altKey !== isAltPressed) {
      isAltPressed = event.altKey;
      layOut();
    }
    if (painting) {
      const { start } = painting;
      if (start && Math.hypot(event.clientX - start[0], event.clientY - start[1]) > slack) {
        painting.start = null;
      }
      const events = event.getCoalescedEvents?.() ?? [];
      for (const part of events.length ? events : [event]) {
        if (!painting) break;
        extend(viewOf(part), pressureOf(part));
      }
      next = inside(pointer);
    }
    showAim();
  }

  /** @param {KeyboardEvent} event */
  function alt(event) {
    if (event.key !== 'Alt') return;
    // The key would open a menu of the browser.
    event.preventDefault();
    isAltPressed = event.type === 'keydown';
    layOut();
  }

  /**
   * Moves the brush by keys, by half of its radius; with Space, or after Enter, it paints.
   * @param {number} dx
   * @param {number} dy
   */
  function move(dx, dy) {
    if (typeof painting?.by === 'number') return;
    pointer = null;
    isByKeys = true;
    if (held && !painting) begin('keys', next);
    const step = Math.max(1, (brush.radius / 2) * Math.max(...stage.full));
    next = inside([next[0] + dx * step, next[1] + dy * step]);
    stage.reveal(next);
    if (painting) extend(next);
    if (held) held.isUsed = true;
    layOut();
  }

  /** @param {KeyboardEvent} event */
  function pressKey(event) {
    if ((event.key !== ' ' && event.key !== 'Enter') || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.repeat || typeof painting?.by === 'number') return;
    if (event.key === ' ') hold({ isUsed: false });
    else if (painting) end();
    else begin('keys', next);
    layOut();
  }

  /** @param {typeof held} value */
  function hold(value) {
    held = value;
    board.dataset.paints = String(!held);
  }

  function releaseSpace() {
    if (!held) return;
    if (!held.isUsed && !painting) begin('keys', next);
    hold(null);
    if (painting?.by === 'keys') end();
    layOut();
  }

  function showAim() {
    // A slider shows what it changes.
    marks.element.dataset.keys = String(isByKeys);
    const isUsed = (isByKeys && document.activeElement === cursor)
      || bar.element.contains(document.activeElement);
    const view = pointer ?? (isUsed ? next : null);
    marks.showAim(view, place(), brush, painting
      ? painting.stroke.brush.erase === true
      : isErasing());
  }

  function showTrace() {
    const used = painting?.stroke;
    const pressure = used?.fresh.at(-1)?.[2] ?? 1;
    const last = used?.brush ?? strokes().at(-1) ?? brush;
    marks.showTrace(trace, place(), { ...last, radius: last.radius * pressure });
  }

  function layOut() {
    if (!stage.size) return;
    const count = strokes().length;
    const [x, y] = next.map((value, axis) => Math.round(value * stage.full[axis]));
    marks.cursor.put(...next, t('retouch.spotAt', {
      method: t(isErasing() ? 'brush.erase' : 'brush.paint'), position: `${x}, ${y} px`,
      radius: Math.max(1, Math.round(brush.radius * Math.max(...place().size))),
    }));
    bar.show({
      mode: isErasing() ? 1 : 0, hasSelection: count > 0,
      values: [brush.radius, 1 - brush.hardness, brush.flow],
    });
    const text = painting?.by === 'keys'
      ? t('brush.painting')
      : count ? strokesText(strokes()) : t('brush.help');
    if (bar.note.textContent !== text) bar.note.textContent = text;
    showAim();
    showTrace();
  }

  /** @type {Tool} */
  const tool = {
    bar: bar.element,
    focus: cursor,
    graph(graph) {
      /** @param {GraphNode} node */
      const isGeometry = (node) => schema.filter(node.filter)?.family === 'geometry';
      const own = graph.nodes.findIndex((node) => node.id === target.nodeId);
      const plain = {
        ...graph,
        nodes: graph.nodes.map((node, order) => {
          // Strokes are where they are seen: what moves points in an unknown way is left out.
          const isLeftOut = isGeometry(node) && order > own && !effectOf(node, [1, 1]);
          // What is painted stays known while the draft changes.
          return { ...node, ...(isLeftOut && { enabled: false }) };
        }),
      };
      return isShown
        ? withCoverage(plain, target.nodeId, (node) => isGeometry(node) && !node.in)
        : plain;
    },
    layOut,
    addsToPhoto: () => isShown,
    painted(graph) {
      shown = graph.nodes;
      const value = /** @type {Stroke[] | undefined} */ (
        shown.find((node) => node.id === target.nodeId)?.params?.strokes);
      seen = traced.get(value);
      const end = seen || painting ? trace.indexOf(seen) : Infinity;
      // The rest of a stroke continues from the end of what is on the screen.
      if (end >= 0) trace = trace.slice(painting ? end : end + 1);
      layOut();
    },
    press(key) {
      /** @type {Record<string, () => void>} */
      const actions = {
        '[': () => set({ radius: brush.radius / 1.15 }),
        ']': () => set({ radius: brush.radius * 1.15 }),
        '{': () => set({ hardness: brush.hardness - 0.1 }),
        '}': () => set({ hardness: brush.hardness + 0.1 }),
        x: () => { mode = 1 - mode; layOut(); },
        ...(painting && { Esc: cancel }),
      };
      actions[key]?.();
      return key in actions;
    },
    toggleMask() {
      isShown = !isShown;
      show.setAttribute('aria-pressed', String(isShown));
      editor.rendering.scheduler.still();
    },
    stop() {
      if (painting) end();
      stage.removeEventListener('pinch', pinch);
      document.removeEventListener('keydown', alt);
      document.removeEventListener('keyup', alt);
    },
  };
  return tool;
}

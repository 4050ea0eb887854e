// SPDX-License-Identifier: Apache-2.0
import { canonical } from './schema.js';

const empty = { format: 'org.photoedit.filter-graph', version: '1.0', nodes: [] };

/** The graph that is being edited, with its own undo steps, grouped by gesture. */
export class Draft extends EventTarget {
  constructor(schema, saved) {
    super();
    this.schema = schema;
    this.reset(saved);
  }

  /** Begins from a saved graph, or from a stored draft of it. */
  reset(saved, draft = null) {
    this.saved = normalized(saved);
    this.graph = draft ? normalized(draft) : structuredClone(this.saved);
    this.undoSteps = [];
    this.redoSteps = [];
    this.gesture = null;
    this.changed('reset');
  }

  get nodes() { return this.graph.nodes; }
  get isChanged() { return canonical(content(this.graph)) !== canonical(content(this.saved)); }
  node(id) { return this.nodes.find((node) => node.id === id); }
  savedNode(id) { return this.saved.nodes.find((node) => node.id === id); }

  /** The number of parameters and nodes that differ from the saved graph. */
  get changeCount() {
    let count = 0;
    const ids = new Set([...this.nodes, ...this.saved.nodes].map((node) => node.id));
    for (const id of ids) {
      const [now, before] = [this.node(id), this.savedNode(id)];
      if (!now || !before || now.filter !== before.filter) { count += 1; continue; }
      for (const key of Object.keys({ ...now.params, ...before.params })) {
        if (canonical(now.params?.[key]) !== canonical(before.params?.[key])) count += 1;
      }
      for (const key of ['enabled', 'opacity', 'mask', 'blend', 'in']) {
        if (canonical(now[key]) !== canonical(before[key])) count += 1;
      }
    }
    if (!count && this.isChanged) count = 1;
    return count;
  }

  /** Groups the changes until `endGesture` into one undo step. */
  beginGesture() { this.gesture ??= { before: null }; }

  endGesture() {
    const before = this.gesture?.before;
    this.gesture = null;
    if (before) this.changed('gesture');
  }

  /** Applies a change; changes with the same key in quick succession are one undo step. */
  change(mutate, { key = null, kind = 'structure' } = {}) {
    const before = structuredClone(this.graph);
    mutate(this.graph);
    if (canonical(before) === canonical(this.graph)) return;
    const now = performance.now();
    const joins = this.gesture
      ? this.gesture.before !== null
      : key !== null && key === this.lastKey && now - this.lastTime < 900
        && this.undoSteps.length > 0;
    if (!joins) {
      this.undoSteps.push(before);
      if (this.undoSteps.length > 200) this.undoSteps.shift();
      if (this.gesture) this.gesture.before = before;
    }
    this.redoSteps = [];
    [this.lastKey, this.lastTime] = [key, now];
    this.changed(kind);
  }

  changed(kind) { this.dispatchEvent(new CustomEvent('change', { detail: { kind } })); }

  undo() { this.step(this.undoSteps, this.redoSteps); }
  redo() { this.step(this.redoSteps, this.undoSteps); }

  step(from, to) {
    if (!from.length) return;
    to.push(this.graph);
    this.graph = from.pop();
    this.lastKey = null;
    this.changed('structure');
  }

  setValue(id, name, value) { this.setValues(id, { [name]: value }); }

  /** Sets parameters of a node in one step. */
  setValues(id, values) {
    this.change((graph) => {
      const node = graph.nodes.find((item) => item.id === id);
      node.params = { ...node.params, ...values };
    }, { key: `${id}.${Object.keys(values).join()}`, kind: 'value' });
  }

  /** Sets a property of a node, such as its opacity; undefined removes it. */
  setProperty(id, name, value) {
    this.change((graph) => {
      const node = graph.nodes.find((item) => item.id === id);
      if (value === undefined) delete node[name];
      else node[name] = value;
    }, { key: `${id}:${name}`, kind: name === 'opacity' ? 'value' : 'structure' });
  }

  /** Adds a node at the end and returns its identifier. */
  add(filter, params, { before = null, ...more } = {}) {
    const id = this.freeName();
    this.change((graph) => {
      const node = { id, filter: filter.name, v: filter.version, params, ...more };
      const index = before
        ? graph.nodes.findIndex((item) => item.id === before)
        : graph.nodes.length;
      graph.nodes.splice(index, 0, node);
    });
    return id;
  }

  /**
   * Adds a filter that may read other inputs than the preceding image: two images, or masks. A
   * filter that needs a file is switched off until it has one.
   */
  addWithInputs(filter, params) {
    const needed = { mask: 1, twoMasks: 2 }[filter.inputs] ?? 0;
    this.beginGesture();
    const isMask = (node) => this.schema.isMask(node.filter);
    const masks = this.nodes.filter(isMask).map((node) => node.id);
    while (masks.length < needed) {
      const linear = this.schema.filter('mask.linear');
      masks.push(this.add(linear, this.schema.values(linear), { in: [] }));
    }
    const inputs = {
      none: [], mask: masks.slice(-1), twoMasks: masks.slice(-2),
      twoPictures: ['source', this.previousImage(this.graph, this.nodes.length)],
    }[filter.inputs];
    const needsFile = filter.parameters.some((parameter) => parameter.type === 'asset');
    const id = this.add(
      filter, params, { ...(inputs && { in: inputs }), ...(needsFile && { enabled: false }) });
    this.endGesture();
    return id;
  }

  freeName() {
    const taken = new Set([...this.nodes, ...this.saved.nodes].map((node) => node.id));
    for (let number = 1; ; number += 1) if (!taken.has(`n${number}`)) return `n${number}`;
  }

  /** Removes a node; nodes that read it read its input instead. */
  remove(id) {
    this.change((graph) => {
      const index = graph.nodes.findIndex((node) => node.id === id);
      const [removed] = graph.nodes.splice(index, 1);
      const isMask = this.schema.isMask(removed.filter);
      const input = removed.in?.[0] ?? this.previousImage(graph, index);
      for (const node of graph.nodes) {
        if (node.mask === id) delete node.mask;
        if (isMask || !node.in?.includes(id)) continue;
        node.in = node.in.map((name) => (name === id ? input : name));
      }
      this.dropUnreadMasks(graph, removed.mask);
    });
  }

  dropUnreadMasks(graph, id) {
    if (!id || graph.nodes.some((node) => node.mask === id || node.in?.includes(id))) return;
    graph.nodes = graph.nodes.filter((node) => node.id !== id);
  }

  previousImage(graph, index) {
    const image = graph.nodes.slice(0, index).findLast((node) => !this.schema.isMask(node.filter));
    return image?.id ?? 'source';
  }

  /** Indicates whether a node can trade its position with its neighbor. */
  canMove(id, step) {
    const index = this.nodes.findIndex((node) => node.id === id);
    const other = this.nodes[index + step];
    const own = this.nodes[index];
    return Boolean(own && other)
      && ![own, other].some((node) => node.in || this.schema.isMask(node.filter)
        || this.nodes.some((reader) => reader.in?.includes(node.id)));
  }

  move(id, step) {
    if (!this.canMove(id, step)) return false;
    this.change((graph) => {
      const index = graph.nodes.findIndex((node) => node.id === id);
      const [node] = graph.nodes.splice(index, 1);
      graph.nodes.splice(index + step, 0, node);
    });
    return true;
  }

  /** Adds a mask of a kind before a node, or removes the mask of the node. */
  setMask(id, filterName) {
    const filter = filterName ? this.schema.filter(filterName) : null;
    const name = this.freeName();
    this.change((graph) => {
      const node = graph.nodes.find((item) => item.id === id);
      const old = node.mask;
      delete node.mask;
      if (old) this.dropUnreadMasks(graph, old);
      if (!filter) return;
      const index = graph.nodes.indexOf(node);
      const inputs = filter.inputs === 'none' ? [] : [this.previousImage(graph, index)];
      graph.nodes.splice(index, 0, {
        id: name, filter: filter.name, v: filter.version, params: this.schema.values(filter),
        in: inputs,
      });
      node.mask = name;
    });
  }
}

/** What is compared and stored: not the derived fields. */
function content({ nodes, output }) {
  return { nodes, output };
}

function normalized(graph) {
  const { requires, source, ...kept } = structuredClone(graph ?? {});
  return { ...empty, ...kept, nodes: kept.nodes ?? [] };
}

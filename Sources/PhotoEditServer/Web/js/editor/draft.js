// SPDX-License-Identifier: Apache-2.0
import { placeIn } from './adjustTable.js';
import { changeCount, filterCount } from './changeCount.js';
import { canonical, needsFile } from './schema.js';

/** @type {Graph} */
const empty = { format: 'org.photoedit.filter-graph', version: '1.0', nodes: [] };

/** The graph that is being edited, with its own undo steps, grouped by gesture. */
export class Draft extends EventTarget {
  /**
   * @param {import('./schema.js').Schema} schema
   * @param {Graph | null} saved
   */
  constructor(schema, saved) {
    super();
    this.schema = schema;
    /** @type {string | null} */
    this.lastKey = null;
    this.lastTime = 0;
    this.reset(saved);
  }

  /**
   * Begins from a saved graph, or from a stored draft of it.
   * @param {Graph | null} saved
   * @param {Graph | null} [draft]
   */
  reset(saved, draft = null) {
    this.saved = normalized(saved);
    /** @type {Graph} */
    this.graph = draft ? normalized(draft) : structuredClone(this.saved);
    /** @type {Graph[]} */
    this.undoSteps = [];
    /** @type {Graph[]} */
    this.redoSteps = [];
    /** @type {{ before: Graph | null } | null} the graph before the first change of a gesture */
    this.gesture = null;
    this.changed('reset');
  }

  /**
   * Compares the draft with another saved graph from now on.
   * @param {Graph | null} saved
   */
  rebase(saved) {
    this.saved = normalized(saved);
    this.changed('structure');
  }

  get nodes() { return this.graph.nodes; }
  get isChanged() { return canonical(content(this.effective)) !== canonical(content(this.saved)); }

  /**
   * The graph that is stored: without the filters that were set back to values without effect. They
   * keep their place in the draft.
   * @returns {Graph}
   */
  get effective() {
    const read = new Set(this.nodes.flatMap((node) => [...(node.in ?? []), node.mask]));
    /** @param {GraphNode} node */
    const isKept = (node) => !this.schema.hasNoEffect(node) || read.has(node.id)
      || canonical(node) === canonical(this.savedNode(node.id));
    return { ...this.graph, nodes: this.nodes.filter(isKept) };
  }

  /** @param {string} id */
  node(id) { return this.nodes.find((node) => node.id === id); }

  /** @param {string} id */
  savedNode(id) { return this.saved.nodes.find((node) => node.id === id); }

  /** The number of filters of the saved graph, each with its masks. */
  get savedCount() { return filterCount(this.saved.nodes); }

  /** The number of parameters and filters that differ from the saved graph. */
  get changeCount() {
    return changeCount(this.effective.nodes, this.saved.nodes) || Number(this.isChanged);
  }

  /** Groups the changes until `endGesture` into one undo step. */
  beginGesture() { this.gesture ??= { before: null }; }

  endGesture() {
    const before = this.gesture?.before;
    this.gesture = null;
    if (before) this.changed('gesture');
  }

  /** Takes back the changes of a gesture, and its undo step. */
  cancelGesture() {
    const isChanged = this.gesture?.before;
    this.gesture = null;
    if (isChanged) [this.graph, this.lastKey] = [this.undoSteps.pop(), null];
    if (isChanged) this.changed('structure');
  }

  /**
   * Applies a change; changes with the same key in quick succession are one undo step.
   * @param {(graph: Graph) => void} mutate
   * @param {{ key?: string | null, kind?: string }} options
   */
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

  /** @param {string} kind */
  changed(kind) { this.dispatchEvent(new CustomEvent('change', { detail: { kind } })); }

  undo() { this.step(this.undoSteps, this.redoSteps); }
  redo() { this.step(this.redoSteps, this.undoSteps); }

  /**
   * Goes back to an earlier graph: by undo if nothing has changed since, else by another step.
   * @param {Graph} earlier
   */
  restore(earlier) {
    if (canonical(this.undoSteps.at(-1)) === canonical(earlier)) { this.undo(); return; }
    this.change((graph) => { Object.assign(graph, structuredClone(earlier)); });
  }

  /**
   * @param {Graph[]} from
   * @param {Graph[]} to
   */
  step(from, to) {
    if (!from.length) return;
    to.push(this.graph);
    this.graph = from.pop();
    this.lastKey = null;
    this.changed('structure');
  }

  /**
   * @param {string} id
   * @param {string} name
   * @param {Value} value
   */
  setValue(id, name, value) { this.setValues(id, { [name]: value }); }

  /**
   * Sets parameters of a node in one step.
   * @param {string} id
   * @param {Record<string, Value>} values
   */
  setValues(id, values) {
    this.change((graph) => {
      const node = graph.nodes.find((item) => item.id === id);
      node.params = { ...node.params, ...values };
    }, { key: `${id}.${Object.keys(values).join()}`, kind: 'value' });
  }

  /**
   * Sets a property of a node, such as its opacity; undefined removes it.
   * @template {keyof GraphNode} Name
   * @param {string} id
   * @param {Name} name
   * @param {GraphNode[Name] | undefined} value
   */
  setProperty(id, name, value) {
    this.change((graph) => {
      const node = graph.nodes.find((item) => item.id === id);
      if (value === undefined) delete node[name];
      else node[name] = value;
    }, { key: `${id}:${name}`, kind: name === 'opacity' ? 'value' : 'structure' });
  }

  /**
   * Adds a node at the end and returns its identifier.
   * @param {Filter} filter
   * @param {Record<string, Value>} params
   * @param {Partial<GraphNode> & { before?: string | null }} more
   */
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
   * The node before which a new one of a filter belongs; null is the end.
   * @param {{ name: string }} filter
   */
  placeOf({ name }) { return placeIn(this.nodes, name); }

  /**
   * Adds a filter that may read other inputs than the preceding image: two images, or masks. A
   * filter that needs a file is switched off until it has one.
   * @param {Filter} filter
   * @param {Record<string, Value>} params
   */
  addWithInputs(filter, params) {
    /** @type {Partial<Record<Filter['inputs'], number>>} */
    const counts = { mask: 1, twoMasks: 2, masks: 2 };
    const needed = counts[filter.inputs] ?? 0;
    this.beginGesture();
    const masks = this.nodes.filter((node) => this.isMask(node)).map((node) => node.id);
    while (masks.length < needed) {
      const linear = this.schema.filter('mask.linear');
      masks.push(this.add(linear, this.schema.values(linear), { in: [] }));
    }
    // What is blended with the photo has its size.
    const sized = this.nodes.findLast((node) =>
      this.schema.filter(node.filter)?.family === 'geometry');
    /** @type {Partial<Record<Filter['inputs'], string[]>>} */
    const read = {
      none: [], 'optionalPicture': [], mask: masks.slice(-1), twoMasks: masks.slice(-2),
      masks: masks.slice(-16),
      twoPictures: [sized?.id ?? 'source', this.previousImage(this.graph, this.nodes.length)],
    };
    const inputs = read[filter.inputs];
    const isGroup = filter.inputs === 'masks';
    const waits = filter.parameters.some(needsFile);
    const id = this.add(
      filter, { ...params, ...(isGroup && { members: inputs.map(() => ({ op: 'add' })) }) },
      { ...(inputs && { in: inputs }), ...(waits && { enabled: false }) });
    this.endGesture();
    return id;
  }

  /** @param {GraphNode} node */
  isMask(node) { return this.schema.isMask(node.filter); }

  /** The last node that reads a mask, by the mask: a filter that it limits, or another mask. */
  get readers() {
    const masks = new Set(this.nodes.filter((node) => this.isMask(node)).map((node) => node.id));
    return new Map(this.nodes.flatMap((node) => [...node.in ?? [], node.mask]
      .filter((id) => masks.has(id)).map((id) => [id, node.id])));
  }

  freeName() {
    const taken = new Set([...this.nodes, ...this.saved.nodes].map((node) => node.id));
    for (let number = 1; ; number += 1) if (!taken.has(`n${number}`)) return `n${number}`;
  }

  /**
   * Removes a node; nodes that read it read its input instead.
   * @param {string} id
   */
  remove(id) {
    this.change((graph) => {
      const index = graph.nodes.findIndex((node) => node.id === id);
      const removed = graph.nodes[index];
      if (this.isMask(removed)) {
        this.replaceMask(graph, id, undefined);
      } else {
        graph.nodes.splice(index, 1);
        this.replaceInput(graph, id, removed.in?.[0] ?? this.previousImage(graph, index));
      }
      this.dropUnreadMasks(graph, removed.mask);
    });
  }

  /**
   * Removes a mask; its readers get another one. Without another one, nodes lose their mask, of two
   * masks that are combined, the other one stays, and a group keeps its other masks.
   * @param {Graph} graph
   * @param {string} id
   * @param {string | undefined} other
   */
  replaceMask(graph, id, other) {
    graph.nodes = graph.nodes.filter((node) => node.id !== id);
    for (const node of graph.nodes) {
      if (node.mask !== id) continue;
      if (other) node.mask = other;
      else delete node.mask;
    }
    if (other) {
      this.replaceInput(graph, id, other);
    } else {
      const ids = new Set(graph.nodes.map((node) => node.id));
      for (const reader of graph.nodes.filter((node) => node.in?.includes(id))) {
        if (this.leaveGroup(reader, id)) continue;
        this.replaceMask(graph, reader.id, reader.in.find((name) => ids.has(name)));
      }
    }
  }

  /**
   * Takes a mask out of a group with its members; false for other nodes, and for its only mask.
   * @param {GraphNode} node
   * @param {string} id
   */
  leaveGroup(node, id) {
    const isKept = node.in.map((name) => name !== id);
    if (this.schema.filter(node.filter)?.inputs !== 'masks' || !isKept.includes(true)) return false;
    node.in = node.in.filter((_, index) => isKept[index]);
    const members = /** @type {Member[]} */ (node.params?.members ?? []);
    node.params = { ...node.params, members: members.filter((_, index) => isKept[index]) };
    return true;
  }

  /**
   * @param {Graph} graph
   * @param {string} id the node that is read
   * @param {string} other the node that is read in its place
   */
  replaceInput(graph, id, other) {
    for (const node of graph.nodes) {
      if (node.in) node.in = node.in.map((name) => (name === id ? other : name));
    }
  }

  /**
   * Removes a mask that no node reads, and the masks of a group.
   * @param {Graph} graph
   * @param {string | undefined} id
   */
  dropUnreadMasks(graph, id) {
    if (!id || graph.nodes.some((node) => node.mask === id || node.in?.includes(id))) return;
    const removed = graph.nodes.find((node) => node.id === id);
    graph.nodes = graph.nodes.filter((node) => node !== removed);
    if (!removed || !this.isMask(removed)) return;
    for (const read of removed.in ?? []) {
      const node = graph.nodes.find((other) => other.id === read);
      if (node && this.isMask(node)) this.dropUnreadMasks(graph, read);
    }
  }

  /**
   * The name of the image that a node at an index reads.
   * @param {Graph} graph
   * @param {number} index
   */
  previousImage(graph, index) {
    const image = graph.nodes.slice(0, index).findLast((node) => !this.isMask(node));
    return image?.id ?? 'source';
  }

  /**
   * Indicates whether a node can trade its position with its neighbor.
   * @param {string} id
   * @param {number} step
   */
  canMove(id, step) {
    const index = this.nodes.findIndex((node) => node.id === id);
    const other = this.nodes[index + step];
    const own = this.nodes[index];
    return Boolean(own && other)
      && ![own, other].some((node) => node.in || this.isMask(node)
        || this.nodes.some((reader) => reader.in?.includes(node.id)));
  }

  /**
   * @param {string} id
   * @param {number} step
   */
  move(id, step) {
    if (!this.canMove(id, step)) return false;
    this.change((graph) => {
      const index = graph.nodes.findIndex((node) => node.id === id);
      const [node] = graph.nodes.splice(index, 1);
      graph.nodes.splice(index + step, 0, node);
    });
    return true;
  }

  /**
   * Adds a mask of a kind before a node, or removes the mask of the node.
   * @param {string} id
   * @param {string | null} filterName
   */
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
      const inputs = /none|optional/.test(filter.inputs) ? [] : [this.previousImage(graph, index)];
      graph.nodes.splice(index, 0, {
        id: name, filter: filter.name, v: filter.version, params: this.schema.values(filter),
        in: inputs,
      });
      node.mask = name;
    });
  }
}

/**
 * What is compared and stored: not the derived fields.
 * @param {Graph} graph
 */
function content({ nodes, output }) {
  return { nodes, output };
}

/**
 * @param {(Graph & { requires?: unknown, source?: unknown }) | null} graph
 * @returns {Graph}
 */
function normalized(graph) {
  const { requires, source, ...kept } = structuredClone(graph ?? {});
  return { ...empty, ...kept, nodes: kept.nodes ?? [] };
}

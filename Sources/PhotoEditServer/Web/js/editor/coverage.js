// SPDX-License-Identifier: Apache-2.0

/**
 * The graph that shows a mask in red, in place of what it limits and of what comes later.
 * @param {Graph} graph
 * @param {string | null} mask
 * @param {(node: GraphNode) => boolean} [isKept] whether a later node stays in effect
 * @returns {Graph}
 */
export function withCoverage(graph, mask, isKept = () => false) {
  const owner = graph.nodes.findIndex((node) => node.mask === mask);
  if (owner < 0) {
    // A member is seen in its group, as the sum of its masks.
    const group = mask && graph.nodes.find((node) => node.in?.includes(mask));
    return group && group.filter.startsWith('mask.')
      ? withCoverage(graph, group.id, isKept)
      : graph;
  }
  const input = graph.nodes[owner].in;
  return {
    ...graph,
    nodes: [
      ...graph.nodes.slice(0, owner),
      {
        id: 'coverage', filter: 'colorMatrix', v: 1, mask,
        ...(input ? { in: input } : {}),
        params: {
          matrix: [0.2, 0.35, 0.05, 0.1, 0.2, 0.02, 0.1, 0.2, 0.02], bias: [0.4, 0, 0],
          monochrome: false,
        },
      },
      ...graph.nodes.slice(owner).filter(isKept),
    ],
  };
}

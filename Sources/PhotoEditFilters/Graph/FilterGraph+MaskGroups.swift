// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

extension FilterGraph {
  /// Returns the problem of a group whose members are not those of its masks.
  func unsupportedMembers(of node: FilterNode, _ masks: [String]) -> UnsupportedNode? {
    guard let group = node.group, !group.members.isEmpty, group.members.count != masks.count else {
      return nil
    }
    let count = group.members.count
    let which =
      count < masks.count
      ? "none for '\(masks[count])'"
      : "no mask for member \(masks.count + 1)"
    let reason =
      "\(count) \(count == 1 ? "member" : "members") for \(masks.count) "
      + "\(masks.count == 1 ? "mask" : "masks"), \(which); give each mask in 'in' a member, "
      + "or leave all members out to add the masks"
    return UnsupportedNode(
      node: node.id, .parameter(.conflict(filter: node.filter, reason: reason)))
  }

  /// Sets the inputs of a node; none means the preceding image.
  ///
  /// In a group of masks, each mask keeps its member, and a mask that is new is added.
  mutating func setInputs(ofNodeAt index: Int, to names: [String]) throws(GraphEditError) {
    let earlier = nodes[..<index]
    for name in names where name != Self.sourceName && !earlier.contains(where: { $0.id == name }) {
      throw .unknownNode(name, known: earlier.map { "\($0.id) (\($0.filter))" })
    }
    if var group = nodes[index].group, !group.members.isEmpty {
      var former = Array(zip(nodes[index].inputs ?? [], group.members))
      group.members = names.map { name in
        former.firstIndex { $0.0 == name }.map { former.remove(at: $0).1 } ?? MaskMember()
      }
      try translating({ GraphEditError.parameter($0) }, group.check())
      nodes[index].content = NodeContent(group)
    }
    nodes[index].inputs = names.isEmpty ? nil : names
  }

  /// Returns the error of removing a node that another one reads.
  func removalError(of id: String, usedBy user: FilterNode) -> GraphEditError {
    guard user.group != nil else { return .nodeInUse(id, by: user.id) }
    return .memberOfGroup(
      id, group: user.id, others: (user.inputs ?? []).filter { $0 != id })
  }
}

extension FilterNode {
  /// Its filter, if that is a group of masks.
  fileprivate var group: MaskGroup? { (try? content.filter.get()) as? MaskGroup }
}

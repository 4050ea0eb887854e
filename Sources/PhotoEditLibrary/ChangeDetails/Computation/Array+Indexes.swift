// SPDX-License-Identifier: Apache-2.0

extension Array {
  /// Returns the elements except those at the given ascending indexes.
  func removing(at indexes: [Int]) -> [Element] {
    var result: [Element] = []
    result.reserveCapacity(count - indexes.count)
    var start = 0
    for index in indexes {
      result += self[start..<index]
      start = index + 1
    }
    return result + self[start...]
  }

  /// Returns the elements with others inserted at the given ascending indexes of the result.
  func inserting(_ elements: [Element], at indexes: [Int]) -> [Element] {
    var result: [Element] = []
    result.reserveCapacity(count + elements.count)
    var rest = self[...]
    for (element, index) in zip(elements, indexes) {
      let count = index - result.count
      result += rest.prefix(count)
      rest = rest.dropFirst(count)
      result.append(element)
    }
    return result + rest
  }
}

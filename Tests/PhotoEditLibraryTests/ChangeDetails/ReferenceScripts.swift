// SPDX-License-Identifier: Apache-2.0
@testable import PhotoEditLibrary

/// Literal implementations of the three ways to apply changes, one array operation at a time.
enum ReferenceScripts {
  /// The list after removals and insertions, before moves.
  static func between<T>(
    _ before: [T], _ after: [T], removed: [Int], inserted: [Int]
  ) -> [T] {
    var list = before
    for index in removed.reversed() { list.remove(at: index) }
    for index in inserted { list.insert(after[index], at: index) }
    return list
  }

  /// Removes all moved elements, highest index first, and inserts them, lowest index first.
  static func inTwoPhases<T>(_ between: [T], _ moves: [Move]) -> [T] {
    var list = between
    var taken: [Int: T] = [:]
    for move in moves.sorted(by: { $0.from > $1.from }) {
      taken[move.to] = list.remove(at: move.from)
    }
    for (index, element) in taken.sorted(by: { $0.key < $1.key }) {
      list.insert(element, at: index)
    }
    return list
  }

  /// Applies a batch with sources before and targets after it, as a view does.
  static func inOneBatch<T>(
    _ before: [T], _ after: [T], removed: [Int], inserted: [Int], moves: [Move]
  ) -> [T] {
    let missing = Set(removed + moves.map(\.from))
    var list = before.indices.filter { !missing.contains($0) }.map { before[$0] }
    var placed = Dictionary(uniqueKeysWithValues: inserted.map { ($0, after[$0]) })
    for move in moves { placed[move.to] = before[move.from] }
    for (index, element) in placed.sorted(by: { $0.key < $1.key }) {
      list.insert(element, at: index)
    }
    return list
  }

  /// Applies the moves one after the other.
  static func oneByOne<T>(_ between: [T], _ moves: [Move]) -> [T] {
    var list = between
    for move in moves { list.insert(list.remove(at: move.from), at: move.to) }
    return list
  }
}

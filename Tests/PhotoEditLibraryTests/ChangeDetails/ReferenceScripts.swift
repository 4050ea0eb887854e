// SPDX-License-Identifier: Apache-2.0
@testable import PhotoEditLibrary

/// The three ways to carry out changes, done literally, one array operation after the other.
enum ReferenceScripts {
  /// The list in between.
  static func between<T>(
    _ before: [T], _ after: [T], removed: [Int], inserted: [Int]
  ) -> [T] {
    var list = before
    for index in removed.reversed() { list.remove(at: index) }
    for index in inserted { list.insert(after[index], at: index) }
    return list
  }

  /// Takes everything out, the highest first, and puts it back, the lowest first.
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

  /// Does what a view does that takes sources before and targets after, all at once.
  static func inOneBatch<T>(
    _ before: [T], _ after: [T], removed: [Int], inserted: [Int], moves: [Move]
  ) -> [T] {
    let gone = Set(removed + moves.map(\.from))
    var list = before.indices.filter { !gone.contains($0) }.map { before[$0] }
    var placed = Dictionary(uniqueKeysWithValues: inserted.map { ($0, after[$0]) })
    for move in moves { placed[move.to] = before[move.from] }
    for (index, element) in placed.sorted(by: { $0.key < $1.key }) {
      list.insert(element, at: index)
    }
    return list
  }

  /// Makes one move after the other.
  static func oneByOne<T>(_ between: [T], _ moves: [Move]) -> [T] {
    var list = between
    for move in moves { list.insert(list.remove(at: move.from), at: move.to) }
    return list
  }
}

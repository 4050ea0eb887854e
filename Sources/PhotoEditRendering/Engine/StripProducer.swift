// SPDX-License-Identifier: Apache-2.0

/// An object that produces strips of rows from the strips of other producers.
///
/// A decoder, a pass of a plan and an encoder are all producers. The rows can be rows of pixels, of
/// planes, or of MCUs: a producer and its readers agree on their contents.
protocol StripProducer: Sendable {
  /// The work that it does, for display.
  var name: String { get }
  /// The number of rows that it can produce.
  var height: Int { get }
  /// Indicates whether strips must be produced one after the other, starting with the very first
  /// row.
  var isSequential: Bool { get }
  /// The number of strips that may be in progress at the same time.
  var mostAtOnce: Int { get }
  /// Indicates whether the strips above those that are needed must be produced too.
  var startsAtTop: Bool { get }
  /// The alignment of strip boundaries in rows; the end of the last strip need not be aligned.
  var alignment: Int { get }
  /// Returns the rows of an input that some output rows are computed from.
  func inputRows(for rows: Range<Int>, of input: Int) -> Range<Int>
  /// Produces a strip; returns nil if no producer reads it because it has left the engine.
  ///
  /// - Parameter inputs: The requested rows, in the order of the inputs.
  func make(_ rows: Range<Int>, from inputs: [StripWindow]) throws(RenderError) -> Strip?
}

extension StripProducer {
  var mostAtOnce: Int { isSequential ? 1 : .max }
  var startsAtTop: Bool { isSequential }
  var alignment: Int { 1 }
}

/// Producers in an order in which each reads only earlier ones; the last one is the result.
struct Pipeline: Sendable {
  /// A producer and its connections.
  struct Level: Sendable {
    var producer: any StripProducer
    /// The number of rows of each strip except the last one.
    var stripHeight: Int
    /// The levels that it reads.
    var inputs: [Int]
  }

  private(set) var levels: [Level] = []

  /// Adds a producer that reads the previous one; the first producer reads none.
  mutating func append(_ producer: any StripProducer, stripHeight: Int) {
    append(producer, stripHeight: stripHeight, inputs: levels.isEmpty ? [] : [levels.count - 1])
  }

  /// Adds a producer that reads some of the earlier ones.
  mutating func append(_ producer: any StripProducer, stripHeight: Int, inputs: [Int]) {
    precondition(inputs.allSatisfy { levels.indices.contains($0) }, "only earlier levels are read")
    let alignment = producer.alignment
    levels.append(
      Level(
        producer: producer, stripHeight: max(1, stripHeight / alignment) * alignment,
        inputs: inputs))
  }

  /// The rows of each level that the whole result needs; the others are never computed.
  var neededRows: [Range<Int>] {
    guard let last = levels.last else { return [] }
    var needed = [Range<Int>](repeating: 0..<0, count: levels.count)
    needed[levels.count - 1] = 0..<last.producer.height
    for level in levels.indices.reversed() {
      let producer = levels[level].producer
      let (rows, alignment) = (needed[level], producer.alignment)
      let first = producer.startsAtTop ? 0 : rows.lowerBound / alignment * alignment
      let end = (rows.upperBound + alignment - 1) / alignment * alignment
      needed[level] = first..<min(end, producer.height)
      for (position, input) in levels[level].inputs.enumerated() {
        let inputRows = producer.inputRows(for: needed[level], of: position)
        needed[input] = needed[input].hull(with: inputRows)
      }
    }
    return needed
  }
}

extension Range<Int> {
  /// Returns the smallest range that contains this one and another.
  func hull(with other: Range) -> Range {
    if isEmpty { return other }
    return other.isEmpty
      ? self : Swift.min(lowerBound, other.lowerBound)..<Swift.max(upperBound, other.upperBound)
  }
}

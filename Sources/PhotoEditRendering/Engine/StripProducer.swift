// SPDX-License-Identifier: Apache-2.0

/// Something that makes strips of rows out of strips that other producers made.
///
/// A decoder, a pass of a plan and an encoder are all producers. The rows of one may be rows of
/// pixels, of planes, or of MCUs: what they hold is between a producer and its readers.
protocol StripProducer: Sendable {
  /// Rows that it can make.
  var height: Int { get }
  /// Whether strips must be made one after the other, beginning with the first row of all.
  var isSequential: Bool { get }
  /// Strips begin and end at multiples of this many rows, but for the last one.
  var alignment: Int { get }
  /// The rows of an input that some rows are made of.
  func inputRows(for rows: Range<Int>, of input: Int) -> Range<Int>
  /// Makes a strip; nil when nobody is to read it, because it has left the engine.
  ///
  /// - Parameter inputs: What was asked for, in the order of the inputs.
  func make(_ rows: Range<Int>, from inputs: [StripWindow]) throws(RenderError) -> Strip?
}

extension StripProducer {
  var alignment: Int { 1 }
}

/// Producers in an order in which each reads only earlier ones; the last one is the result.
struct Pipeline: Sendable {
  /// A producer and its place.
  struct Level: Sendable {
    var producer: any StripProducer
    /// Rows of each strip but the last one.
    var stripHeight: Int
    /// The levels it reads.
    var inputs: [Int]
  }

  private(set) var levels: [Level] = []

  /// Adds a producer that reads the one before, or nobody when it is the first.
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

  /// The rows of each level that anybody needs for the whole result; the others are never made.
  var neededRows: [Range<Int>] {
    guard let last = levels.last else { return [] }
    var needed = [Range<Int>](repeating: 0..<0, count: levels.count)
    needed[levels.count - 1] = 0..<last.producer.height
    for level in levels.indices.reversed() {
      let producer = levels[level].producer
      let (rows, alignment) = (needed[level], producer.alignment)
      // A sequential producer cannot leave out the rows above.
      let first = producer.isSequential ? 0 : rows.lowerBound / alignment * alignment
      let end = (rows.upperBound + alignment - 1) / alignment * alignment
      needed[level] = first..<min(end, producer.height)
      for (position, input) in levels[level].inputs.enumerated() {
        let wanted = producer.inputRows(for: needed[level], of: position)
        needed[input] = needed[input].hull(with: wanted)
      }
    }
    return needed
  }
}

extension Range<Int> {
  /// The smallest range that holds this one and another.
  func hull(with other: Range) -> Range {
    if isEmpty { return other }
    return other.isEmpty
      ? self : Swift.min(lowerBound, other.lowerBound)..<Swift.max(upperBound, other.upperBound)
  }
}

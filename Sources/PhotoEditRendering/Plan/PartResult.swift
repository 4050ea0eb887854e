// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels

/// What one part of a plan gives to others.
struct PartResult: Sendable, Hashable {
  /// Where its rows come from: 0 is the decoder, n the n-th stage.
  var level: Int
  var shape: StripShape
  /// One or three.
  var colorPlanes: Int
  var hasAlpha: Bool

  /// Planes, alpha included.
  var planes: Int { colorPlanes + (hasAlpha ? 1 : 0) }

  init(level: Int, shape: StripShape, colorPlanes: Int, hasAlpha: Bool) {
    self.level = level
    self.shape = shape
    self.colorPlanes = colorPlanes
    self.hasAlpha = hasAlpha
  }

  /// Interleaved samples of a decoder, or of a stage that has only turned them; or planes of colour.
  init(decoded shape: StripShape, level: Int = 0) {
    switch shape.format {
    case .packed(let layout):
      self.init(
        level: level, shape: shape, colorPlanes: layout.channels.colorCount,
        hasAlpha: layout.channels.hasAlpha)
    case .planes(let count):
      self.init(level: level, shape: shape, colorPlanes: count, hasAlpha: false)
    }
  }

  /// What a stage makes of nothing.
  init(_ source: Layer.Source, level: Int) {
    switch source {
    case .picture(let picture):
      self.init(
        decoded: StripShape(size: picture.storedSize, format: .packed(picture.layout)),
        level: level)
    case .input: preconditionFailure("a layer of the input is a part")
    case .coverage(let coverage):
      self.init(
        level: level,
        shape: StripShape(size: coverage.size, format: .planes(coverage.planes)),
        colorPlanes: coverage.planes, hasAlpha: false)
    }
  }
}

/// Rows of another level, read one for each row that is worked on.
struct SideRows: Sendable, Hashable {
  /// What is read.
  var picture: PartResult
  /// Its first row belongs to this row of the gathered ones.
  var firstRow: Int
}

/// Two pictures made one, as a step on rows.
struct MergeStep: Sendable, Hashable {
  let rule: Merge.Rule
  let opacity: Double
  /// The side that is laid over; nil for the picture on top of the stack.
  var above: Int?
  /// The side that says how much of it is used.
  var mask: Int?
  /// The first row of the pictures is row `firstRow` of the gathered ones.
  let firstRow: Int

  init(_ merge: Merge, firstRow: Int) {
    rule = merge.rule
    opacity = merge.opacity
    self.firstRow = firstRow
  }

  /// Whether both are pictures of the stack.
  var isOfTwoCopies: Bool { above == nil }
}

extension Stage {
  /// Notes that a step reads another level; gives the number of the side.
  mutating func read(_ picture: PartResult) -> Int {
    sides.append(SideRows(picture: picture, firstRow: firstRow))
    return sides.count - 1
  }
}

// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels

/// The output of one part of a plan, for use by other parts.
struct SubgraphResult: Sendable, Hashable {
  /// The source of its rows: 0 is the decoder, n the n-th stage.
  var level: Int
  var shape: StripShape
  /// One or three.
  var colorPlanes: Int
  var hasAlpha: Bool

  /// The number of planes, including alpha.
  var planes: Int { colorPlanes + (hasAlpha ? 1 : 0) }
}

extension SubgraphResult {
  /// Creates the result of a decoder, or of a stage that has only rotated its samples: interleaved
  /// samples or color planes.
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

  /// Creates the result of a stage without input.
  init(_ source: Layer.Source, level: Int) {
    switch source {
    case .image(let image):
      self.init(
        decoded: StripShape(size: image.storedSize, format: .packed(image.layout)),
        level: level)
    case .input: preconditionFailure("each input layer must be a part")
    case .mask(let mask):
      self.init(
        level: level,
        shape: StripShape(size: mask.size, format: .planes(mask.planes)),
        colorPlanes: mask.planes, hasAlpha: false)
    }
  }
}

/// Rows of another level, read one for each processed row.
struct SecondaryRows: Sendable, Hashable {
  /// The result that is read.
  var image: SubgraphResult
  /// The gathered row that its first row belongs to.
  var firstRow: Int
}

/// A step on rows that merges two images.
struct MergeStep: Sendable, Hashable {
  let rule: Composite.Rule
  let opacity: Double
  /// Indicates whether the upper image, which is a mask, is inverted first.
  let isInverted: Bool
  /// The index of the upper secondary input; nil for the top image of the stack.
  var above: Int?
  /// The index of the secondary input used as a mask.
  var mask: Int?
  /// The first row of the images is row `firstRow` of the gathered ones.
  let firstRow: Int

  init(_ merge: Composite, firstRow: Int) {
    rule = merge.rule
    (opacity, isInverted) = (merge.opacity, merge.isInverted)
    self.firstRow = firstRow
  }

  /// Indicates whether both are images of the stack.
  var isOfTwoCopies: Bool { above == nil }
}

extension Stage {
  /// Records that a step reads another level; returns the index of the secondary input.
  mutating func read(_ image: SubgraphResult) -> Int {
    sides.append(SecondaryRows(image: image, firstRow: firstRow))
    return sides.count - 1
  }
}

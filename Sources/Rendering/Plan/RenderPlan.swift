// SPDX-License-Identifier: Apache-2.0
import Filters
import Pixels

/// The executable form of a graph for one picture: passes in order, nothing left to decide.
///
/// A plan is pure: the same operations and the same source give the same plan.
struct RenderPlan: Sendable, Hashable {
  /// What the decoder delivers.
  var source: StripShape
  /// The recipe that the passes carry out.
  var operations: [FilterOperation]
  /// Passes, each fed by the one before; the first one is fed by the decoder.
  var stages: [Stage]
  /// Colour planes of the result, one or three; alpha is gone.
  var outputPlanes: Int

  /// Size of the result.
  var outputSize: PixelSize { stages.last?.output.size ?? source.size }

  /// What the last stage gives.
  enum Result: Sendable, Hashable {
    /// 8-bit samples for the encoder, three channels even for a gray picture if so wanted.
    case bytes(expandingGray: Bool)
    /// What those samples are made of, before they are cut.
    case floats
  }

  /// Makes a plan.
  ///
  /// - Parameters:
  ///   - operations: What the graph was lowered to, with all turns first.
  ///   - source: Size and layout as the decoder delivers them.
  ///   - background: What alpha is composited over at the end.
  ///   - isSimplified: Whether the operations may be joined and change places where that is exact.
  init(
    _ operations: [FilterOperation], source: StripShape, background: Background, result: Result,
    isSimplified: Bool = true
  ) {
    let operations = isSimplified ? operations.simplified(for: source) : operations
    var builder = PlanBuilder(source: source)
    for (index, operation) in operations.enumerated() {
      builder.add(operation, before: operations[(index + 1)...])
    }
    self.source = source
    self.operations = operations
    stages = builder.finished(background: background, result: result)
    outputPlanes = builder.colorPlanes
  }
}

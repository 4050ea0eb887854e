// SPDX-License-Identifier: Apache-2.0
public import PhotoEditFilters

/// Why a graph cannot become a table of colours.
public enum BakingError: Error, Sendable, CustomStringConvertible {
  /// A node of the graph cannot be rendered.
  case graph(GraphObstacle)
  /// Nodes that need more than the colour of a pixel, all of them.
  case notPointwise([BakingObstacle])
  /// The graph makes a colour that is not finite.
  case table(GradeError)
  /// The size is not one that files may have.
  case size(Int)
  /// The engine refused.
  case render(RenderError)

  /// One sentence.
  public var description: String {
    switch self {
    case .graph(let obstacle): "\(obstacle)"
    case .notPointwise(let obstacles):
      "a table of colours cannot hold " + obstacles.map(\.description).joined(separator: "; ")
    case .table(let error): "the edit makes colours that no table can hold: \(error)"
    case .size(let size):
      "a side of \(size) entries; allowed: \(CubeFile.allowedCubeSize.lowerBound)…"
        + "\(CubeFile.allowedCubeSize.upperBound)"
    case .render(let error): "\(error)"
    }
  }
}

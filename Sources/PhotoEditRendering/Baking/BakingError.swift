// SPDX-License-Identifier: Apache-2.0
public import PhotoEditFilters
public import PhotoEditStorage

/// An error that prevents baking a graph into a color lookup table.
public enum BakingError: PhotoEditError {
  /// A node of the graph cannot be rendered.
  case graph(UnsupportedNode)
  /// All nodes that need more than the color of a single pixel.
  case notPointwise([NotBakeable])
  /// The graph produces a color that is not finite.
  case table(LUTFileError)
  /// The size is not allowed in files.
  case size(Int)
  /// Rendering failed.
  case render(RenderError)

  /// The class, the name and the hint of the case.
  public var facts: FailureFacts {
    switch self {
    case .notPointwise:
      FailureFacts(.invalidEdit, "notPointwise", hint: "remove or disable these filters first")
    case .render(let error): error.facts
    case .graph, .table, .size: FailureFacts(.invalidEdit, "graph")
    }
  }

  /// A one-sentence description of the error.
  public var description: String {
    switch self {
    case .graph(let error): "\(error)"
    case .notPointwise(let reasons):
      "a lookup table cannot represent " + reasons.map(\.description).joined(separator: "; ")
    case .table(let error): "a lookup table cannot represent the colors of the edit: \(error)"
    case .size(let size):
      "invalid LUT size \(size) (allowed: \(CubeFile.allowedCubeSize.lowerBound)–"
        + "\(CubeFile.allowedCubeSize.upperBound))"
    case .render(let error): "\(error)"
    }
  }
}

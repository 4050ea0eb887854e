// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels

extension Stage {
  /// Whether a narrow part of the pass is a pass of the same kind.
  var canBeTiled: Bool {
    // A grid is made of the whole picture.
    if gridSpacing != nil { return false }
    return switch gathering {
    case .turn, .area, .source: false
    case .rows, .blur, .resample: true
    }
  }
}

extension RenderPlan {
  /// The passes behind a turn, which is a pass of its own.
  var stagesAfterTurn: [Stage] {
    if case .turn? = stages.first?.gathering { Array(stages.dropFirst()) } else { stages }
  }

  /// The plan of some columns of the result, for a turned source that begins at `firstColumn`.
  func tile(
    _ columns: Range<Int>, result: Result
  ) -> (plan: RenderPlan, firstColumn: Int) {
    var recipe = operations
    var shape = source
    if case .orient(let turn)? = recipe.first {
      recipe.removeFirst()
      shape.size = turn.applied(to: shape.size)
    }
    recipe.append(
      .crop(Region(x: columns.lowerBound, y: 0, width: columns.count, height: outputSize.height)))
    recipe = recipe.withCropsFirst(source: shape.size)
    var firstColumn = 0
    if case .crop(let region)? = recipe.first, region.y == 0, region.height == shape.size.height {
      recipe.removeFirst()
      firstColumn = region.x
      shape.size = region.size
    }
    return (
      RenderPlan(
        recipe, source: shape, background: background, result: result, isSimplified: false),
      firstColumn
    )
  }
}

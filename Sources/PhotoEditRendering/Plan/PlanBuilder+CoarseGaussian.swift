// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels

extension PlanBuilder {
  /// Adds a wide Gaussian: columns and then rows to the grid, the sum along the grid, and back.
  ///
  /// Saved images stay behind at full size; the last of the passes reads their rows and those of
  /// the grid.
  mutating func add(_ gaussian: CoarseGaussian) {
    let (columns, rows) = (gaussian.axis(count: size.width), gaussian.axis(count: size.height))
    let saved = savedImages
    let merging = saved > 0 ? splitOffSavedImages() : nil
    savedImages = 0
    if hasAlpha { current.steps.append(.premultiply) }
    current.steps.append(.resampleRow(columns.shrinking))
    size.width = columns.sampleCount
    endStage()
    beginOnGrid(.resample(rows.shrinking), gaussian)
    size.height = rows.sampleCount
    endStage()
    beginOnGrid(.blur(gaussian.kernel, fromPlane: 0, keepsInput: false), gaussian)
    endStage()
    let grid = stages[stages.count - 1].output
    if let merging {
      current = merging.stage
      size = merging.size
      current.blurred = BlurredRows(
        level: nextLevel - 1, input: grid, weights: rows.enlarging, firstRow: current.firstRow)
      current.steps.append(.enlargeBlurred(columns.enlarging))
    } else {
      begin(with: .resample(rows.enlarging), from: grid)
      size.height = rows.enlarging.starts.count
      current.steps.append(.resampleRow(columns.enlarging))
      size.width = columns.enlarging.starts.count
    }
    savedImages = saved
    if hasAlpha { current.steps.append(.unpremultiply) }
  }

  private mutating func beginOnGrid(_ inputMapping: Stage.InputMapping, _ gaussian: CoarseGaussian)
  {
    begin(with: inputMapping, from: stages[stages.count - 1].output)
    current.gridSpacing = gaussian.spacing
  }

  /// Keeps only the top image, and returns the start of the stage that merges it again.
  ///
  /// That stage repeats the steps so far for the saved images: the rows that wait for the blurred
  /// ones are those of the previous level, which are usually bytes.
  private mutating func splitOffSavedImages() -> (stage: Stage, size: PixelSize) {
    if current.inputMapping != .rows || current.blurred != nil {
      // An image that was just saved is written once.
      let saves = current.steps.reversed().prefix { $0 == .save }.count
      current.steps.removeLast(saves)
      savedImages -= saves
      endStage()
      begin(with: .rows, from: stages[stages.count - 1].output)
      savedImages += saves
      current.steps = Array(repeating: .save, count: saves)
    }
    let merging = (stage: current.withoutStepsOnTop, size: size)
    current.steps.append(.keepTop)
    return merging
  }
}

extension Stage {
  /// The stage without the steps on the top image alone, which is about to be replaced.
  ///
  /// Copies merged here were also saved here: incoming copies would have ended the stage.
  fileprivate var withoutStepsOnTop: Stage {
    var depth = 0
    var firstOnTop = 0
    for (index, step) in steps.enumerated().reversed() {
      switch step {
      case .sharpen, .mix: depth += 1
      case .merge(let merge): if merge.isOfTwoCopies { depth += 1 }
      case .save: depth -= 1
      default: break
      }
      if depth < 0 {
        firstOnTop = index + 1
        break
      }
    }
    var stage = self
    stage.steps =
      steps[..<firstOnTop]
      + steps[firstOnTop...].filter {
        switch $0 {
        // These change every image of the stack.
        case .cropColumns, .expandGray: true
        default: false
        }
      }
    return stage
  }
}

// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels

/// Everything that planning knows about an operation; each operation says it in one file.
///
/// What an operation does not say holds for those that change every pixel by itself and leave gray
/// gray.
protocol PlannedOperation {
  /// The operation as a step of a recipe.
  var step: FilterOperation { get }
  /// Whether it leaves a picture of some size as it is.
  func isNeutral(on size: PixelSize) -> Bool
  /// Whether a gray picture stays gray.
  var keepsGray: Bool { get }
  /// Copies that it keeps, or merges where it is below zero.
  var copies: Int { get }

  /// Whether a turn may come before it.
  var canBeTurned: Bool { get }
  /// The step that does to the turned picture what this one does to the picture.
  ///
  /// - Parameter size: Size of the picture before it is turned.
  func turned(by turn: Orientation, from size: PixelSize) -> FilterOperation

  /// The step with a cut in front of it instead of behind; nil where the cut has to wait.
  ///
  /// - Parameters:
  ///   - region: The part of the result that is wanted.
  ///   - size: Size of the picture before the step.
  func cut(to region: Region, from size: PixelSize) -> CutStep?

  /// Whether it weighs neighbors, so that sums of channels may come before it.
  var mixesNeighbors: Bool { get }
  /// Whether a shrinking resampling in front of it gives what one behind it gives.
  func mayFollow(_ resampling: Resampling) -> Bool

  /// Whether a small picture can stand for a large one in front of it.
  var canBeScaled: Bool { get }
  /// Adds it to the recipe for a small picture.
  func scale(in scaling: inout PreviewScaling)

  /// Joins it with the color steps before it.
  func fuse(into fusion: inout ColorFusion)

  /// Lays it out in passes.
  ///
  /// - Parameter rest: The operations behind it.
  func plan(in builder: inout PlanBuilder, before rest: ArraySlice<FilterOperation>)
}

extension PlannedOperation {
  func isNeutral(on size: PixelSize) -> Bool { false }
  var keepsGray: Bool { true }
  var copies: Int { 0 }
  var canBeTurned: Bool { true }
  func turned(by turn: Orientation, from size: PixelSize) -> FilterOperation { step }
  func cut(to region: Region, from size: PixelSize) -> CutStep? {
    CutStep(step: step, region: region)
  }
  var mixesNeighbors: Bool { false }
  func mayFollow(_ resampling: Resampling) -> Bool { false }
  var canBeScaled: Bool { true }
  func scale(in scaling: inout PreviewScaling) { scaling.operations.append(step) }
  func fuse(into fusion: inout ColorFusion) {
    fusion.append(step, isGray: fusion.isGray && keepsGray)
  }
}

/// A step that works on a part of the picture.
struct CutStep {
  /// The step; nil where the cut takes its place.
  var step: FilterOperation?
  /// The part that it needs.
  var region: Region
  /// What is cut out of its result, where that is more than is wanted.
  var rest: Region?

  init(step: FilterOperation?, region: Region) {
    self.step = step
    self.region = region
  }

  /// A step that makes each pixel of neighbors, so many on each side.
  init(_ step: FilterOperation, region: Region, reach: Int, from size: PixelSize) {
    let (left, top) = (max(0, region.x - reach), max(0, region.y - reach))
    self.step = step
    self.region = Region(
      x: left, y: top, width: min(size.width, region.maxX + reach) - left,
      height: min(size.height, region.maxY + reach) - top)
    rest = Region(
      x: region.x - left, y: region.y - top, width: region.width, height: region.height)
  }
}

extension FilterOperation {
  /// What planning knows about it; the one place that tells operations apart.
  var planned: any PlannedOperation {
    switch self {
    case .curves(let curves): curves
    case .matrix(let matrix): matrix
    case .map(let map): map
    case .extremum(let extremum): extremum
    case .shade(let shade): shade
    case .orient(let turn): turn
    case .crop(let region): region
    case .resample(let resampling): resampling
    case .blur(let kernel): kernel
    case .area(let area): area
    case .save: SaveStep()
    case .sharpen(let sharpening): sharpening
    case .mix(let opacity): MixStep(opacity: opacity)
    case .fade(let share): FadeStep(share: share)
    case .merge(let merge): merge
    case .layer(let layer): layer
    case .adapt(let adaptation): adaptation
    }
  }
}

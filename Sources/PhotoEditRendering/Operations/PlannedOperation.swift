// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels

/// The planning properties of an operation; each operation declares them in one file.
///
/// The defaults hold for operations that change every pixel independently and keep gray images
/// gray. Functions of a pixel's color and position need no file here: they are values of
/// `PixelMapping` in PhotoEditFilters, all planned by `Map.swift`.
protocol PlannedOperation {
  /// The operation as a step of a graph.
  var step: FilterOperation { get }
  /// Returns whether it leaves an image of some size unchanged.
  func isIdentity(on size: PixelSize) -> Bool
  /// Indicates whether a gray image stays gray.
  var preservesGray: Bool { get }
  /// The number of copies that it saves; negative if it merges copies.
  var copies: Int { get }

  /// Indicates whether a rotation may come before it.
  var canBeRotated: Bool { get }
  /// Returns the equivalent of this step for the rotated image.
  ///
  /// - Parameter size: The size of the image before it is rotated.
  func rotated(by rotation: Orientation, from size: PixelSize) -> FilterOperation

  /// Returns the step with the crop before it instead of after it; nil if the crop must stay after
  /// it.
  ///
  /// - Parameters:
  ///   - region: The requested part of the result.
  ///   - size: The size of the image before the step.
  func cropped(to region: Region, from size: PixelSize) -> CroppedStep?

  /// Indicates whether it weights neighbors, so that sums of channels may come before it.
  var mixesNeighbors: Bool { get }
  /// Returns whether a shrinking resampling before it gives the same result as one after it.
  func mayFollow(_ resampling: Resampling) -> Bool

  /// Indicates whether its input can be a small image instead of a large one.
  var canBeScaled: Bool { get }
  /// Adds it to the operations for a small image.
  func scale(in scaling: inout PreviewScaling)

  /// Merges it with the color steps before it.
  func fuse(into fusion: inout ColorFusion)

  /// Lays it out in passes.
  ///
  /// - Parameter rest: The operations after it.
  func plan(in builder: inout PlanBuilder, before rest: ArraySlice<FilterOperation>)
}

extension PlannedOperation {
  func isIdentity(on size: PixelSize) -> Bool { false }
  var preservesGray: Bool { true }
  var copies: Int { 0 }
  var canBeRotated: Bool { true }
  func rotated(by rotation: Orientation, from size: PixelSize) -> FilterOperation { step }
  func cropped(to region: Region, from size: PixelSize) -> CroppedStep? {
    CroppedStep(step: step, region: region)
  }
  var mixesNeighbors: Bool { false }
  func mayFollow(_ resampling: Resampling) -> Bool { false }
  var canBeScaled: Bool { true }
  func scale(in scaling: inout PreviewScaling) { scaling.operations.append(step) }
  func fuse(into fusion: inout ColorFusion) {
    fusion.append(step, isGray: fusion.isGray && preservesGray)
  }
}

/// A step that works on a part of the image.
struct CroppedStep {
  /// The step; nil if the crop replaces it.
  var step: FilterOperation?
  /// The part that it needs.
  var region: Region
  /// The region to crop from its result, if the result is larger than requested.
  var rest: Region?

  init(step: FilterOperation?, region: Region) {
    self.step = step
    self.region = region
  }

  /// Creates a step that computes each pixel from neighbors within `reach` on each side.
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
  /// The planning properties of the operation; the only switch over all operations.
  var planned: any PlannedOperation {
    switch self {
    case .curves(let curves): curves
    case .matrix(let matrix): matrix
    case .map(let map): map
    case .extremum(let extremum): extremum
    case .radialGain(let radialGain): radialGain
    case .orient(let rotation): rotation
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

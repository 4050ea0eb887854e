// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels

/// An object that computes rows of planes from other rows; can process any number of strips at the
/// same time.
protocol AreaWorker: Sendable {
  /// Writes some planes of a strip.
  ///
  /// - Parameter input: The rows that `AreaOperation.inputRows` requests; others must not be read.
  func fill(_ output: PlaneStrip, planes: Range<Int>, from input: PlaneRows)
}

/// Returns the worker for an operation on the rows of a stage.
func makeWorker(_ operation: AreaOperation, _ stage: Stage) -> any AreaWorker {
  switch operation {
  case .warp(let warp): WarpWorker(warp, hasAlpha: stage.hasAlpha)
  case .pad(let padding): PadWorker(padding: padding, hasAlpha: stage.hasAlpha)
  case .neighborhood(let neighborhood): makeWorker(neighborhood, hasAlpha: stage.hasAlpha)
  case .cells(let side): PixelateWorker(cell: side)
  case .healing(let healing): HealingWorker(healing)
  case .noise: NoiseMeasuringWorker(hasAlpha: stage.hasAlpha)
  case .wavelet:
    if let input = WaveletInput(stage), let measurement = stage.measurement {
      WaveletWorker(input, measurement)
    } else {
      preconditionFailure("wavelet transform was not measured")
    }
  }
}

private func makeWorker(_ neighborhood: NeighborhoodOperation, hasAlpha: Bool) -> any AreaWorker {
  switch neighborhood {
  case .box(let radius): BoxBlurWorker(radius: radius)
  case .median(let radius):
    radius <= 2 ? WindowWorker(medianOfRadius: radius) : MedianWorker(radius: radius)
  case .bilateral(let mean): BilateralWorker(mean, hasAlpha: hasAlpha)
  case .patches(let mean): NonLocalMeansWorker(mean, hasAlpha: hasAlpha)
  case .patchesApart(let means): LumaChromaWorker(means, hasAlpha: hasAlpha)
  case .correlation(let correlation): WindowWorker(correlation, hasAlpha: hasAlpha)
  case .gradient(let gradient): WindowWorker(gradient, hasAlpha: hasAlpha)
  case .guided(let tone): GuidedFilterWorker(tone, hasAlpha: hasAlpha)
  case .guidedMask(let filter): GuidedMaskWorker(filter)
  case .haze(let measurement): HazeMeasuringWorker(measurement, hasAlpha: hasAlpha)
  case .dehaze(let removal): DehazeWorker(removal, hasAlpha: hasAlpha)
  case .hues(let hues): SmoothedHuesWorker(hues, hasAlpha: hasAlpha)
  }
}

/// Rows of planes to read.
struct PlaneRows {
  /// The size of the whole image.
  let size: PixelSize
  private let window: StripWindow

  init(_ window: StripWindow, _ shape: StripShape) {
    self.window = window
    size = shape.size
  }

  /// Returns the samples of a row; outside the image, the nearest edge row is repeated.
  func row(_ y: Int, plane: Int) -> UnsafePointer<Float> {
    window.row(min(max(y, 0), size.height - 1)).assumingMemoryBound(to: Float.self)
      + plane * size.width
  }
}

/// Rows of planes to write.
struct PlaneStrip {
  let rows: Range<Int>
  let width: Int
  let planes: Int
  private let strip: Strip

  init(_ strip: Strip, _ shape: StripShape) {
    guard case .planes(let count) = shape.format else {
      preconditionFailure("area operation requires planes")
    }
    self.strip = strip
    rows = strip.rows
    width = shape.size.width
    planes = count
  }

  func row(_ y: Int, plane: Int) -> UnsafeMutablePointer<Float> {
    strip.row(y).assumingMemoryBound(to: Float.self) + plane * width
  }

  /// Copies planes that the operation does not change.
  func copyPlanes(_ range: PartialRangeUpTo<Int>, of input: PlaneRows) {
    for y in rows {
      for plane in 0..<range.upperBound {
        row(y, plane: plane).update(from: input.row(y, plane: plane), count: width)
      }
    }
  }
}

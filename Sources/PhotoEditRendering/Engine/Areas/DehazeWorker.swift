// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import PhotoEditFilters
import PhotoEditPixels

/// Removes haze.
struct DehazeWorker: AreaWorker {
  private let removal: HazeRemoval
  private let hasAlpha: Bool
  private let free = ObjectPool<Rows>()

  init(_ removal: HazeRemoval, hasAlpha: Bool) {
    self.removal = removal
    self.hasAlpha = hasAlpha
  }

  private struct Rows {
    let dark: DarkRows
    let guided: GuidedRows
  }

  func fill(_ output: PlaneStrip, planes: Range<Int>, from input: PlaneRows) {
    free.with({ rows(width: output.width, planes: planes) }) { rows in
      rows.dark.reset()
      rows.guided.reset()
      for y in output.rows {
        let (_, dark, alpha) = rows.guided.lumaAndResult(of: y, input)
        for (index, plane) in planes.enumerated() {
          let (source, target) = (input.row(y, plane: plane), output.row(y, plane: plane))
          if hasAlpha && index == planes.count - 1 {
            target.update(from: source, count: output.width)
          } else {
            pe_dehaze(
              source, dark, alpha, output.width, Float(removal.airlight[index]),
              Float(removal.strength), Float(removal.leastTransmission), target)
          }
        }
      }
    }
  }

  private func rows(width: Int, planes: Range<Int>) -> Rows {
    let dark = DarkRows(
      reach: removal.reach, width: width, planes: planes, hasAlpha: hasAlpha,
      white: removal.airlight)
    let guided = GuidedRows(
      radius: removal.radius, epsilon: HazeRemoval.epsilon, width: width, planes: planes,
      hasAlpha: hasAlpha
    ) { y, input, target in
      target.update(from: dark.row(y, of: input), count: width)
    }
    return Rows(dark: dark, guided: guided)
  }
}

/// Marks the haziest pixels of an image.
struct HazeMeasuringWorker: AreaWorker {
  private let measurement: HazeMeasurement
  private let hasAlpha: Bool
  private let free = ObjectPool<DarkRows>()

  init(_ measurement: HazeMeasurement, hasAlpha: Bool) {
    self.measurement = measurement
    self.hasAlpha = hasAlpha
  }

  func fill(_ output: PlaneStrip, planes: Range<Int>, from input: PlaneRows) {
    let (width, colors) = (output.width, planes.dropLast(hasAlpha ? 1 : 0))
    let threshold = Float(measurement.threshold ?? 0)
    free.with({
      DarkRows(
        reach: measurement.reach, width: width, planes: planes, hasAlpha: hasAlpha, white: .white)
    }) { rows in
      rows.reset()
      for y in output.rows {
        let (dark, least) = (rows.row(y, of: input), rows.least(y, of: input))
        for plane in colors {
          let (source, target) = (input.row(y, plane: plane), output.row(y, plane: plane))
          if measurement.threshold == nil {
            pe_haziest(dark, least, dark, width, threshold, target)
          } else if hasAlpha {
            pe_divide(source, input.row(y, plane: planes.upperBound - 1), width, target)
            pe_haziest(target, least, dark, width, threshold, target)
          } else {
            pe_haziest(source, least, dark, width, threshold, target)
          }
        }
        if hasAlpha {
          output.row(y, plane: planes.upperBound - 1).update(repeating: 1, count: width)
        }
      }
    }
  }
}

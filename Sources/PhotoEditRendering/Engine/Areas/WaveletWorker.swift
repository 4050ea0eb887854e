// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditStorage

/// Removes noise from a whole image by shrinking its wavelet coefficients.
///
/// The image is transformed when the first strip is requested; each strip takes its rows from it.
struct WaveletWorker: AreaWorker {
  private struct Entry {
    /// The first strip of the image.
    weak var strip: Strip?
    var image: WaveletImage
  }

  let shrinkage: WaveletShrinkage
  let hasAlpha: Bool
  /// Indicates whether the memory of the input rows may be used, because nothing else reads them.
  let overwritesInput: Bool
  private let images = LockedValue<[Entry]>([])

  init(_ shrinkage: WaveletShrinkage, hasAlpha: Bool, overwritesInput: Bool) {
    self.shrinkage = shrinkage
    self.hasAlpha = hasAlpha
    self.overwritesInput = overwritesInput
  }

  func fill(_ output: PlaneStrip, planes: Range<Int>, from input: PlaneRows) {
    let colors = planes.lowerBound..<planes.upperBound - (hasAlpha ? 1 : 0)
    let image = image(of: input, colors.count)
    image.transform(colors, alpha: hasAlpha ? colors.upperBound : nil, input)
    for y in output.rows {
      image.write(y, colors, to: output)
      guard hasAlpha else { continue }
      let alpha = output.row(y, plane: colors.upperBound)
      alpha.update(from: input.row(y, plane: colors.upperBound), count: output.width)
      for plane in colors {
        pe_multiply(output.row(y, plane: plane), alpha, output.width, output.row(y, plane: plane))
      }
    }
  }

  /// Returns the image that consists of the given rows; a movie has many at the same time.
  private func image(of input: PlaneRows, _ planes: Int) -> WaveletImage {
    images.withLock { images in
      images.removeAll { $0.strip == nil }
      if let entry = images.first(where: { $0.strip === input.firstStrip }) { return entry.image }
      let image = WaveletImage(
        shrinkage, size: input.size, planes: planes, overwritesInput: overwritesInput)
      images.append(Entry(strip: input.firstStrip, image: image))
      return image
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import PhotoEditFilters
import PhotoEditPixels

@testable import PhotoEditRendering

/// A wavelet shrinkage of whole planes, sample by sample: what the engine computes by rows.
struct WholeWavelet {
  let shrinkage: WaveletShrinkage
  let size: PixelSize
  let hasAlpha: Bool

  private static let low: [Float] = {
    let root = 3.0.squareRoot()
    return [1 - root, 3 - root, 3 + root, 1 + root].map { Float($0 / 32.0.squareRoot()) }
  }()
  private static let high = [-low[3], low[2], -low[1], low[0]]

  struct Plane {
    var (width, height): (Int, Int)
    var samples: [Float]

    init(_ width: Int, _ height: Int, _ sample: (Int, Int) -> Float) {
      (self.width, self.height) = (width, height)
      samples = (0..<width * height).map { sample($0 % width, $0 / width) }
    }

    subscript(x: Int, y: Int) -> Float { samples[y * width + x] }

    func mirrored(_ x: Int, _ y: Int) -> Float {
      self[Self.fold(x, width), Self.fold(y, height)]
    }

    private static func fold(_ index: Int, _ count: Int) -> Int {
      var index = index
      while !(0..<count ~= index) { index = index < 0 ? -1 - index : 2 * count - 1 - index }
      return index
    }
  }

  /// Returns planes, of which the last one may be alpha, without noise.
  func filtered(_ planes: [[Float]]) -> [[Float]] {
    let count = size.pixelCount
    let colors = hasAlpha ? planes.count - 1 : planes.count
    let alpha = hasAlpha ? planes[colors] : nil
    let sums = planes.map { $0.reduce(0.0) { $0 + Double($1) } }
    let mixes = colors == 3 ? WaveletShrinkage.fromRGB : [[1]]
    let parts = mixes.enumerated().map { index, mix in
      let weights = mix.map { Float($0) }
      var part = planes[0]
      if colors == 3 {
        pe_weighted_sum(planes[0], planes[1], planes[2], count, weights + [0], &part)
      }
      if let alpha {
        let means = sums[..<colors].map { sums[colors] > 0 ? Float($0 / sums[colors]) : 0 }
        let hidden = zip(weights, means).reduce(Float(0)) { $0 + $1.0 * $1.1 }
        part = zip(part, alpha).map { $1 > 0 ? $0 / $1 : hidden }
      }
      let darkest = part.min() ?? 0
      let share = WaveletShrinkage.fromRGB[index].reduce(0) { $0 + $1 * $1 }.squareRoot()
      let image = Plane(size.width, size.height) { part[$1 * size.width + $0] + -darkest }
      return shrunk(image, noise: shrinkage.sigma.map { $0 * share }).samples.map { $0 + darkest }
    }
    var result = parts
    if colors == 3 {
      let matrix: [Float] = WaveletShrinkage.toRGB.flatMap { row in row.map { Float($0) } + [0] }
      var (red, green, blue) = (parts[0], parts[1], parts[2])
      pe_matrix(parts[0], parts[1], parts[2], count, matrix, &red, &green, &blue)
      result = [red, green, blue]
    }
    guard let alpha else { return result }
    return result.map { zip($0, alpha).map { $0 * $1 } } + [alpha]
  }

  private func shrunk(_ plane: Plane, noise: Double?) -> Plane {
    var images = [plane]
    var bands: [[Plane]] = []
    for _ in shrinkage.levelSizes(of: size) {
      bands.append(Self.split(images[images.count - 1]))
      images.append(bands[bands.count - 1][0])
    }
    let sigma = noise ?? Self.median(bands[0]) / 0.6744897501960817
    let variance = sigma * sigma
    var low = images[images.count - 1]
    for (level, bands) in bands.enumerated().reversed() {
      var bands = bands
      bands[0] = low
      if variance > 0 && shrinkage.strength > 0 {
        for band in 1...3 { bands[band] = shrunk(bands[band], variance) }
      }
      low = Self.join(bands, images[level].width, images[level].height)
    }
    return low
  }

  private func shrunk(_ band: Plane, _ variance: Double) -> Plane {
    let sum = (0..<band.height).reduce(0.0) { sum, y in
      var squares = 0.0
      let row = band.samples[y * band.width..<(y + 1) * band.width]
      pe_sum_squares(Array(row), band.width, &squares)
      return sum + squares
    }
    let signal = max(sum / Double(band.samples.count) - variance, .ulpOfOne)
    let threshold = Float(min(shrinkage.strength * variance / signal.squareRoot(), 1e30))
    return Plane(band.width, band.height) { x, y in
      let size = abs(band[x, y]) - threshold
      return size > 0 ? (band[x, y] < 0 ? -size : size) : 0
    }
  }

  private static func median(_ bands: [Plane]) -> Double {
    let sizes = zip(bands[3].samples, bands[0].samples).filter { $0 != 0 || $1 != 0 }
      .map { abs($0.0) }.sorted()
    if sizes.isEmpty { return 0 }
    let middle = Double(sizes[sizes.count / 2])
    return sizes.count % 2 == 1 ? middle : (middle + Double(sizes[sizes.count / 2 - 1])) / 2
  }

  private static func split(_ image: Plane) -> [Plane] {
    let (width, height) = ((image.width + 3) / 2, (image.height + 3) / 2)
    func sum(_ f: [Float], _ sample: (Int) -> Float) -> Float {
      (f[3] * sample(-2) + f[2] * sample(-1)) + (f[1] * sample(0) + f[0] * sample(1))
    }
    return [low, high].flatMap { vertical in
      let rows = Plane(image.width, height) { x, y in
        sum(vertical) { image.mirrored(x, 2 * y + $0) }
      }
      return [low, high].map { horizontal in
        Plane(width, height) { x, y in sum(horizontal) { rows.mirrored(2 * x + $0, y) } }
      }
    }
  }

  private static func join(_ bands: [Plane], _ width: Int, _ height: Int) -> Plane {
    func sum(_ low: (Float, Float), _ high: (Float, Float), _ odd: Int) -> Float {
      let (l, h) = (Self.low, Self.high)
      return (l[1 - odd] * low.0 + l[3 - odd] * low.1) + (h[1 - odd] * high.0 + h[3 - odd] * high.1)
    }
    let columns = [0, 2].map { band in
      Plane(2 * bands[0].width - 2, bands[0].height) { x, y in
        sum(
          (bands[band][x / 2, y], bands[band][x / 2 + 1, y]),
          (bands[band + 1][x / 2, y], bands[band + 1][x / 2 + 1, y]), x % 2)
      }
    }
    return Plane(width, height) { x, y in
      sum(
        (columns[0][x, y / 2], columns[0][x, y / 2 + 1]),
        (columns[1][x, y / 2], columns[1][x, y / 2 + 1]), y % 2)
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
package import PhotoEditPixels

/// Converts the operations for a large image to a small one: all lengths are scaled
/// here only.
///
/// Crop edges can fall within small pixels: the small image keeps whole pixels and the part of the
/// large image that it shows is recorded; the last resampling takes exactly that part.
struct PreviewScaling {
  /// The minimum number of input pixels of a resampling per output pixel: with fewer, the steep
  /// cutoff of the DCT becomes visible, kernels become too narrow to be sampled, and the preview
  /// exceeds class P.
  static let margin = 2.0
  /// The same for thumbnails decoded at an eighth, where a pixel is the mean of a block and has no
  /// steep cutoff: cameras of 12 megapixels make photos of 4,000 and 4,032 pixels, of which an eighth
  /// is enough for 256.
  static let marginAtEighth = 1.95
  /// The same for drags if each pixel is computed on its own and none moves: half as many input
  /// pixels take half the time, and previews are within class P.
  static let marginOfPoints = 1.4

  /// The size of the preview.
  let target: PixelSize
  /// The scale at which the source is decoded.
  let decoding: DecodingScale
  /// The required small pixels per large one after each number of resamplings; never more than one.
  private let requiredScales: [(x: Double, y: Double)]

  /// The size of the large image at the current operation.
  private var full: PixelSize
  /// The size of the small image.
  private var size: PixelSize
  /// The size of the pixels if they were reduced before, orientation applied; nil if the decoder or
  /// the first step reduces them.
  private var reduced: PixelSize?
  /// The position of the small image's origin in the large one.
  private(set) var origin = (x: 0.0, y: 0.0)
  /// The number of large pixels per small one.
  private(set) var step = (x: 1.0, y: 1.0)
  var operations: [FilterOperation] = []
  private var resamplings = 0

  /// Determines the sizes.
  ///
  /// - Parameters:
  ///   - operations: The operations for the large image, rotations first.
  ///   - stored: The size of the large image as stored.
  ///   - box: The size that the preview must fit into; the preview is never larger than the
  ///     rendering.
  init(_ operations: [FilterOperation], stored: PixelSize, fitting box: PixelSize) {
    let result = operations.reduce(stored) { $1.outputSize(of: $0) }
    self.init(operations, stored: stored, target: result.fitted(into: box))
  }

  /// Determines the sizes.
  ///
  /// - Parameters:
  ///   - operations: The operations for the large image, rotations first.
  ///   - stored: The size of the large image as stored.
  ///   - target: The size of the preview.
  ///   - margin: Input pixels of a resampling per output pixel, at least.
  init(
    _ operations: [FilterOperation], stored: PixelSize, target: PixelSize,
    margin: Double = Self.margin
  ) {
    let sizes = operations.reduce(into: [stored]) { $0.append($1.outputSize(of: $0[$0.count - 1])) }
    let result = sizes[sizes.count - 1]
    self.target = target
    var scale = (
      x: min(1, margin * Double(target.width) / Double(result.width)),
      y: min(1, margin * Double(target.height) / Double(result.height))
    )
    var requiredScales = [scale]
    for (operation, before) in zip(operations, sizes).reversed() {
      guard case .resample(let resampling) = operation else { continue }
      scale.x = min(1, Self.margin * scale.x * Double(resampling.size.width) / Double(before.width))
      scale.y = min(
        1, Self.margin * scale.y * Double(resampling.size.height) / Double(before.height))
      requiredScales.insert(scale, at: 0)
    }
    self.requiredScales = requiredScales
    decoding =
      DecodingScale.allCases.last { 1 / Double($0.rawValue) >= max(scale.x, scale.y) }
      ?? .full
    full = stored
    size = decoding.applied(to: stored)
  }

  /// Returns the size of pixels that are just large enough for the operations, with the orientation
  /// of the stored ones.
  ///
  /// - Parameter rotation: The rotation at the start of the operations.
  func smallestSize(rotation: Orientation) -> PixelSize {
    let size = rotation.applied(to: full)
    func side(_ side: Int, _ scale: Double) -> Int { max(1, Int((Double(side) * scale).rounded())) }
    return rotation.inverse.applied(
      to: PixelSize(
        width: side(size.width, requiredScales[0].x), height: side(size.height, requiredScales[0].y)
      ))
  }

  /// Returns the scaling of pixels that were reduced to a size before.
  func starting(with size: PixelSize) -> PreviewScaling {
    var scaling = self
    scaling.reduced = size
    scaling.size = size
    return scaling
  }

  /// Returns the small pixels per large one after a number of resamplings, for lengths without a
  /// direction.
  func scale(resamplings: Int) -> Double {
    if resamplings == 0 {
      guard let reduced else { return 1 / Double(decoding.rawValue) }
      return (Double(reduced.pixelCount) / Double(full.pixelCount)).squareRoot()
    }
    let scale = requiredScales[min(resamplings, requiredScales.count - 1)]
    return (scale.x * scale.y).squareRoot()
  }

  /// Returns the operations for the small image.
  ///
  /// - Parameters:
  ///   - operations: The operations with positions of the large image and scaled lengths, rotations
  ///     first.
  ///   - isDecodedSmall: Whether the decoder scales; otherwise the first step does.
  mutating func scaled(
    _ operations: [FilterOperation], isDecodedSmall: Bool
  ) -> [FilterOperation] {
    var rest = operations[...]
    var rotation = Orientation.up
    if case .orient(let first)? = rest.first {
      self.operations.append(.orient(first))
      rotation = first
      rest = rest.dropFirst()
    }
    begin(rotated: rotation, isDecodedSmall: isDecodedSmall)
    for operation in rest { operation.planned.scale(in: &self) }
    if size != target || span != nil {
      resample(Resampling(size: full, kernel: .lanczos3), to: target)
    }
    return self.operations
  }

  private mutating func begin(rotated rotation: Orientation, isDecodedSmall: Bool) {
    full = rotation.applied(to: full)
    size = rotation.applied(to: size)
    if reduced == nil, decoding == .full { return }
    guard reduced == nil, isDecodedSmall else {
      if reduced == nil { operations.append(.resample(Resampling(size: size, kernel: .box))) }
      step = (
        Double(full.width) / Double(size.width), Double(full.height) / Double(size.height)
      )
      return
    }
    step = (Double(decoding.rawValue), Double(decoding.rawValue))
    // The last stored column and row may be padded; a mirrored image starts with them.
    let m = rotation.matrix
    if m.xx + m.yx < 0 { origin.x = Double(full.width) - Double(size.width) * step.x }
    if m.xy + m.yy < 0 { origin.y = Double(full.height) - Double(size.height) * step.y }
  }

  /// The part of the large image that the small one shows, in small pixels; nil if it shows all of
  /// it.
  private var span: ResamplingSpan? {
    let span = ResamplingSpan(
      x: .init(start: -origin.x / step.x, length: Double(full.width) / step.x),
      y: .init(start: -origin.y / step.y, length: Double(full.height) / step.y))
    func isWhole(_ axis: ResamplingSpan.Axis, _ side: Int) -> Bool {
      abs(axis.start) < 1e-9 && abs(axis.length - Double(side)) < 1e-9
    }
    return isWhole(span.x, size.width) && isWhole(span.y, size.height) ? nil : span
  }

  /// Adds a crop of the large image.
  mutating func crop(to region: Region) {
    func cropped(_ first: Int, _ end: Int, _ origin: Double, _ step: Double, _ side: Int) -> Range<
      Int
    > {
      // A tiny excess over an edge is a rounding error and not another pixel.
      let low = Int(((Double(first) - origin) / step + 1e-9).rounded(.down))
      let high = Int(((Double(end) - origin) / step - 1e-9).rounded(.up))
      let start = min(max(0, low), side - 1)
      return start..<min(max(high, start + 1), side)
    }
    let x = cropped(region.x, region.maxX, origin.x, step.x, size.width)
    let y = cropped(region.y, region.maxY, origin.y, step.y, size.height)
    operations.append(
      .crop(Region(x: x.lowerBound, y: y.lowerBound, width: x.count, height: y.count)))
    origin.x += Double(x.lowerBound) * step.x - Double(region.x)
    origin.y += Double(y.lowerBound) * step.y - Double(region.y)
    full = region.size
    size = PixelSize(width: x.count, height: y.count)
  }

  /// Adds a resampling of the large image.
  mutating func resample(_ resampling: Resampling) {
    resamplings += 1
    let scale = requiredScales[resamplings]
    resample(
      resampling,
      to: PixelSize(
        width: max(1, Int((Double(resampling.size.width) * scale.x).rounded())),
        height: max(1, Int((Double(resampling.size.height) * scale.y).rounded()))))
  }

  private mutating func resample(_ resampling: Resampling, to small: PixelSize) {
    operations.append(.resample(resampling.scaled(to: small, span: span)))
    full = resampling.size
    size = small
    origin = (0, 0)
    step = (Double(full.width) / Double(small.width), Double(full.height) / Double(small.height))
  }
}

extension PixelSize {
  /// Returns the largest size with the same aspect ratio that fits into a box and is no larger than
  /// this one.
  package func fitted(into box: PixelSize) -> PixelSize {
    guard !isEmpty else { return self }
    let scale = min(
      1, Double(box.width) / Double(width), Double(box.height) / Double(height))
    func side(_ side: Int, _ most: Int) -> Int {
      max(1, min(Int((Double(side) * scale).rounded()), most))
    }
    return PixelSize(
      width: side(width, max(1, box.width)), height: side(height, max(1, box.height)))
  }
}

// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditStorage

/// The pixels of an image at a smaller size, with its orientation applied, in its own color space
/// or converted to sRGB.
struct ReducedImage: Sendable {
  /// The size and the number of planes.
  let shape: StripShape
  /// Indicates whether the colors were converted to sRGB.
  let isConverted: Bool
  /// Rows of consecutive planes.
  private let samples: [UInt16]

  var byteCount: Int { 2 * samples.count }

  init(
    _ image: ImageSource, to size: PixelSize, treatment: ColorManagement, options: RenderOptions
  ) throws(RenderError) {
    let job = try RenderJob(reducing: image, to: size, treatment: treatment, options: options)
    let rows = LockedValue<(planes: Int, samples: [UInt16])>((0, []))
    try job.renderRows(bytesPerSample: 2) { size, planes in
      rows.withLock {
        $0 = (planes, [UInt16](repeating: 0, count: size.pixelCount * planes))
      }
      return { strip in
        rows.withLock { rows in
          rows.samples.withUnsafeMutableBufferPointer { samples in
            guard let base = samples.baseAddress else { return }
            for y in strip.rows {
              for plane in 0..<planes {
                pe_pack_u16(
                  strip.row(y, plane: plane), size.width,
                  base + (y * planes + plane) * size.width)
              }
            }
          }
        }
      }
    }
    let planes: Int
    (planes, samples) = rows.withLock { $0 }
    shape = StripShape(size: size, format: .planes(planes))
    isConverted = treatment.conversion != nil
  }

  /// The rows as floats.
  ///
  /// - Parameter curves: The curve of each plane that they have passed; empty if none.
  func pixels(
    after curves: [ToneCurve] = [], isCancelled: @escaping @Sendable () -> Bool
  ) -> OwnPixels {
    let (samples, shape) = (samples, shape)
    var tables: [ToneCurve: [Float]] = [:]
    for curve in curves where tables[curve] == nil { tables[curve] = curve.valuesOfWords() }
    let tablesOfPlanes = curves.compactMap { tables[$0] }
    let width = shape.size.width
    let count = samples.count / max(1, shape.size.height)
    return .rows(shape, bitsPerSample: 16) { rows, memory throws(RenderError) in
      if isCancelled() { throw .cancelled }
      samples.withUnsafeBufferPointer { samples in
        guard var source = samples.baseAddress.map({ $0 + rows.lowerBound * count }) else { return }
        var target = memory.assumingMemoryBound(to: Float.self)
        guard !tablesOfPlanes.isEmpty else {
          // Rows are contiguous in both.
          return pe_unpack_u16(source, rows.count * count, 1, target, 0)
        }
        for _ in rows {
          for table in tablesOfPlanes {
            pe_look_up_u16(source, width, table, target)
            source += width
            target += width
          }
        }
      }
    }
  }
}

extension ToneCurve {
  /// Returns the values for all samples of 16 bits, with the bits that they have in pixels.
  fileprivate func valuesOfWords() -> [Float] {
    let shape = StripShape(size: PixelSize(width: 1 << 10, height: 1 << 6), format: .planes(1))
    let plan = RenderPlan(
      [.curves(ChannelCurves(self))], source: shape, background: .white, result: .floats)
    var levels = (0...UInt16.max).map { Float($0) / 65535 }
    var values = levels
    for stage in plan.stages {
      levels.withUnsafeMutableBytes { levels in
        values.withUnsafeMutableBytes { values in
          guard let input = levels.baseAddress, let output = values.baseAddress else { return }
          RowWorker(stage).run(
            rows: 0..<shape.size.height,
            from: StripWindow(
              ring: input, capacity: shape.size.height, bytesPerRow: shape.bytesPerRow),
            into: output, bytesPerRow: shape.bytesPerRow)
        }
      }
      levels = values
    }
    return values
  }

  /// Indicates whether a lookup in a large table is faster.
  fileprivate var isSlow: Bool {
    steps.contains { step in
      switch step {
      case .affine, .clamp: false
      default: true
      }
    }
  }
}

extension RenderJob {
  /// Creates the job of reducing an image, in its own color space unless tables describe it.
  fileprivate init(
    reducing image: ImageSource, to size: PixelSize, treatment: ColorManagement,
    options: RenderOptions
  ) throws(RenderError) {
    var job = try RenderJob(image, FilterGraph(), options: options)
    job.treatment = treatment.conversion == nil ? .none : treatment
    let steps = job.operations.filter { if case .orient = $0 { true } else { false } }
    var scaling = PreviewScaling(steps, stored: image.header.size, target: size)
    let isJPEG = image.frame != nil
    job.decodingScale = isJPEG ? scaling.decoding : .full
    job.operations = scaling.scaled(steps, isDecodedSmall: isJPEG)
    job.outputSize = size
    self = job
  }

  /// Removes the curves before all other operations except rotations and crops, and returns them as
  /// one for each plane; returns nothing if the pixels are computed faster without tables.
  mutating func takeFirstCurves(of shape: StripShape) -> [ToneCurve] {
    guard case .planes(let count) = shape.format else { return [] }
    let steps =
      options.simplifiesPlans
      ? operations.simplified(for: SubgraphResult(decoded: shape)) : operations
    let moves = steps.prefix { step in
      switch step {
      case .orient, .crop: true
      default: false
      }
    }
    var joined = [ToneCurve](repeating: ToneCurve([]), count: count)
    var rest = steps.dropFirst(moves.count)
    while case .curves(let curves)? = rest.first {
      guard count == 3 || curves.isUniform else { return [] }
      joined = zip(joined, curves.channels).map { $0.followed(by: $1) }
      rest.removeFirst()
    }
    let tables = Set(joined).count
    guard joined.contains(where: \.isSlow), shape.size.pixelCount * count > tables << 18 else {
      return []
    }
    operations = Array(moves + rest)
    return joined
  }
}

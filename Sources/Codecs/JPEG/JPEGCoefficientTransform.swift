// SPDX-License-Identifier: Apache-2.0
import CJPEG
package import Pixels
package import Storage

/// Turns, mirrors, crops and grays a JPEG without decoding it: nothing is quantised again.
package struct JPEGCoefficientTransform: Hashable, Sendable {
  /// What becomes of colour.
  package enum Chroma: Hashable, Sendable {
    /// It stays.
    case keep
    /// One component is left.
    case drop
    /// Three components are left, two of them neutral.
    case zero
  }

  /// How the stored picture is turned.
  package var orientation: Orientation
  /// The part of the stored picture that is kept.
  package var crop: Region
  package var chroma: Chroma

  package init(orientation: Orientation, crop: Region, chroma: Chroma) {
    self.orientation = orientation
    self.crop = crop
    self.chroma = chroma
  }

  /// Whether the result has exactly the pixels that are wanted, with the same coefficients.
  ///
  /// Blocks start on the grid, so the near edge of the result must: the far edge of the stored
  /// part where it is mirrored, else the near one.
  package func isExact(for frame: JPEGFrame) -> Bool {
    guard frame.color == .ycbcr || (frame.color == .gray && frame.components.count == 1),
      frame.hasPlainSampling
    else { return false }
    let unit = frame.mcuSize
    let m = orientation.matrix
    let startX = m.xx + m.xy < 0 ? crop.maxX : crop.x
    let startY = m.yx + m.yy < 0 ? crop.maxY : crop.y
    return startX % unit.width == 0 && startY % unit.height == 0
  }

  /// Runs the transform; the result has a restart marker behind every MCU row.
  ///
  /// - Throws: `CodecError.damaged` where decoding pixels would throw it.
  package func run(
    _ bytes: FileBytes, options: DecoderOptions = DecoderOptions(), segments: [JPEGSegment] = [],
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws(CodecError) -> (bytes: [UInt8], notices: [CodecNotice]) {
    try JPEGFrameScan.check(bytes.buffer, limits: options.limits)
    let handle = try JPEGHandle(bytes, maximumScans: options.limits.maximumScans)
    let info = try handle.readHeader()
    let m = orientation.matrix
    var c = pe_jpeg_transform()
    (c.xx, c.xy, c.yx, c.yy) = (Int32(m.xx), Int32(m.xy), Int32(m.yx), Int32(m.yy))
    (c.crop_x, c.crop_y) = (Int32(crop.x), Int32(crop.y))
    (c.crop_width, c.crop_height) = (Int32(crop.width), Int32(crop.height))
    c.chroma = Int32(
      chroma == .keep
        ? PE_JPEG_KEEP_CHROMA : chroma == .drop ? PE_JPEG_DROP_CHROMA : PE_JPEG_ZERO_CHROMA)
    let jpeg = try handle.transform(c, isCancelled: isCancelled)
    var notices: [CodecNotice] = []
    for warning in handle.warnings {
      // Which rows are real is known to the pixel path only; coefficients come all at once.
      if warning.isDamage && !options.isLenient {
        throw .damaged(message: warning.message, realRows: 0, rows: Int(info.height))
      }
      notices.append(CodecNotice(warning.isDamage ? .lenient : .harmless, warning.message))
    }
    return (try JPEGAssembler.insert(segments, into: jpeg), notices)
  }
}

extension JPEGFrame {
  /// Whether chroma is sampled alike and luma is the finest, as turned files must be.
  fileprivate var hasPlainSampling: Bool {
    guard components.count == 3 else { return true }
    return components[1].horizontalSampling == components[2].horizontalSampling
      && components[1].verticalSampling == components[2].verticalSampling
      && components[0].horizontalSampling >= components[1].horizontalSampling
      && components[0].verticalSampling >= components[1].verticalSampling
  }
}

/// The coefficients of a JPEG, component by component, 64 for each block.
package func jpegCoefficients(_ bytes: FileBytes) throws(CodecError) -> [[Int16]] {
  let count = try JPEGDecoder(bytes).frame.components.count
  var components: [[Int16]] = []
  for component in 0..<count {
    let handle = try JPEGHandle(bytes, maximumScans: ImageLimits().maximumScans)
    _ = try handle.readHeader()
    components.append(try handle.coefficients(component: component).values)
  }
  return components
}

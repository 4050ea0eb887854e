// SPDX-License-Identifier: Apache-2.0
#if RAW
  import CPhotoEditRAW
  import PhotoEditPixels
  public import PhotoEditStorage

  /// A LibRaw-based decoder that develops a camera raw file to linear light.
  ///
  /// The white balance is that of the camera, missing colors are interpolated with AHD, highlights
  /// that are clipped in some channels keep the light of the others, and brightness is not adjusted.
  /// Rows have 16-bit samples with the primaries of Display P3 and no transfer curve; they are
  /// oriented `up`. The whole image is developed when the first row is read, and is held in memory.
  /// Damage that is found is always an error, because the library does not tell which pixels are
  /// affected. Cancellation is checked during development.
  public final class RawDecoder: ImageDecoder, WholeImageDecoder {
    /// The properties of the developed image.
    public let header: ImageHeader
    /// Notices so far.
    public let notices: [DecoderWarning]
    /// The sensor's samples, the colors of all pixels in four channels, and the developed rows.
    public let workingBytes: Int

    private let bytes: FileBytes
    private let options: DecoderOptions
    private let camera: String?
    private let damage: String?
    private var image: OpaquePointer?
    private var next = 0
    private var end = DecodingEnd()

    /// Loads the library and reads the properties of the file; checks the limits before anything is
    /// developed.
    public init(_ bytes: FileBytes, options: DecoderOptions = DecoderOptions()) throws(CodecError) {
      let file = try RawFile(bytes, options: options)
      let size = PixelSize(width: Int(file.info.width), height: Int(file.info.height))
      try options.limits.check(size)
      try options.limits.check(file.sensorSize)
      header = ImageHeader(
        format: .raw, size: size, layout: RowLayout(channels: .rgb, bytesPerSample: 2),
        sourceColor: .rgb, bitsPerSample: 16, isProgressive: false, development: file.development)
      notices = file.notices
      workingBytes = file.workingBytes(developed: size)
      (camera, damage) = (file.camera, file.damage(of: bytes))
      (self.bytes, self.options) = (bytes, options)
    }

    deinit { pe_raw_destroy(image) }

    /// Develops the image if necessary, delivers the next rows and returns their number; 0 at the
    /// end.
    public func readRows(_ count: Int, into base: UnsafeMutableRawPointer, bytesPerRow: Int)
      throws(CodecError) -> Int
    {
      let requested = checkRows(count, bytesPerRow: bytesPerRow)
      try end.check()
      try end.keep { () throws(CodecError) in
        if options.isCancelled?() == true { throw .cancelled }
        if image == nil { try develop() }
      }
      let rows = min(Int(requested), header.size.height - next)
      Self.matrix.withUnsafeBufferPointer { matrix in
        pe_raw_rows(
          image, matrix.baseAddress, UInt32(next), UInt32(rows),
          base.assumingMemoryBound(to: UInt8.self), bytesPerRow)
      }
      next += rows
      return rows
    }

    func startOver() -> Bool {
      next = 0
      return true
    }

    private func develop() throws(CodecError) {
      // LibRaw computes with several threads, and its runtime ends the process if it has none.
      guard ThreadGroup.areAvailable(ThreadGroup.cores) else { throw .noThreads }
      if let damage { throw .damaged(damage) }
      var size: (width: UInt32, height: UInt32) = (0, 0)
      try RawFile.call(options) { choices, message throws(CodecError) in
        let base = bytes.buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
        let code = pe_raw_develop(
          base, bytes.count, &choices, &image, &size.width, &size.height, message)
        return (code, camera)
      }
      guard size.width == UInt32(header.size.width), size.height == UInt32(header.size.height)
      else {
        throw .damaged("the developed image does not match the file header")
      }
    }

    /// The matrix from LibRaw's linear ProPhoto RGB to linear Display P3, row by row.
    ///
    /// - Source: LibRaw:src/tables/colorconst.cpp, prophoto_rgb, relative to sRGB.
    private static let matrix: [Float] = {
      let fromSRGB = [
        [0.529317, 0.330092, 0.140588], [0.098368, 0.873465, 0.028169],
        [0.016879, 0.117663, 0.865457],
      ]
      guard let toSRGB = ColorMatrix.inverse(fromSRGB), let sRGB = ColorPrimaries.sRGB.matrix,
        let toP3 = ColorPrimaries.displayP3.matrix.flatMap({ ColorMatrix.inverse($0) })
      else { preconditionFailure("constant matrices are invertible") }
      let matrix = ColorMatrix.product(ColorMatrix.product(toP3, sRGB), toSRGB)
      return matrix.joined().map { Float($0) }
    }()
  }
#endif

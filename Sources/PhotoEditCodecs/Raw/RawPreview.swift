// SPDX-License-Identifier: Apache-2.0
package import PhotoEditPixels
package import PhotoEditStorage

#if RAW
  import CPhotoEditRAW
#endif

/// The JPEG that a camera stores in a raw file, as it would have taken it.
package struct RawPreview {
  /// The JPEG file.
  package let jpeg: FileBytes
  /// The orientation of the JPEG's pixels.
  package let orientation: Orientation

  /// Extracts the preview of a raw file; nil without a complete one that has the shape of the image,
  /// and in builds that cannot develop raw files.
  ///
  /// - Parameter size: The size of the developed image, with its orientation applied.
  package init?(_ bytes: FileBytes, of size: PixelSize, limits: ImageLimits) {
    #if RAW
      guard let found = Self.stored(in: bytes, limits: limits),
        case let jpeg = FileBytes(found.jpeg),
        let stored = try? JPEGDecoder(jpeg, options: DecoderOptions(limits: limits)).header.size
      else { return nil }
      var orientation = Self.orientation(flip: found.flip)
      // Some cameras rotate the preview, but not the samples.
      if orientation.swapsAxes, stored.width < stored.height, size.width < size.height {
        orientation = .up
      }
      // Previews may have a border less, but not another shape.
      let shown = orientation.applied(to: stored)
      let shape = Double(shown.width) / Double(shown.height)
      let expected = Double(size.width) / Double(size.height)
      guard abs(shape / expected - 1) < Self.shapeTolerance else { return nil }
      (self.jpeg, self.orientation) = (jpeg, orientation)
    #else
      return nil
    #endif
  }

  #if RAW
    private static let shapeTolerance = 0.03

    /// Reads the JPEG and the library's number of the orientation, in a confined process if the
    /// policy requires that.
    private static func stored(
      in bytes: FileBytes, limits: ImageLimits
    ) -> (jpeg: [UInt8], flip: Int)? {
      do throws(CodecError) {
        let options = DecoderOptions(limits: limits)
        if let process = try DecoderProcess.ready(for: DecoderLibrary.raw.rawValue, options) {
          return try process.preview(of: bytes, options)
        }
      } catch {
        return nil
      }
      return storedHere(in: bytes, limits: limits)
    }

    /// Reads the JPEG and the library's number of the orientation in this process.
    static func storedHere(
      in bytes: FileBytes, limits: ImageLimits
    ) -> (jpeg: [UInt8], flip: Int)? {
      guard let file = try? RawFile(bytes, options: DecoderOptions(limits: limits)) else {
        return nil
      }
      var found: [UInt8] = []
      let base = bytes.buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
      let code = withUnsafeMutablePointer(to: &found) { found in
        pe_raw_preview(
          base, bytes.count,
          { context, start, count in
            guard let start else { return }
            context?.assumingMemoryBound(to: [UInt8].self).pointee = Array(
              UnsafeBufferPointer(start: start, count: count))
          }, found)
      }
      return code == PE_RAW_OK && !found.isEmpty ? (found, Int(file.info.flip)) : nil
    }

    /// Converts LibRaw's combination of mirroring by rows (1), by columns (2) and transposition (4).
    private static func orientation(flip: Int) -> Orientation {
      let orientations: [Orientation] = [
        .up, .upMirrored, .downMirrored, .down, .leftMirrored, .left, .right, .rightMirrored,
      ]
      return orientations.indices.contains(flip) ? orientations[flip] : .up
    }
  #endif
}

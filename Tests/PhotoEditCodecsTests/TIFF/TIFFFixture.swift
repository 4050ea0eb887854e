// SPDX-License-Identifier: Apache-2.0
import CPhotoEditImageWriters
import PhotoEditPixels

/// Writes TIFF files with libtiff.
struct TIFFFixture: CustomStringConvertible {
  var width = 37
  var height = 29
  var bits = 8
  var samples = 3
  /// 0 and 1 gray, 2 RGB, 3 palette, 5 CMYK, 6 YCbCr.
  var photometric = 2
  var compression = 1
  var predictor = 1
  var orientation = 0
  var extra = -1
  var sampleFormat = 1
  var isSeparate = false
  var isBigEndian = false
  var isBigTIFF = false
  var isLeastSignificantFirst = false
  var tile = 0
  var rowsPerStrip = 5
  var subsampling = 0
  var palette: [UInt16]?
  var pages = 1

  var description: String {
    "compression \(compression), \(samples)×\(bits) bits, photometric \(photometric)"
      + ", tile \(tile), separate \(isSeparate), big \(isBigEndian) \(isBigTIFF)"
  }

  var bytesPerRow: Int { (width * samples * bits + 7) / 8 }

  /// Encodes packed rows; empty if libtiff rejects.
  func file(_ rows: [UInt8]) -> [UInt8] {
    var image = pe_writer_tiff()
    image.width = UInt32(width)
    image.height = UInt32(height)
    image.bits = UInt16(bits)
    image.samples = UInt16(samples)
    image.photometric = UInt16(photometric)
    image.compression = UInt16(compression)
    image.predictor = UInt16(predictor)
    image.orientation = UInt16(orientation)
    image.extra = Int32(extra)
    image.sample_format = UInt16(sampleFormat)
    image.is_separate = isSeparate ? 1 : 0
    image.is_big_endian = isBigEndian ? 1 : 0
    image.is_big_tiff = isBigTIFF ? 1 : 0
    image.is_least_significant_first = isLeastSignificantFirst ? 1 : 0
    image.tile = UInt32(tile)
    image.rows_per_strip = UInt32(rowsPerStrip)
    image.subsampling = UInt16(subsampling)
    image.pages = UInt32(pages)
    let bytes = rows.withUnsafeBufferPointer { rows in
      (palette ?? []).withUnsafeBufferPointer { colors in
        encodedBytes { count in
          image.palette = palette == nil ? nil : colors.baseAddress
          return pe_writer_encode_tiff(&image, rows.baseAddress, bytesPerRow, count)
        }
      }
    }
    return bytes ?? []
  }

  /// Rows of distinct bytes.
  var sampleRows: [UInt8] {
    (0..<bytesPerRow * height).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 / bytesPerRow * 7) }
  }
}

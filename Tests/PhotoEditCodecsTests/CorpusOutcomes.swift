// SPDX-License-Identifier: Apache-2.0

/// The expected outcomes for the corpus files: the rejected images and the reasons.
///
/// Every other file with an image extension opens completely; files without one are not images.
enum CorpusOutcomes {
  /// A part of the error message, and the files rejected with it.
  static let refused: [(reason: String, files: [String])] = [
    (
      "a lossless JPEG",
      [
        "image-rs-jpeg-decoder/tests/reftest/images/lossless/1/jpeg_lossless_sel1.jpg",
        "image-rs-jpeg-decoder/tests/reftest/images/lossless/1/jpeg_lossless_sel2.jpg",
        "image-rs-jpeg-decoder/tests/reftest/images/lossless/1/jpeg_lossless_sel3.jpg",
        "image-rs-jpeg-decoder/tests/reftest/images/lossless/1/jpeg_lossless_sel4.jpg",
        "image-rs-jpeg-decoder/tests/reftest/images/lossless/1/jpeg_lossless_sel5.jpg",
        "image-rs-jpeg-decoder/tests/reftest/images/lossless/1/jpeg_lossless_sel6.jpg",
        "image-rs-jpeg-decoder/tests/reftest/images/lossless/1/jpeg_lossless_sel7.jpg",
      ]
    ),
    (
      "premature end of data segment",
      [
        "image-rs-jpeg-decoder/tests/reftest/images/partial_progressive.jpg",
        "pigallery2/test/backend/assets/edge_case_exif_data/date_error.JPG",
        "pigallery2/test/backend/assets/edge_case_exif_data/iso_error.jpg",
      ]
    ),
    (
      "Inconsistent progression sequence for component 0 coefficient 0",
      [
        "image-rs-jpeg-decoder/tests/reftest/images/progressive-missing-dc.jpg"
      ]
    ),
    (
      "a JPEG with 12 bits per sample",
      [
        "libjpeg-turbo/testimages/monkey12.jpg"
      ]
    ),
    (
      "a PNM image",
      [
        "libjpeg-turbo/testimages/monkey16.pgm",
        "libjpeg-turbo/testimages/testorig.ppm",
      ]
    ),
    (
      "a BMP image",
      [
        "libjpeg-turbo/testimages/shira_bird8.bmp",
        "libjpeg-turbo/testimages/vgl_6434_0018a.bmp",
        "libjpeg-turbo/testimages/vgl_6548_0026a.bmp",
      ]
    ),
    (
      "Invalid IHDR data",
      [
        "pngsuite/png/xc1n0g08.png",
        "pngsuite/png/xc9n2c08.png",
        "pngsuite/png/xd0n2c08.png",
        "pngsuite/png/xd3n2c08.png",
        "pngsuite/png/xd9n2c08.png",
      ]
    ),
    (
      "invalid signature; the file may have been transferred in text mode",
      [
        "pngsuite/png/xcrn0g04.png",
        "pngsuite/png/xlfn0g04.png",
        "pngsuite/png/xs1n0g01.png",
        "pngsuite/png/xs7n0g01.png",
      ]
    ),
    (
      "IDAT: CRC error",
      [
        "pngsuite/png/xcsn0g01.png"
      ]
    ),
    (
      "IEND: out of place",
      [
        "pngsuite/png/xdtn0g01.png"
      ]
    ),
    (
      "IHDR: CRC error",
      [
        "pngsuite/png/xhdn0g08.png"
      ]
    ),
    (
      "data of an unknown kind",
      [
        "pngsuite/png/xs2n0g01.png",
        "pngsuite/png/xs4n0g01.png",
      ]
    ),
    (
      "unexpected end of file",
      [
        "wuffs/test/data/peacock.default.truncated.jpeg",
        "wuffs/test/data/peacock.progressive.truncated.jpeg",
      ]
    ),
  ]

  /// Image file extensions in lowercase.
  static let images = [
    "jpg", "jpeg", "png", "heic", "heif", "avif", "bmp", "pgm", "ppm", "webp", "tif", "gif",
  ]
}

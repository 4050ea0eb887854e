// SPDX-License-Identifier: Apache-2.0

/// The TIFF tags that this module uses, apart from those of EXIF.
///
/// - Source: TIFF 6.0; Adobe PageMaker 6.0 TIFF Technical Notes; TIFF/EP (ISO 12234-2); DNG 1.7.
enum TIFFTag {
  static let newSubfileType = 254
  static let compression = 259
  static let photometricInterpretation = 262
  static let primaryChromaticities = 319
  static let subDirectories = 330
  static let extraSamples = 338
  static let xmp = 700
  static let iptc = 33_723
  static let photoshop = 34_377
  static let iccProfile = 34_675
  static let makerNote = 0x927C
  static let leafMakerNote = 34_310
  static let dngVersion = 50_706

  /// Descriptive tags that have the same meaning in EXIF's first directory.
  static let descriptive: Set<Int> = [
    269, 270, 271, 272, 274, 282, 283, 285, 296, 305, 306, 315, 316, 0x4746, 0x4749, 0x8298, 0x9C9B,
    0x9C9C, 0x9C9D, 0x9C9E, 0x9C9F, 0xC4A5,
    // TIFF/EP stores here what EXIF has in a separate directory.
    0x829A, 0x829D, 0x8822, 0x8827, 0x9003, 0x9201, 0x9202, 0x9203, 0x9204, 0x9205, 0x9206, 0x9207,
    0x9208, 0x9209, 0x920A,
  ]

  /// Tags that describe sample storage, which do not apply to a rendering, and tags that are
  /// handled separately.
  static let structural: Set<Int> = [
    254, 255, 256, 257, 258, 259, 262, 263, 264, 265, 266, 273, 277, 278, 279, 280, 281, 284, 286,
    287, 288, 289, 290, 291, 292, 293, 297, 301, 317, 318, 319, 320, 321, 322, 323, 324, 325, 326,
    327, 328, 330, 332, 333, 334, 336, 337, 338, 339, 340, 341, 342, 347, 512, 513, 514, 515, 517,
    518, 519, 520, 521, 529, 530, 531, 532, 700, 33_723, 34_377, 34_665, 34_675, 34_853,
  ]

  /// Compressions used only by camera raw files.
  static let rawCompressions: Set<Int> = [
    32_767, 32_769, 32_770, 32_772, 34_713, 34_892, 65_000, 65_535,
  ]

  /// Color filter array, and the linear raw samples of DNG.
  static let rawInterpretations: Set<Int> = [32_803, 34_892]
}

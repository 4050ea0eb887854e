// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

/// An item of an HEIF file: an image, a tile, EXIF or XMP.
///
/// - Source: ISO/IEC 14496-12:2022, 8.11.3 (locations), 8.11.6 (types).
struct HEIFItem {
  let identifier: Int
  let type: FourCC
  /// The MIME type of an item 'mime', otherwise empty.
  let contentType: String
  /// "deflate" if the bytes are compressed, otherwise empty.
  let contentEncoding: String
  let isHidden: Bool
  /// The offset of its box.
  let start: Int
  var location: Location?
  /// In order of application.
  var properties: [HEIFProperty] = []

  /// The location of an item's bytes.
  struct Location {
    /// 0 for file offsets, 1 for offsets in the box 'idat'; other values are not supported.
    var method: Int
    /// Indicates whether the bytes are in another file.
    var isExternal: Bool
    /// Offset and length of the extents; a length of 0 means up to the end.
    var extents: [(offset: Int, length: Int)]
  }

  /// The size before transformations.
  var size: PixelSize? { first { if case .size(let size) = $0 { size } else { nil } } }
  /// The byte range of the first ICC profile.
  var profile: Range<Int>? { first { if case .profile(let range) = $0 { range } else { nil } } }
  var hevc: HEVCConfiguration? { first { if case .hevc(let own) = $0 { own } else { nil } } }
  /// The byte range of the AV1 sequence header, which may be empty.
  var av1: Range<Int>? { first { if case .av1(let units) = $0 { units } else { nil } } }
  /// The purpose of an auxiliary image.
  var auxiliaryType: String? { first { if case .auxiliary(let type) = $0 { type } else { nil } } }

  private func first<Value>(_ value: (HEIFProperty) -> Value?) -> Value? {
    properties.lazy.compactMap(value).first
  }

  /// Indicates whether the image is rotated, mirrored or cropped after decoding.
  var isTransformed: Bool {
    properties.contains {
      switch $0 {
      case .rotation, .mirror, .aperture: true
      default: false
      }
    }
  }

  /// Indicates whether this is an image to display, coded or derived.
  var isImage: Bool {
    ["hvc1", "hev1", "av01", "grid", "iovl", "iden", "avc1", "jpeg", "j2k1", "unci", "lhv1"]
      .contains(type)
  }
}

/// A property of an image in a file.
///
/// - Source: ISO/IEC 23008-12:2022, 6.5; ISO/IEC 14496-12:2022, 12.1.5 (color) and 12.1.4 (crop).
enum HEIFProperty {
  /// 'ispe'.
  case size(PixelSize)
  /// 'irot': number of 90° rotations counterclockwise.
  case rotation(Int)
  /// 'imir': true about a vertical axis, which swaps left and right.
  case mirror(isLeftRight: Bool)
  /// 'clap'.
  case aperture(CleanAperture)
  /// 'colr' of type 'prof' or 'rICC'.
  case profile(Range<Int>)
  /// 'colr' of type 'nclx'.
  case color(CodedColor)
  /// 'clli': the maximum content light level in cd/m²; 0 if unknown.
  case lightLevel(Int)
  /// 'auxC': the name of a purpose.
  case auxiliary(String)
  /// 'hvcC'.
  case hevc(HEVCConfiguration)
  /// 'av1C': the byte range of its units.
  case av1(Range<Int>)
  /// Any other property.
  case other(FourCC)
}

/// The box 'hvcC': the storage format of units, and the parameter sets.
///
/// - Source: ISO/IEC 14496-15:2022, 8.3.2.1.
struct HEVCConfiguration {
  /// Bytes of the length before each unit: 1, 2 or 4.
  let lengthSize: Int
  /// The byte ranges of the parameter sets.
  let units: [Range<Int>]

  init(_ reader: inout BoxReader) throws(BoxError) {
    try reader.skip(21)
    lengthSize = try reader.unsigned(1) & 3 + 1
    var units: [Range<Int>] = []
    for _ in 0..<(try reader.unsigned(1)) {
      try reader.skip(1)
      for _ in 0..<(try reader.unsigned(2)) {
        let length = try reader.unsigned(2)
        let start = reader.position
        try reader.skip(length)
        units.append(start..<reader.position)
      }
    }
    self.units = units
  }
}

/// The part of an image to display, in fractions of pixels.
struct CleanAperture {
  private let width: Fraction
  private let height: Fraction
  private let x: Fraction
  private let y: Fraction

  private struct Fraction {
    let numerator: Int
    let denominator: Int
  }

  init(_ reader: inout BoxReader) throws(BoxError) {
    var parts: [Fraction] = []
    for _ in 0..<4 {
      let part = Fraction(numerator: try reader.signed(), denominator: try reader.signed())
      guard part.denominator > 0 else {
        throw BoxError(message: "clean aperture has denominator \(part.denominator)")
      }
      parts.append(part)
    }
    (width, height, x, y) = (parts[0], parts[1], parts[2], parts[3])
  }

  /// Returns the size of the cropped image; nil if the aperture is not inside the image.
  func applied(to size: PixelSize) -> PixelSize? {
    guard let w = Self.length(width, offset: x, of: size.width),
      let h = Self.length(height, offset: y, of: size.height)
    else { return nil }
    return PixelSize(width: w, height: h)
  }

  private static func length(_ length: Fraction, offset: Fraction, of whole: Int) -> Int? {
    let pixels = Double(length.numerator) / Double(length.denominator)
    let shift = Double(offset.numerator) / Double(offset.denominator)
    let start = shift + (Double(whole) - pixels) / 2
    guard pixels >= 1, start > -1, start + pixels < Double(whole) + 1 else { return nil }
    return Int(pixels.rounded())
  }
}

/// Damage in the boxes of a file, as one clause.
struct BoxError: Error, Hashable {
  let message: String

  /// A value extends past the end of its box.
  static let truncated = BoxError(message: "a box is truncated")
}

/// Boxes of images in memory, which must outlive their readers.
enum HEIFBoxes: BoxDialect {
  typealias Bytes = UnsafeRawBufferPointer

  static let isQuickTime = false
  static let maximumBoxes = 65_536

  static func failure(_ flaw: BoxFlaw, in name: String) -> BoxError {
    switch flaw {
    case .endsEarly, .entries: .truncated
    case .number(let number):
      BoxError(message: "value \(number) exceeds the maximum file size")
    case .size(let type, let claimed, let available) where claimed > available:
      BoxError(
        message: "box '\(type.characters)' has \(claimed) bytes, but \(available) are available")
    case .size(let type, let claimed, _):
      BoxError(message: "box '\(type.characters)' has the invalid length \(claimed)")
    case .boxes(let limit): BoxError(message: "more than \(limit) boxes")
    case .repeated(let type): BoxError(message: "duplicate box '\(type.characters)'")
    }
  }
}

typealias BoxReader = PhotoEditContainers.BoxReader<HEIFBoxes>

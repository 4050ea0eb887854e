// SPDX-License-Identifier: Apache-2.0

/// The texts of EXIF, also those of Windows, and its stars.
extension TIFFStructure {
  /// Returns the text of a property.
  func text(_ name: MetadataName) -> String? {
    let texts = name.exif.compactMap { text($0, name) }
    guard texts.count > 1 else { return texts.first }
    // Windows repeats the title as the description.
    let title = text(ExifTag.windowsTitle, .title)
    return texts.first { $0 != title } ?? texts.first
  }

  /// Returns a text of the main directory or of the one of EXIF.
  private func text(_ tag: Int, _ name: MetadataName) -> String? {
    if ExifTag.ofWindows.contains(tag) { return windowsText(tag).flatMap(name.ofPhoto) }
    // Those of the main directory are numbered before those of EXIF.
    let directory =
      tag < ExifTag.exposureTime
      ? main : self.directory(pointedToBy: ExifTag.exifDirectory, in: main)
    if tag == ExifTag.userComment {
      return directory?.entry(tag)?.value.flatMap { comment(in: $0) }.flatMap(name.ofPhoto)
    }
    return directory?.entry(tag).flatMap { text($0, name.ofPhoto) }
  }

  /// Returns a comment of the user, whose encoding its first eight bytes state.
  ///
  /// Cameras fill the field with zeros, blanks or data of their own, which is not text.
  private func comment(in value: Range<Int>) -> String? {
    let code = bytes[value.prefix(8)]
    let rest = value.dropFirst(8).prefix(2 * MetadataText.maximumLength)
    if code.elementsEqual("UNICODE\0".utf8) { return unicode(in: rest) }
    guard code.elementsEqual("ASCII\0\0\0".utf8) || code.allSatisfy({ $0 == 0 }) else { return nil }
    let text = String(untilZero: bytes[rest])
    let isText = text.unicodeScalars.allSatisfy {
      $0 != "\u{FFFD}" && ($0.value >= 0x20 || [0x09, 0x0A, 0x0D].contains($0.value))
    }
    return isText ? text : nil
  }

  /// Returns UTF-16 in the order that most of its units show: many programs ignore that of the file.
  private func unicode(in range: Range<Int>) -> String {
    let pairs = stride(from: range.lowerBound, to: range.upperBound - 1, by: 2).map {
      (first: UInt16(bytes[$0]), second: UInt16(bytes[$0 + 1]))
    }
    let isMarked = pairs.first.map { [0xFE, 0xFF].contains($0.first) && $0.first ^ $0.second == 1 }
    let zeros = (pairs.count { $0.first == 0 }, pairs.count { $0.second == 0 })
    let isBig =
      isMarked == true
      ? pairs[0].first == 0xFE : zeros.0 == zeros.1 ? order == .big : zeros.0 > zeros.1
    let units = pairs.map { isBig ? $0.first << 8 | $0.second : $0.second << 8 | $0.first }
    return String(
      decoding: units.dropFirst(isMarked == true ? 1 : 0).prefix { $0 != 0 }, as: UTF16.self)
  }

  /// The keywords of Windows, in the order of the file.
  var keywords: [String] {
    let texts = MetadataName.keywords.exif.compactMap { windowsText($0) }
    return texts.flatMap { $0.split(separator: ";") }.prefix(XMPPacket.maximumItems)
      .compactMap { MetadataText.clean(String($0)) }
  }

  /// The stars of Windows, from 0 to 5; nil if it has written none.
  var stars: Int? {
    let numbers = MetadataName.rating.exif.map { tag in
      main?.entry(tag).flatMap { integer($0) }
    }
    if let stars = numbers[0], (0...5).contains(stars) { return stars }
    return numbers[1].flatMap { percent in
      (1...100).contains(percent) ? 1 + [25, 50, 75, 99].count { percent >= $0 } : nil
    }
  }

  /// Returns a text of Windows; nil for an entry without a value.
  private func windowsText(_ tag: Int) -> String? {
    main?.entry(tag)?.value.map { windowsText(in: $0.prefix(2 * MetadataText.maximumLength)) }
  }

  /// Returns the text in a range: UTF-16, which is little-endian whatever the order of the file is.
  func windowsText(in range: Range<Int>) -> String {
    let units = stride(from: range.lowerBound, to: range.upperBound - 1, by: 2).map {
      UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8
    }
    return String(decoding: units.prefix { $0 != 0 }, as: UTF16.self)
  }
}

extension MetadataText {
  /// Returns whether a description is one that a camera writes into each photo.
  ///
  /// - Source: photoprism/photoprism:internal/meta/sanitize.go, inaturalist/inaturalist#1323.
  static func isOfCamera(_ text: String) -> Bool {
    let name = text.lowercased()
    return codes.contains(text) || names.contains(name)
      || beginnings.contains { name.hasPrefix($0) }
      // "SANYO DIGITAL CAMERA" is one of many.
      || text.hasSuffix(" DIGITAL CAMERA") && text == text.uppercased()
  }

  /// The beginnings of texts that end with a version, a number or a path.
  private static let beginnings = [
    "<digimax", "samsung camera pic", "dcim\\", "lead technologies", "created with gimp",
    "created with the gimp", "metadata-start",
  ]

  private static let names: Set<String> = [
    "olympus digital camera", "sony dsc", "samsung", "samsung digital camera",
    "kodak digital still camera", "konica minolta digital camera",
    "minolta digital camera", "pentax digital camera", "casio digital camera", "digital camera",
    "digital still camera", "exif_jpeg_picture", "dcim", "dvc 10.1 hdmi", "binary comment",
    "charset=ascii", "created by imlib", "iclarified", "---", "?", "dcf 1.0", "exif_jpeg_420",
    "exif_jpeg_422", "digital stillcamera", "default", "screenshot",
  ]

  /// The modes of Huawei's and Honor's cameras.
  private static let codes: Set<String> = [
    "cof", "edf", "mde", "mde_soft", "dav", "nor", "fbt", "rbt", "btr", "ptr", "rpt", "qrf", "btf",
    "rhdr", "hdrpl", "oznor", "oznorWO", "fbthdr", "btfhdr", "btfmdn", "frem", "frontbhdp",
    "fshbty", "sdr_HDRB", "hdr", "sdr",
  ]
}

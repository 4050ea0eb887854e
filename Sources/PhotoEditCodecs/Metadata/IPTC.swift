// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditStorage

/// Removes fields from the IPTC information interchange model.
///
/// - Source: IPTC-NAA Information Interchange Model 4.2, chapters 3 to 6.
enum IPTC {
  /// The members of `MetadataRemoval` for which IPTC has fields.
  static let strips: MetadataRemoval = [.location, .people, .device, .dates]

  /// The record number times 256 plus the number of the field.
  private static let fields: [(strip: MetadataRemoval, name: String, numbers: Set<Int>)] = [
    // Codes and names of the location, city, sublocation, province, country.
    (.location, "location", [0x021A, 0x021B, 0x025A, 0x025C, 0x025F, 0x0264, 0x0265]),
    // The unique name of the object.
    (.device, "device", [0x0164]),
    (
      .dates, "dates",
      [
        0x0146, 0x0150, 0x021E, 0x0223, 0x0225, 0x0226, 0x022F, 0x0232, 0x0237, 0x023C, 0x023E,
        0x023F,
      ]
    ),
  ]

  private static let keyword = IPTCName.keyword.fullNumber
  /// The preview of the object, its format and its version, and the object itself.
  private static let previews: Set<Int> = [0x02C8, 0x02C9, 0x02CA, 0x080A]

  /// The record that describes the size, the components and the samples of the source.
  private static let newsphoto = 3

  private static let imageType = 0x0282
  private static let orientation = 0x0283

  /// Returns the bytes for a rendering, without the stripped fields and without previews, and the
  /// kinds of removed fields; nil for damaged data.
  static func describing(
    _ facts: RenderedImageProperties, _ people: PersonNames, in bytes: ArraySlice<UInt8>
  ) -> (bytes: [UInt8], kinds: [String], hadPreview: Bool)? {
    let strip = facts.strip
    var kinds: [String] = []
    var hadPreview = false
    let remaining = removing(from: bytes) { dataset in
      if let field = fields.first(where: {
        strip.contains($0.strip) && $0.numbers.contains(dataset.number)
      }) {
        if !kinds.contains(field.name) { kinds.append(field.name) }
        return true
      }
      if dataset.number == keyword,
        let meaning = people.meaning(
          ofKeyword: IPTCRecord.text(bytes[dataset.data], isUTF8: false))
      {
        if !kinds.contains(meaning.rawValue) { kinds.append(meaning.rawValue) }
        return true
      }
      if dataset.number >> 8 == newsphoto, facts.geometry?.isIdentity != true { return true }
      let isPreview =
        previews.contains(dataset.number)
        || EmbeddedPreview.occurs(asBytesIn: Array(bytes[dataset.data]))
      if isPreview { hadPreview = true }
      return isPreview
    }
    guard var remaining else { return nil }
    for dataset in IPTCDatasets(remaining[...]) {
      let (start, value) = (dataset.data.lowerBound, remaining[dataset.data])
      if dataset.number == orientation, value.count == 1 {
        let (width, height) = (facts.size.width, facts.size.height)
        let shape: Unicode.Scalar = width > height ? "L" : width < height ? "P" : "S"
        remaining[start] = UInt8(ascii: shape)
      } else if dataset.number == imageType, value.count == 2, let count = value.first,
        (0x31...0x34).contains(count), Int(count) - 0x30 != facts.componentCount
      {
        // The number of components, and monochrome or a composite of all colors.
        remaining.replaceSubrange(dataset.data, with: facts.isGray ? "1W".utf8 : "3F".utf8)
      }
    }
    return (remaining, kinds, hadPreview)
  }

  /// Returns the bytes without some of the datasets; nil for damaged data.
  static func removing(
    from bytes: ArraySlice<UInt8>, where isRemoved: (IPTCDatasets.Dataset) -> Bool
  ) -> [UInt8]? {
    var remaining: [UInt8] = []
    var datasets = IPTCDatasets(bytes)
    while let dataset = datasets.next() {
      if !isRemoved(dataset) { remaining += bytes[dataset.whole] }
    }
    return datasets.isDamaged ? nil : remaining
  }
}

/// Iterates over the datasets of the IPTC information interchange model.
///
/// - Source: IPTC-NAA Information Interchange Model 4.2, chapter 1.
struct IPTCDatasets: Sequence, IteratorProtocol {
  /// One dataset.
  struct Dataset {
    /// The record number times 256 plus the number in the record.
    let number: Int
    /// Marker, number, length and value.
    let whole: Range<Int>
    /// The value.
    let data: Range<Int>
  }

  /// Indicates whether iteration ended at something that is not a dataset.
  private(set) var isDamaged = false
  private let bytes: ArraySlice<UInt8>
  private var position: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  mutating func next() -> Dataset? {
    guard position < bytes.endIndex, !isDamaged else { return nil }
    guard bytes[position] == 0x1C else {
      // The end may be padded with zeros.
      isDamaged = !bytes[position...].allSatisfy { $0 == 0 }
      position = bytes.endIndex
      return nil
    }
    guard let number = bytes.unsigned16(at: position + 1), let data = data() else {
      isDamaged = true
      return nil
    }
    let whole = position..<data.upperBound
    position = data.upperBound
    return Dataset(number: number, whole: whole, data: data)
  }

  /// The range of the value of the dataset at the current position; nil if it is out of bounds.
  private func data() -> Range<Int>? {
    guard var count = bytes.unsigned16(at: position + 3) else { return nil }
    var start = position + 5
    if count & 0x8000 != 0 {
      let digits = count & 0x7FFF
      guard (1...4).contains(digits), digits <= bytes.endIndex - start else { return nil }
      count = bytes[start..<(start + digits)].reduce(0) { $0 << 8 | Int($1) }
      start += digits
    }
    return count <= bytes.endIndex - start ? start..<(start + count) : nil
  }
}

/// The texts of the IPTC application record, which is stored in a Photoshop image resource.
///
/// - Source: IPTC-NAA Information Interchange Model 4.2, chapters 1 and 6.
struct IPTCRecord {
  /// The values by dataset.
  private var values: [Int: [ArraySlice<UInt8>]] = [:]
  private var isUTF8 = false
  /// Indicates whether the record was changed by a program that does not know XMP: its digest
  /// differs from the one that the writer of the XMP stored.
  let isNewer: Bool

  /// The image resource that contains the record.
  static let resource = 1028
  /// The maximum number of datasets that are read.
  private static let maximumCount = 4096

  /// Reads the record of a file; nil if absent.
  init?(photoshop payloads: [[UInt8]]) {
    guard let bytes = PhotoshopResources.content(of: Self.resource, in: payloads) else {
      return nil
    }
    let stored = PhotoshopResources.content(of: PhotoshopResources.iptcDigest, in: payloads)
    isNewer =
      stored.map { $0.count == 16 && Array($0) != MD5.digest(of: Array(bytes)) } ?? false
    for dataset in IPTCDatasets(bytes).prefix(Self.maximumCount) {
      let value = bytes[dataset.data]
      if dataset.number == 0x015A { isUTF8 = value.elementsEqual([0x1B, 0x25, 0x47]) }
      values[dataset.number, default: []].append(value)
    }
  }

  /// Many writers use UTF-8 without declaring it; text that is not valid UTF-8 is read as ISO
  /// 8859-1.
  static func text(_ bytes: ArraySlice<UInt8>, isUTF8: Bool) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    return isUTF8 ? String(untilZero: bytes) : MetadataText.latin1(bytes)
  }

  /// Returns the texts of a dataset, safe to display.
  func all(
    _ dataset: IPTCName, _ clean: (String) -> String? = MetadataText.clean
  ) -> [String] {
    (values[dataset.fullNumber] ?? []).compactMap { clean(Self.text($0, isUTF8: isUTF8)) }
  }

  /// Returns the first text of a dataset.
  func first(_ dataset: IPTCName) -> String? { all(dataset).first }

  /// Returns the text of a property, or another one if the text is only a truncated form of it.
  func text(_ name: MetadataName, insteadOf other: String?) -> String? {
    guard let dataset = name.iptc.first else { return nil }
    return all(dataset, name.ofPhoto).first.map { text($0, dataset, insteadOf: other) }
  }

  /// Returns a text of a dataset; the other one if the text is only a truncated form of it.
  func text(_ text: String, _ dataset: IPTCName, insteadOf other: String?) -> String {
    // Truncation may remove the parts of a character.
    guard let other, other.utf8.count > text.utf8.count,
      text.utf8.count > dataset.maximumBytes - 4, other.utf8.starts(with: text.utf8)
    else { return text }
    return other
  }
}

// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// The texts of the IPTC application record, which is stored in a Photoshop image resource.
///
/// - Source: IPTC-NAA Information Interchange Model 4.2, chapters 1 and 6.
struct IPTCRecord {
  /// The datasets of record 2 that are read.
  enum Dataset: Int {
    case title = 5
    case keyword = 25
    case dateCreated = 55
    case timeCreated = 60
    case creator = 80
    case city = 90
    case state = 95
    case country = 101
    case copyright = 116
    case caption = 120

    /// The number of bytes to which a text is truncated.
    var maximumBytes: Int {
      switch self {
      case .caption: 2000
      case .copyright: 128
      case .title, .keyword, .country: 64
      default: 32
      }
    }
  }

  private var texts: [Int: [String]] = [:]
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
    var isUTF8 = false
    for dataset in IPTCDatasets(bytes).prefix(Self.maximumCount) {
      let value = bytes[dataset.data]
      if dataset.number == 0x015A { isUTF8 = value.elementsEqual([0x1B, 0x25, 0x47]) }
      let field = dataset.number - 0x0200
      if Dataset(rawValue: field) != nil {
        texts[field, default: []].append(Self.text(value, isUTF8: isUTF8))
      }
    }
  }

  /// Many writers use UTF-8 without declaring it; text that is not valid UTF-8 is read as ISO
  /// 8859-1.
  private static func text(_ bytes: ArraySlice<UInt8>, isUTF8: Bool) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    return isUTF8 ? MetadataText.utf8(bytes) : MetadataText.latin1(bytes)
  }

  /// Returns the texts of a dataset, safe to display.
  func all(_ dataset: Dataset) -> [String] {
    (texts[dataset.rawValue] ?? []).compactMap { MetadataText.clean($0) }
  }

  /// Returns the first text of a dataset.
  func first(_ dataset: Dataset) -> String? { all(dataset).first }

  /// Returns a text of a dataset; the other one if the text is only a truncated form of it.
  func text(_ text: String, _ dataset: Dataset, insteadOf other: String?) -> String {
    // Truncation may remove the parts of a character.
    guard let other, other.utf8.count > text.utf8.count,
      text.utf8.count > dataset.maximumBytes - 4, other.utf8.starts(with: text.utf8)
    else { return text }
    return other
  }
}

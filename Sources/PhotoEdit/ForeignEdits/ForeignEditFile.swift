// SPDX-License-Identifier: Apache-2.0
import PhotoEditContainers
public import PhotoEditPixels
import PhotoEditRendering
public import PhotoEditStorage

/// A file that tells of an edit by another program, told apart by its content.
public enum ForeignEditFile: Hashable, Sendable {
  /// An AAE of Apple Photos or of an extension of it.
  case apple(AppleEdit)
  /// Settings of Lightroom or Camera Raw, beside a picture or inside of one.
  case lightroom(LightroomEdit)

  /// How many bytes from the beginning tell the kinds apart.
  package static let detectionLength = 1024

  /// What the first bytes of a file announce.
  package enum Kind: Hashable, Sendable {
    /// An XML or binary property list.
    case propertyList
    /// XML of another kind.
    case xml
  }

  /// The kind that a file announces; nil for pictures, movies and everything else.
  package static func kind(of bytes: some Sequence<UInt8>) -> Kind? {
    let head = Array(bytes.prefix(detectionLength))
    if BinaryPropertyList.isOne(head) { return .propertyList }
    let isMarked = head.starts(with: [0xEF, 0xBB, 0xBF])
    let text = head.dropFirst(isMarked ? 3 : 0).drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    guard text.first == UInt8(ascii: "<") else { return nil }
    return String(decoding: text, as: UTF8.self).contains("<plist") ? .propertyList : .xml
  }

  /// Reads an AAE, an XMP file, or the XMP inside a picture.
  ///
  /// - Throws: `ForeignEditError` for anything else, and for one that is damaged.
  public init(_ bytes: FileBytes, limits: ImageLimits = ImageLimits()) throws(ForeignEditError) {
    let kind = withExtendedLifetime(bytes) { Self.kind(of: bytes.buffer) }
    if bytes.count <= AppleEdit.maximumBytes, let kind {
      switch kind {
      case .propertyList: self = .apple(try AppleEdit(bytes.array))
      case .xml: self = .lightroom(try LightroomEdit(xmp: bytes.array))
      }
      return
    }
    guard let picture = try? Picture(bytes, limits: limits) else { throw .notAnEdit }
    self = .lightroom(try LightroomEdit(picture))
  }

  /// The edit as filters, as far as there are filters for it, with an account of every setting.
  public func translation(for target: ForeignTranslation.Target) -> ForeignTranslation {
    switch self {
    case .apple(let edit): edit.translation(for: target)
    case .lightroom(let edit): edit.translation(for: target)
    }
  }

  /// Whether the pixels of the file already are what the settings make of them.
  public var isAlreadyApplied: Bool {
    if case .lightroom(let edit) = self { edit.isAlreadyApplied } else { false }
  }
}

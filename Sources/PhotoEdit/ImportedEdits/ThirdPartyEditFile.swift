// SPDX-License-Identifier: Apache-2.0
import PhotoEditContainers
public import PhotoEditPixels
import PhotoEditRendering
public import PhotoEditStorage

/// A file that contains a third-party edit; the kind is detected by content.
public enum ThirdPartyEditFile: Hashable, Sendable {
  /// An AAE file of Apple Photos or of one of its extensions.
  case apple(AppleEdit)
  /// Settings of Lightroom or Camera Raw, from a sidecar or embedded in an image.
  case lightroom(LightroomEdit)

  /// The number of leading bytes needed to detect the kind.
  package static let detectionLength = 1024

  /// The kind of a file according to its first bytes.
  package enum Kind: Hashable, Sendable {
    /// An XML or binary property list.
    case propertyList
    /// Other XML.
    case xml
  }

  /// Returns the kind of a file; nil for images, videos, and all other files.
  package static func kind(of bytes: some Sequence<UInt8>) -> Kind? {
    let head = Array(bytes.prefix(detectionLength))
    if BinaryPropertyList.hasSignature(head) { return .propertyList }
    let isMarked = head.starts(with: [0xEF, 0xBB, 0xBF])
    let text = head.dropFirst(isMarked ? 3 : 0).drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    guard text.first == UInt8(ascii: "<") else { return nil }
    return String(decoding: text, as: UTF8.self).contains("<plist") ? .propertyList : .xml
  }

  /// Reads an AAE, an XMP file, or the XMP embedded in an image.
  ///
  /// - Throws: `EditImportError` for any other file and for a damaged one.
  public init(_ bytes: FileBytes, limits: ImageLimits = ImageLimits()) throws(EditImportError) {
    let kind = withExtendedLifetime(bytes) { Self.kind(of: bytes.buffer) }
    if bytes.count <= AppleEdit.maximumBytes, let kind {
      switch kind {
      case .propertyList: self = .apple(try AppleEdit(bytes.array))
      case .xml: self = .lightroom(try LightroomEdit(xmp: bytes.array))
      }
      return
    }
    guard let image = try? ImageSource(bytes, limits: limits) else { throw .notAnEdit }
    self = .lightroom(try LightroomEdit(image))
  }

  /// Returns the edit as filters, as far as equivalents exist, with a report on every setting.
  public func translation(for target: EditConversion.Target) -> EditConversion {
    switch self {
    case .apple(let edit): edit.translation(for: target)
    case .lightroom(let edit): edit.translation(for: target)
    }
  }

  /// Indicates whether the settings are already applied to the pixels of the file.
  public var isAlreadyApplied: Bool {
    if case .lightroom(let edit) = self { edit.isAlreadyApplied } else { false }
  }
}

// SPDX-License-Identifier: Apache-2.0

/// The settings of Lightroom and Camera Raw, from an XMP sidecar or from the XMP of an image.
///
/// - Source: XMP specification part 2 (Adobe, 2012), camera-raw-settings, for the older settings;
///   the newer ones as written by Lightroom Classic 13 and Camera Raw 16.
public struct LightroomEdit: Hashable, Sendable {
  /// The maximum size of a sidecar in bytes.
  public static let maximumBytes = 64 << 20

  typealias Value = XMPSettingsReader.Value

  /// A setting without the prefix crs, and its value as written.
  struct Setting: Hashable {
    let name: String
    let value: Value
  }

  /// The settings in file order; a name may occur more than once.
  let settings: [Setting]
  /// The value of tiff:Orientation.
  private(set) var orientation: String?
  /// Indicates whether more settings are in a part of the XMP that is not read.
  var hasUnreadXMP = false

  /// Reads an XMP file.
  ///
  /// - Throws: `EditImportError` for one that is damaged or without settings of Lightroom.
  public init(xmp bytes: [UInt8]) throws(EditImportError) {
    guard bytes.count <= Self.maximumBytes else {
      throw .tooLarge(bytes: bytes.count, maximum: Self.maximumBytes)
    }
    let properties = try XMPSettingsReader.properties(in: bytes)
    settings = properties.filter { $0.namespace == .cameraRaw }.map {
      Setting(name: $0.name, value: $0.value)
    }
    guard !settings.isEmpty else { throw .noSettings }
    orientation =
      properties.lazy.compactMap { property in
        guard property.namespace == .tiff, property.name == "Orientation",
          case .text(let text) = property.value
        else { return nil }
        return text
      }.first
  }

  /// Reads the XMP embedded in an image; its tiff:Orientation refers to that image and is ignored.
  ///
  /// - Throws: `EditImportError` if the image has no XMP or no settings of Lightroom.
  public init(_ image: ImageSource) throws(EditImportError) {
    guard let packet = image.metadata.xmpPacket else { throw .noSettings }
    try self.init(xmp: packet)
    orientation = nil
    let name = XMPSettingsReader.Namespace.cameraRaw.rawValue
    hasUnreadXMP = image.metadata.hasExtendedXMP(with: Array(name.utf8))
  }

  /// The process version of the settings: "5.7" until 2011, "6.7" from 2012, "11.0" and later.
  public var processVersion: String? { text("ProcessVersion") }

  /// Indicates whether the settings are already applied to the pixels of the file.
  public var isAlreadyApplied: Bool { text("AlreadyApplied")?.lowercased() == "true" }

  func text(_ name: String) -> String? {
    for setting in settings where setting.name == name {
      if case .text(let text) = setting.value { return text }
    }
    return nil
  }
}

extension LightroomEdit.Value {
  /// The value for display: lists in parentheses, structures by their size, both shortened.
  var summary: String {
    switch self {
    case .text(let text): shortened(text)
    case .list(let items): shortened("(" + items.joined(separator: "; ") + ")")
    case .structure(let members): "(a structure with \(members) values)"
    }
  }

  var isEmpty: Bool {
    switch self {
    case .text(let text): text.isEmpty
    case .list(let items): items.allSatisfy(\.isEmpty)
    case .structure(let members): members == 0
    }
  }

  /// The value as a number; nil if it is not a number.
  var number: Double? {
    guard case .text(let text) = self, text.utf8.count <= 40,
      text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) })
    else { return nil }
    return Double(text).flatMap { $0.isFinite ? $0 : nil }
  }
}

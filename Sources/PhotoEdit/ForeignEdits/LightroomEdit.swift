// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
public import PhotoEditRendering

/// The settings of Lightroom and Camera Raw, from an XMP sidecar or from the XMP of a picture.
///
/// - Source: XMP specification part 2 (Adobe, 2012), camera-raw-settings, for the older settings;
///   the newer ones as Lightroom Classic 13 and Camera Raw 16 write them.
public struct LightroomEdit: Hashable, Sendable {
  /// Most bytes of a sidecar that are read.
  public static let maximumBytes = 64 << 20

  typealias Value = XMPSettingsReader.Value

  /// A setting without the prefix crs, and its value as it was written.
  struct Setting: Hashable {
    let name: String
    let value: Value
  }

  /// The settings in the order of the file; a name may occur again.
  let settings: [Setting]
  /// What tiff:Orientation says.
  private(set) var orientation: String?
  /// Whether there are more settings in a piece of XMP that is not read.
  var hasUnreadXMP = false

  /// Reads an XMP file.
  ///
  /// - Throws: `ForeignEditError` for one that is damaged, or without settings of Lightroom.
  public init(xmp bytes: [UInt8]) throws(ForeignEditError) {
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

  /// Reads the XMP inside a picture; its tiff:Orientation is about that picture and does not count.
  ///
  /// - Throws: `ForeignEditError` where there is none, or one without settings of Lightroom.
  public init(_ picture: Picture) throws(ForeignEditError) {
    guard let packet = picture.metadata.xmpPacket else { throw .noSettings }
    try self.init(xmp: packet)
    orientation = nil
    let name = XMPSettingsReader.Namespace.cameraRaw.rawValue
    hasUnreadXMP = picture.metadata.hasExtendedXMP(with: Array(name.utf8))
  }

  /// Which arithmetic the settings mean: "5.7" until 2011, "6.7" from 2012 on, "11.0" and later.
  public var processVersion: String? { text("ProcessVersion") }

  /// Whether the pixels of the file already are what the settings make of them.
  public var isAlreadyApplied: Bool { text("AlreadyApplied")?.lowercased() == "true" }

  func text(_ name: String) -> String? {
    for setting in settings where setting.name == name {
      if case .text(let text) = setting.value { return text }
    }
    return nil
  }
}

extension LightroomEdit.Value {
  /// The value for people: lists in parentheses, structures by their size, both shortened.
  var summary: String {
    switch self {
    case .text(let text): shortened(text)
    case .list(let items): shortened("(" + items.joined(separator: "; ") + ")")
    case .structure(let members): "(a structure with \(members) values)"
    }
  }

  /// Whether nothing is there at all.
  var isEmpty: Bool {
    switch self {
    case .text(let text): text.isEmpty
    case .list(let items): items.allSatisfy(\.isEmpty)
    case .structure(let members): members == 0
    }
  }

  /// The number that the value spells; nil for anything else.
  var number: Double? {
    guard case .text(let text) = self, text.utf8.count <= 40,
      text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) })
    else { return nil }
    return Double(text).flatMap { $0.isFinite ? $0 : nil }
  }
}

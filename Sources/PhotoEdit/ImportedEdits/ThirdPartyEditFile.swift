// SPDX-License-Identifier: Apache-2.0

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

/// The translation of a third-party edit: a graph and a report on every setting.
///
/// A setting that has an effect is in exactly one of the three lists. Other settings are in none of
/// them: they have their identity value or do not concern pixels, such as the name of a preset.
public struct EditConversion: Hashable, Sendable {
  /// The program that the settings come from.
  public enum Format: String, Sendable, Hashable {
    /// Lightroom or Camera Raw: XMP with the prefix crs.
    case lightroom
    /// Apple Photos: an AAE.
    case apple
  }

  /// One setting, its value as written, and the result of its translation.
  public struct Setting: Hashable, Sendable, CustomStringConvertible {
    /// The name of the setting in its program.
    public var name: String
    /// The value as its program writes it, shortened if it is long.
    public var value: String
    /// The equivalent filter, or the reason why no filter is used.
    public var note: String

    /// The setting as text, such as "Exposure2012 +0.50: exposure:ev=0.5".
    public var description: String { "\(name) \(value): \(note)" }
  }

  /// The image for which an edit is translated.
  public struct Target: Hashable, Sendable {
    /// The size of the image with the orientation applied.
    public var size: PixelSize
    /// The orientation of the stored pixels.
    public var orientation: Orientation

    /// Creates a target.
    public init(size: PixelSize, orientation: Orientation = .up) {
      self.size = size
      self.orientation = orientation
    }
  }

  /// The program that the settings come from.
  public let format: Format
  /// The filters in the order in which they are applied.
  public internal(set) var graph = FilterGraph()
  /// Settings that have an exact equivalent.
  public internal(set) var mapped: [Setting] = []
  /// Settings that are approximated by the nearest filter; pixels differ.
  public internal(set) var approximated: [Setting] = []
  /// Settings that have an effect in their program but no equivalent here.
  public internal(set) var unmapped: [Setting] = []

  init(_ format: Format) { self.format = format }

  /// Adds a filter.
  ///
  /// - Returns: The reason why the filter cannot be added; nil if it was added.
  mutating func add(_ filter: any Filter) -> String? {
    do throws(ParameterError) {
      try graph.append(filter)
      return nil
    } catch {
      return "\(error)"
    }
  }
}

extension Filter {
  /// Returns the filter in command-line syntax with the given parameters.
  func argumentText(_ names: [String]) -> String {
    let values = values
    let pairs = names.compactMap { name in values[name].map { name + "=" + $0.rounded.argument } }
    return type(of: self).description.name + (pairs.isEmpty ? "" : ":")
      + pairs.joined(separator: ",")
  }
}

/// Returns the beginning of a text from a file, for messages and reports.
func shortened(_ text: String, to limit: Int = 80) -> String {
  let scalars = text.unicodeScalars
  guard let end = scalars.index(scalars.startIndex, offsetBy: limit, limitedBy: scalars.endIndex),
    end != scalars.endIndex
  else { return text }
  return String(scalars[..<end]) + "…"
}

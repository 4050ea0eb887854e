// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
import PhotoEditCodecs
import PhotoEditStorage

/// An edit as recorded by Apple Photos and its extensions: an AAE file or Adjustments.plist.
///
/// It is read for display. Its pixels are those rendered by the program that made the edit; of the
/// settings, only crop, straightening, and rotation can be translated, and only approximately.
public struct AppleEdit: Hashable, Sendable {
  /// The maximum size of an AAE file in bytes.
  public static let maximumBytes = 64 << 20

  /// The contents of the adjustment data.
  public enum Contents: Hashable, Sendable {
    /// Adjustments of Apple Photos.
    case adjustments(AppleAdjustments)
    /// A property list, as in slow-motion videos and marked-up screenshots, given as JSON in which
    /// data is replaced by its length.
    case propertyList(String)
    /// Data in a format that only the program that wrote it can read.
    case opaque
  }

  /// The identifier of the adjustment data's format, such as "com.apple.photo".
  public let formatIdentifier: String
  /// The version of the adjustment data's format.
  public let formatVersion: String
  /// The program that wrote the record.
  public let editor: String?
  /// The date on which the record was written.
  public let timestamp: Date?
  /// The base version; 0 if the edit was made on the original.
  public let baseVersion: Int?
  /// The renderings that belong to the edit; Apple does not publish the meaning of the bits.
  public let renderTypes: Int?
  /// The adjustment data, unchanged.
  public let data: Data
  /// The decoded contents of the adjustment data.
  public let contents: Contents
  /// The other keys of the property list.
  package let otherKeys: [String: JSONValue]

  private static let keys: Set = [
    "adjustmentFormatIdentifier", "adjustmentFormatVersion", "adjustmentEditorBundleID",
    "adjustmentTimestamp", "adjustmentBaseVersion", "adjustmentRenderTypes", "adjustmentData",
  ]

  /// Reads an AAE: a property list in XML or binary form.
  ///
  /// - Throws: `EditImportError` for one that is damaged or exceeds the limits.
  public init(_ bytes: [UInt8]) throws(EditImportError) {
    guard bytes.count <= Self.maximumBytes else {
      throw .tooLarge(bytes: bytes.count, maximum: Self.maximumBytes)
    }
    try self.init(
      translating(
        { (_: any Error) in EditImportError.notAPropertyList }, PropertyList(bytes: bytes)))
  }

  init(_ list: PropertyList) throws(EditImportError) {
    guard let identifier = list.string("adjustmentFormatIdentifier") else {
      throw .missing(key: "adjustmentFormatIdentifier")
    }
    guard let data = list.data("adjustmentData") else { throw .missing(key: "adjustmentData") }
    formatIdentifier = identifier
    formatVersion = list.string("adjustmentFormatVersion") ?? ""
    editor = list.string("adjustmentEditorBundleID")
    timestamp = list.date("adjustmentTimestamp")
    baseVersion = list.integer("adjustmentBaseVersion")
    renderTypes = list.integer("adjustmentRenderTypes")
    self.data = data
    contents = try Self.contents(of: identifier, Array(data))
    otherKeys = list.values.filter { !Self.keys.contains($0.key) }.mapValues(\.json)
  }

  /// Indicates whether the format is one of Apple's.
  public var isByApple: Bool { formatIdentifier.hasPrefix("com.apple.") }

  private static func contents(
    of identifier: String, _ data: [UInt8]
  ) throws(EditImportError) -> Contents {
    guard identifier.hasPrefix("com.apple.") else { return .opaque }
    if BinaryPropertyList.hasSignature(data) {
      let value = try translating(
        { (_: PropertyList.NotReadable) in
          EditImportError.adjustments("the embedded property list is damaged or too large")
        }, BinaryPropertyList.value(of: data))
      return .propertyList(canonicalText(value.json))
    }
    // Apple's other formats are not documented.
    guard identifier == "com.apple.photo" else { return .opaque }
    let json: [UInt8]
    do throws(Zlib.Failure) {
      json = try Zlib.inflate(raw: data, limit: AppleAdjustments.maximumBytes)
    } catch {
      switch error {
      case .damaged: throw .notDeflated(bytes: data.count)
      case .tooLarge: throw .inflatesTooFar(maximum: AppleAdjustments.maximumBytes)
      }
    }
    return .adjustments(try AppleAdjustments(json: json))
  }
}

extension SidecarStore {
  /// A third-party record next to a photo.
  package struct ThirdPartyAdjustment {
    /// The path of the record.
    package let path: String
    /// The edit, or the error that occurred while reading it.
    package let edit: Result<AppleEdit, EditImportError>
  }

  /// Returns the first third-party record next to the photo, under the names that other programs
  /// use.
  ///
  /// - Throws: `FileError` for one that exists and cannot be read from disk.
  package func thirdPartyAdjustment() throws(FileError) -> ThirdPartyAdjustment? {
    for path in [paths.sidecar] + paths.thirdPartySidecars where entry(at: path) == .file {
      let bytes: FileBytes
      do throws(FileError) {
        bytes = try FileBytes.reading(path, maximumBytes: PropertyList.maximumLength)
      } catch {
        if error.kind == .empty {
          return ThirdPartyAdjustment(path: path, edit: .failure(.notAPropertyList))
        }
        throw error
      }
      guard let list = try? PropertyList(bytes: bytes.array) else {
        return ThirdPartyAdjustment(path: path, edit: .failure(.notAPropertyList))
      }
      if SidecarDocument.isWrittenByPhotoEdit(list) { continue }
      do throws(EditImportError) {
        return ThirdPartyAdjustment(path: path, edit: .success(try AppleEdit(list)))
      } catch {
        return ThirdPartyAdjustment(path: path, edit: .failure(error))
      }
    }
    return nil
  }
}

/// One adjustment of Apple Photos, such as "Crop" or "SmartTone".
///
/// Apple does not publish how the settings are rendered, so they are not rendered here.
public struct AppleAdjustment: Hashable, Sendable {
  /// Apple's identifier of the adjustment.
  public let identifier: String
  /// Indicates whether the adjustment is applied in the rendering.
  public let isEnabled: Bool
  /// The settings by name.
  package let settings: [String: JSONValue]
  /// All other properties of the adjustment, such as its version.
  package let details: [String: JSONValue]

  /// The settings as JSON, with names in alphabetical order.
  public var settingsText: String { canonicalText(.object(settings)) }

  init(_ value: JSONValue) throws(EditImportError) {
    guard var members = value.objectValue, let identifier = members["identifier"]?.stringValue
    else { throw .adjustments("an adjustment has no identifier") }
    self.identifier = identifier
    isEnabled = members["enabled"]?.boolValue ?? true
    settings = members["settings"]?.objectValue ?? [:]
    for name in ["identifier", "enabled"] { members[name] = nil }
    if members["settings"]?.objectValue != nil { members["settings"] = nil }
    details = members
  }
}

/// The record of an Apple Photos edit: the adjustments and the size and orientation of their image.
public struct AppleAdjustments: Hashable, Sendable {
  /// The maximum size of the JSON in bytes.
  static let maximumBytes = 16 << 20

  /// The adjustments in order.
  public let adjustments: [AppleAdjustment]
  /// The size of the image with the orientation applied; nil if it is not recorded.
  public let masterSize: PixelSize?
  /// The orientation of the image's stored pixels; nil if it is not recorded.
  public let masterOrientation: Orientation?
  /// All other properties of the document, such as the program's version.
  package let details: [String: JSONValue]

  init(json bytes: [UInt8]) throws(EditImportError) {
    let limits = JSONLimits(
      maximumBytes: Self.maximumBytes, maximumStringBytes: Self.maximumBytes)
    let document = try translating(
      { EditImportError.adjustments("\($0 as JSONError)") },
      JSONValue(parsing: bytes, limits: limits))
    guard var members = document.objectValue, let list = members["adjustments"]?.arrayValue else {
      throw .adjustments("the list of adjustments is missing")
    }
    var adjustments: [AppleAdjustment] = []
    for item in list { adjustments.append(try AppleAdjustment(item)) }
    self.adjustments = adjustments
    let metadata = members["metadata"]
    let sides = ["masterWidth", "masterHeight"].compactMap { metadata?[$0]?.integerValue }
    let allowed = 1...ImageLimits().maximumSide
    masterSize =
      sides.count == 2 && sides.allSatisfy(allowed.contains)
      ? PixelSize(width: sides[0], height: sides[1]) : nil
    masterOrientation = metadata?["orientation"]?.integerValue.flatMap {
      Orientation(rawValue: $0)
    }
    members["adjustments"] = nil
    details = members
  }
}

/// Returns a value as canonical JSON.
func canonicalText(_ value: JSONValue) -> String {
  let limits = JSONLimits(
    maximumBytes: AppleEdit.maximumBytes * 8, maximumDepth: PropertyListNesting.limit + 1,
    maximumStringBytes: AppleEdit.maximumBytes, maximumArrayCount: .max, maximumObjectCount: .max)
  // With escapes, the text may exceed the limits; in that case it is not shown.
  return (try? value.canonicalBytes(limits: limits)).map { String(decoding: $0, as: UTF8.self) }
    ?? value.kind
}

// SPDX-License-Identifier: Apache-2.0
import PhotoEditContainers
import PhotoEditFilters
public import PhotoEditPixels

/// One adjustment of Apple Photos, such as "Crop" or "SmartTone".
///
/// What Apple Photos makes of the settings is not published, so nothing here renders them.
public struct AppleAdjustment: Hashable, Sendable {
  /// What it is, in Apple's word.
  public let identifier: String
  /// Whether it takes part in the rendering.
  public let isEnabled: Bool
  /// Its settings by name.
  package let settings: [String: JSONValue]
  /// Everything else that is said of it, such as its version.
  package let details: [String: JSONValue]

  /// Its settings as JSON, names in alphabetical order.
  public var settingsText: String { canonicalText(.object(settings)) }

  init(_ value: JSONValue) throws(ForeignEditError) {
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

/// What Apple Photos records of an edit: adjustments and the picture that they are for.
public struct AppleAdjustments: Hashable, Sendable {
  /// Most bytes of JSON that are read.
  static let maximumBytes = 16 << 20

  /// The adjustments in their order.
  public let adjustments: [AppleAdjustment]
  /// The size of the picture as people see it; nil where it is not recorded.
  public let masterSize: PixelSize?
  /// How the stored pixels of the picture are turned; nil where it is not recorded.
  public let masterOrientation: Orientation?
  /// Everything else in the document, such as the program's version.
  package let details: [String: JSONValue]

  init(json bytes: [UInt8]) throws(ForeignEditError) {
    let document: JSONValue
    do throws(JSONError) {
      document = try JSONValue(
        parsing: bytes,
        limits: JSONLimits(
          maximumBytes: Self.maximumBytes, maximumStringBytes: Self.maximumBytes))
    } catch {
      throw .adjustments("\(error)")
    }
    guard var members = document.objectValue, let list = members["adjustments"]?.arrayValue else {
      throw .adjustments("there is no list of adjustments")
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

/// A value as canonical JSON.
func canonicalText(_ value: JSONValue) -> String {
  let limits = JSONLimits(
    maximumBytes: AppleEdit.maximumBytes * 8, maximumDepth: PropertyListNesting.limit + 1,
    maximumStringBytes: AppleEdit.maximumBytes, maximumArrayCount: .max, maximumObjectCount: .max)
  // A text may grow beyond all bounds by its escapes; then it is not shown.
  return (try? value.canonicalBytes(limits: limits)).map { String(decoding: $0, as: UTF8.self) }
    ?? value.kind
}

// SPDX-License-Identifier: Apache-2.0
import PhotoEditContainers
import PhotoEditFilters
public import PhotoEditPixels
import PhotoEditStorage

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

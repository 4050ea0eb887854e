// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
import PhotoEditCodecs
import PhotoEditContainers
import PhotoEditFilters
package import PhotoEditStorage

/// An edit as Apple Photos and its extensions record it: an AAE, or Adjustments.plist.
///
/// It is read to be shown. Its pixels are those that its own program rendered; of the settings only
/// crop, straightening and turns can be brought over, and those approximately.
public struct AppleEdit: Hashable, Sendable {
  /// Most bytes of an AAE that are read.
  public static let maximumBytes = 64 << 20

  /// What the adjustment data holds.
  public enum Contents: Hashable, Sendable {
    /// Adjustments of Apple Photos.
    case adjustments(AppleAdjustments)
    /// A property list, as slow motion and marked-up screenshots have; JSON with data by its length.
    case propertyList(String)
    /// Bytes that only their program understands.
    case opaque
  }

  /// Who understands the adjustment data, such as "com.apple.photo".
  public let formatIdentifier: String
  /// The version of that format.
  public let formatVersion: String
  /// The program that wrote the record.
  public let editor: String?
  /// When it was written.
  public let timestamp: Date?
  /// 0 when the edit was made on the original.
  public let baseVersion: Int?
  /// Which renderings belong to it; Apple does not publish what the bits mean.
  public let renderTypes: Int?
  /// The adjustment data as it is.
  public let data: Data
  /// What the adjustment data holds.
  public let contents: Contents
  /// Keys of the property list besides those above.
  package let otherKeys: [String: JSONValue]

  private static let keys: Set = [
    "adjustmentFormatIdentifier", "adjustmentFormatVersion", "adjustmentEditorBundleID",
    "adjustmentTimestamp", "adjustmentBaseVersion", "adjustmentRenderTypes", "adjustmentData",
  ]

  /// Reads an AAE: a property list in XML or binary form.
  ///
  /// - Throws: `ForeignEditError` for one that is damaged or beyond the bounds.
  public init(_ bytes: [UInt8]) throws(ForeignEditError) {
    guard bytes.count <= Self.maximumBytes else {
      throw .tooLarge(bytes: bytes.count, maximum: Self.maximumBytes)
    }
    let list: PropertyList
    do { list = try PropertyList(bytes: bytes) } catch { throw .notAPropertyList }
    try self.init(list)
  }

  init(_ list: PropertyList) throws(ForeignEditError) {
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

  /// Whether the format is one of Apple's own.
  public var isByApple: Bool { formatIdentifier.hasPrefix("com.apple.") }

  private static func contents(
    of identifier: String, _ data: [UInt8]
  ) throws(ForeignEditError) -> Contents {
    guard identifier.hasPrefix("com.apple.") else { return .opaque }
    if BinaryPropertyList.isOne(data) {
      do throws(PropertyList.NotReadable) {
        return .propertyList(canonicalText(try BinaryPropertyList.value(of: data).json))
      } catch {
        throw .adjustments("the property list inside is damaged or beyond all bounds")
      }
    }
    // The other formats of Apple are not described anywhere.
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
  /// What another program's record beside a photo says.
  package struct ForeignRecord {
    /// Where it is.
    package let path: String
    /// The record, or why it cannot be read.
    package let edit: Result<AppleEdit, ForeignEditError>
  }

  /// The first record of another program beside the photo, in the spellings that they use.
  ///
  /// - Throws: `FileError` for one that is there and cannot be read from disk.
  package func foreignRecord() throws(FileError) -> ForeignRecord? {
    for path in [paths.sidecar] + paths.foreignSidecars where entry(at: path) == .file {
      let bytes: FileBytes
      do throws(FileError) {
        bytes = try FileBytes.reading(path, maximumBytes: PropertyList.maximumLength)
      } catch {
        if error.kind == .empty {
          return ForeignRecord(path: path, edit: .failure(.notAPropertyList))
        }
        throw error
      }
      guard let list = try? PropertyList(bytes: bytes.array) else {
        return ForeignRecord(path: path, edit: .failure(.notAPropertyList))
      }
      if SidecarDocument.isOurs(list) { continue }
      do throws(ForeignEditError) {
        return ForeignRecord(path: path, edit: .success(try AppleEdit(list)))
      } catch {
        return ForeignRecord(path: path, edit: .failure(error))
      }
    }
    return nil
  }
}

// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditStorage

/// The contents of an AAE file: the edits of photoedit, or a single third-party record.
package enum EditFile: Sendable {
  /// A document of photoedit, with its journal.
  case document(SidecarDocument)
  /// A third-party record.
  case thirdParty(EditRecord, isBasedOnOriginal: Bool)
  /// A third-party file without a readable record.
  case unreadable(reason: String)

  /// Reads the record of an edit whose versions are stored elsewhere.
  ///
  /// - Parameters:
  ///   - current: The digest of the rendering that belongs to the record.
  ///   - base: The digest of the edit's input; nil for the original or if the input is missing.
  /// - Throws: `EditingError` if a record of photoedit is damaged or newer, or if the file is
  ///   missing.
  package init(
    reading path: String, current: SHA256Digest?, base: SHA256Digest?
  ) throws(EditingError) {
    let list: PropertyList
    do throws(EditingError) {
      guard let found = try PropertyList(reading: path) else {
        throw EditingError(
          FileError(.missing, path: path, reason: "the adjustment data is missing"))
      }
      list = found
    } catch {
      guard error.code == .invalidResource else { throw error }
      self = .unreadable(reason: error.message)
      return
    }
    if SidecarDocument.isWrittenByPhotoEdit(list) {
      self = .document(try SidecarDocument(list, path: path, acceptsThirdPartyRecord: true))
    } else if let adjustment = AdjustmentData(list, isThirdParty: true), let current {
      var record = EditRecord(thirdParty: adjustment, list, current: current)
      record.base = base
      self = .thirdParty(record, isBasedOnOriginal: list.isBasedOnOriginal)
    } else {
      self = .unreadable(reason: "file has no adjustment data")
    }
  }

  /// Returns the path of the rendering that a file of photoedit names, relative to the folder of the
  /// photo; nil without one.
  package static func rendering(namedBy path: String) -> String? {
    guard let list = try? PropertyList(reading: path), SidecarDocument.isWrittenByPhotoEdit(list)
    else { return nil }
    return list.string(SidecarDocument.prefix + "renderingPath")
  }

  /// Returns the damage of a file that photoedit wrote; nil if it is whole, from a newer version or
  /// from another program.
  package static func damage(of bytes: [UInt8]) -> String? {
    guard let list = try? PropertyList(bytes: bytes), SidecarDocument.isWrittenByPhotoEdit(list)
    else { return nil }
    do throws(DocumentError) {
      _ = try SidecarDocument(list, acceptsThirdPartyRecord: true)
      return nil
    } catch {
      return error.newerLayout == nil ? error.reason : nil
    }
  }
}

extension EditRecord {
  /// Creates a third-party record with the rendering that belongs to it.
  init(thirdParty adjustment: AdjustmentData, _ list: PropertyList, current: SHA256Digest) {
    self.init(
      base: nil, current: current, adjustment: adjustment,
      date: list.date("adjustmentTimestamp") ?? Date(timeIntervalSince1970: 0),
      editor: list.string("adjustmentEditorBundleID") ?? "", renderSettings: nil)
  }

  /// Creates a record for a rendering without readable adjustment data, which no editor can resume.
  package init(unreadable current: SHA256Digest, base: SHA256Digest?) {
    self.init(
      base: base, current: current, adjustment: AdjustmentData(thirdParty: "", "", Data()),
      date: Date(timeIntervalSince1970: 0), editor: "", renderSettings: nil)
  }
}

extension PropertyList {
  /// The maximum size in bytes: enough for twenty journal entries of 2 MiB in base 64.
  static let maximumLength = 128 << 20

  /// Indicates whether a third-party record states that the edit was made on the original.
  var isBasedOnOriginal: Bool { integer("adjustmentBaseVersion") ?? 0 == 0 }

  /// Reads a file; nil if it does not exist.
  init?(reading path: String) throws(EditingError) {
    try self.init(reading: path) { () throws(FileError) in try OpenFile(reading: path) }
  }

  /// Reads a file that a function opens; nil if it does not exist.
  init?(
    reading path: String, opening open: () throws(FileError) -> OpenFile
  ) throws(EditingError) {
    let bytes: FileBytes
    do throws(FileError) {
      bytes = try FileBytes.reading(try open(), maximumBytes: Self.maximumLength)
    } catch {
      if error.kind == .missing { return nil }
      if error.kind == .empty { throw .damagedSidecar(path, "file is empty") }
      throw EditingError(error)
    }
    self = try translating(
      { (_: any Error) in EditingError.damagedSidecar(path, "not a property list") },
      PropertyList(bytes: bytes.array))
  }

  func digest(_ key: String) -> SHA256Digest? { string(key).flatMap { SHA256Digest($0) } }

  /// Returns the digests in a list; other values are skipped.
  func digests(_ key: String) -> Set<SHA256Digest> {
    guard case .array(let items)? = values[key] else { return [] }
    return Set(
      items.compactMap { item in
        if case .string(let text) = item { SHA256Digest(text) } else { nil }
      })
  }

  /// Returns attachments by their digests.
  func assets(_ key: String) -> [SHA256Digest: Data] {
    guard case .dictionary(let entries)? = values[key] else { return [:] }
    var assets: [SHA256Digest: Data] = [:]
    for (name, value) in entries {
      if let digest = SHA256Digest(name), case .data(let data) = value { assets[digest] = data }
    }
    return assets
  }
}

extension SidecarDocument {
  /// Reads a document; the error names the file that is damaged or newer.
  init(
    _ list: PropertyList, path: String, acceptsThirdPartyRecord: Bool = false
  ) throws(EditingError) {
    do throws(DocumentError) {
      try self.init(list, acceptsThirdPartyRecord: acceptsThirdPartyRecord)
    } catch {
      if let layout = error.newerLayout { throw .newerSidecar(path, version: "\(layout)") }
      throw .damagedSidecar(path, error.reason)
    }
  }

  /// Returns the bytes of the file; rejects values that could not be read back.
  package func encoded(for path: String) throws(EditingError) -> [UInt8] {
    let list = list
    guard PropertyListValue.dictionary(list.values).isWritable else { throw .unwritable(path) }
    let bytes: [UInt8]
    do { bytes = try list.xml() } catch { throw .unwritable(path) }
    guard bytes.count <= PropertyList.maximumLength else {
      throw EditingError(
        FileError(
          .tooLarge, path: path,
          reason: "file has \(bytes.count) bytes (maximum: \(PropertyList.maximumLength))"))
    }
    return bytes
  }
}

extension AdjustmentData {
  /// Reads adjustment data from the bytes of an AAE file; nil if they do not contain any.
  ///
  /// The file may be from any program: names and lengths outside the limits of this library are
  /// accepted unchanged.
  package init?(fileBytes bytes: [UInt8]) {
    guard let list = try? PropertyList(bytes: bytes) else { return nil }
    self.init(list, isThirdParty: true)
  }
}

// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// The contents of a sidecar: an AAE property list with keys of photoedit in addition to Apple's.
///
/// Any program that reads AAE finds the current record where it expects it. Keys that this version
/// does not know are preserved.
package struct SidecarDocument: Hashable, Sendable {
  /// The version of the layout of photoedit's keys; a document with a higher one is not changed.
  static let layout = 1
  static let prefix = "org.photoedit."

  /// The SHA-256 of the photo when it was first edited.
  package var original: SHA256Digest
  /// The SHA-256 of the photo's pixels, which does not change when other programs edit its
  /// metadata; nil if it was never recorded.
  var originalPixels: SHA256Digest?
  /// The record of the most recent edit.
  package var record: EditRecord?
  /// The recorded path of the rendering.
  package var rendering: String?
  /// Indicates whether a third-party record next to the photo was reverted by photoedit.
  var hidesThirdPartyEdit = false
  /// The states that undo and redo restore.
  package var journal = EditJournal<JournalEntry>()
  /// An identifier of the state that changes with every commit.
  package var revision: String
  /// Files created by photoedit that the last commit was to remove.
  var leftovers: [Leftover] = []
  var unknown: [String: PropertyListValue] = [:]
  /// The size of the original with the orientation applied, for use without reading the file.
  package var originalSize: PixelSize?

  /// A superseded state; a nil record represents the original.
  package struct JournalEntry: Hashable, Sendable {
    package var record: EditRecord?
    var rendering: String?
    /// Indicates whether the record was in a third-party file, which still exists.
    var isThirdParty = false
    /// The digest of the photo at that time; nil means the one in the document.
    var original: SHA256Digest?
    /// The digest of the photo's pixels at that time.
    var originalPixels: SHA256Digest?
  }

  struct Leftover: Hashable, Sendable {
    var path: String
    var digest: SHA256Digest
  }

  package init(original: SHA256Digest) {
    self.original = original
    revision = UUID().uuidString
  }

  /// The attachments of all records, each once; records refer to no others.
  var assets: [SHA256Digest: Data] {
    ([record] + journal.states.map(\.record)).compactMap { $0?.assets }
      .reduce(into: [:]) { $0.merge($1) { first, _ in first } }
  }

  /// The digests of all contents that undo or redo may need.
  var journalDigests: Set<SHA256Digest> {
    Set(journal.states.flatMap { [$0.record?.base, $0.record?.current].compactMap { $0 } })
  }

  /// The digests of all contents of the current state and of the states that undo and redo restore.
  var stateDigests: Set<SHA256Digest> {
    journalDigests.union([record?.base, record?.current].compactMap { $0 })
  }

  /// The digests by which marks on the renderings may identify the photo.
  var photoDigests: Set<SHA256Digest> { Set([original, originalPixels].compactMap { $0 }) }

  /// The digests of the renderings that photoedit wrote.
  var ownRenderings: Set<SHA256Digest> {
    var digests = Set(journal.states.filter { !$0.isThirdParty }.compactMap { $0.record?.current })
    digests.formUnion(leftovers.map(\.digest))
    if let record { digests.insert(record.current) }
    return digests
  }

  /// The digests of the bases that were written next to the photo.
  var ownBases: Set<SHA256Digest> {
    var digests = Set(journal.states.compactMap { $0.record?.base })
    digests.formUnion(leftovers.map(\.digest))
    if let base = record?.base { digests.insert(base) }
    return digests
  }

  /// Returns the digests of the files that photoedit wrote for a role.
  func ownFiles(_ use: ClaimedUse) -> Set<SHA256Digest> {
    use == .base ? ownBases : ownRenderings
  }

  private static let ownKeys = [
    "layout", "originalDigest", "originalPixelDigest", "renderingPath", "hidesForeign", "revision",
    "undo", "redo",
    "leftovers", "assets", "originalPixelWidth", "originalPixelHeight",
  ]

  /// Returns whether a property list was written by photoedit.
  static func isWrittenByPhotoEdit(_ list: PropertyList) -> Bool {
    list.values[prefix + "layout"] != nil
  }

  /// Reads a document; the `reason` of a thrown error describes the problem.
  ///
  /// - Parameter acceptsThirdPartyRecord: Whether the current record may be a third-party record,
  ///   which follows its own rules.
  init(_ list: PropertyList, acceptsThirdPartyRecord: Bool = false) throws(DocumentError) {
    guard let layout = list.integer(Self.prefix + "layout") else {
      throw .init(reason: "the layout is not a number")
    }
    guard layout <= Self.layout else { throw .init(reason: "", newerLayout: layout) }
    guard let original = list.digest(Self.prefix + "originalDigest"),
      let revision = list.string(Self.prefix + "revision")
    else { throw .init(reason: "the digest of the original or the revision is missing") }
    self.init(original: original)
    self.revision = revision
    originalPixels = list.digest(Self.prefix + "originalPixelDigest")
    rendering = list.string(Self.prefix + "renderingPath")
    hidesThirdPartyEdit = list.bool(Self.prefix + "hidesForeign") ?? false
    let assets = list.assets(Self.prefix + "assets")
    record = try EditRecord(list, isThirdParty: acceptsThirdPartyRecord, assets: assets)
    if let width = list.integer(Self.prefix + "originalPixelWidth"), width > 0,
      let height = list.integer(Self.prefix + "originalPixelHeight"), height > 0
    {
      originalSize = PixelSize(width: width, height: height)
    }
    guard record == nil || rendering != nil else {
      throw .init(reason: "the path of the rendering is missing")
    }
    journal = EditJournal(
      undo: try Self.entries(list, "undo", assets), redo: try Self.entries(list, "redo", assets))
    leftovers = (list.lists(Self.prefix + "leftovers") ?? []).compactMap { item in
      guard let path = item.string("path"), let digest = item.digest("digest") else { return nil }
      return Leftover(path: path, digest: digest)
    }
    let known = Set(Self.ownKeys.map { Self.prefix + $0 } + EditRecord.keys)
    unknown = list.values.filter { !known.contains($0.key) }
  }

  private static func entries(
    _ list: PropertyList, _ key: String, _ assets: [SHA256Digest: Data]
  ) throws(DocumentError) -> [JournalEntry] {
    guard list.values[prefix + key] != nil else { return [] }
    guard let items = list.lists(prefix + key) else {
      throw .init(reason: "the journal is not a list")
    }
    var entries: [JournalEntry] = []
    for item in items {
      let isThirdParty = item.bool(prefix + "isForeign") ?? false
      entries.append(
        JournalEntry(
          record: try EditRecord(item, isThirdParty: isThirdParty, assets: assets),
          rendering: item.string(prefix + "renderingPath"), isThirdParty: isThirdParty,
          original: item.digest(prefix + "originalDigest"),
          originalPixels: item.digest(prefix + "originalPixelDigest")))
    }
    return entries
  }

  var list: PropertyList {
    var list = PropertyList(unknown)
    record?.write(to: &list)
    func set(_ key: String, _ value: PropertyListValue?) { list.values[Self.prefix + key] = value }
    set("layout", .integer(Int64(Self.layout)))
    set("originalDigest", .string(original.description))
    set("originalPixelDigest", originalPixels.map { .string($0.description) })
    set("revision", .string(revision))
    set("renderingPath", rendering.map { .string($0) })
    if hidesThirdPartyEdit { set("hidesForeign", .bool(true)) }
    set("originalPixelWidth", originalSize.map { .integer(Int64($0.width)) })
    set("originalPixelHeight", originalSize.map { .integer(Int64($0.height)) })
    for (key, states) in [("undo", journal.undo), ("redo", journal.redo)] where !states.isEmpty {
      set(key, .array(states.map(\.value)))
    }
    let assets = assets
    if !assets.isEmpty {
      set(
        "assets",
        .dictionary(
          Dictionary(uniqueKeysWithValues: assets.map { ($0.description, .data($1)) })))
    }
    if !leftovers.isEmpty {
      set(
        "leftovers",
        .array(
          leftovers.map {
            .dictionary(["path": .string($0.path), "digest": .string($0.digest.description)])
          }))
    }
    return list
  }
}

struct DocumentError: Error {
  let reason: String
  var newerLayout: Int?
}

extension SidecarDocument.JournalEntry {
  fileprivate var value: PropertyListValue {
    var list = PropertyList()
    record?.write(to: &list)
    if let rendering {
      list.values[SidecarDocument.prefix + "renderingPath"] = .string(rendering)
    }
    if isThirdParty { list.values[SidecarDocument.prefix + "isForeign"] = .bool(true) }
    if let original {
      list.values[SidecarDocument.prefix + "originalDigest"] = .string(original.description)
    }
    if let originalPixels {
      list.values[SidecarDocument.prefix + "originalPixelDigest"] = .string(
        originalPixels.description)
    }
    return .dictionary(list.values)
  }

  /// Creates a state of a photo whose records are stored together, including third-party ones.
  package init(superseding record: EditRecord?) {
    // Other programs have other limits; the flag causes the record to be read with those again.
    let isWithinLimits: Bool
    do throws(EditingError) {
      try record?.adjustment.check()
      isWithinLimits = true
    } catch {
      isWithinLimits = false
    }
    self.init(record: record, isThirdParty: !isWithinLimits)
  }
}

// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditContainers
package import PhotoEditPixels
package import PhotoEditStorage

/// The contents of a sidecar: an AAE property list with keys of our own beside Apple's.
///
/// Any program that reads AAE finds the current record where it expects it. Keys that this version
/// does not know are kept.
package struct SidecarDocument: Hashable, Sendable {
  /// The layout of our own keys; a higher one is left alone.
  static let layout = 1
  static let prefix = "org.photoedit."

  /// SHA-256 of the photo when it was edited first.
  package var original: Digest
  /// SHA-256 of its pixels, which stays when other programs change its metadata; nil where it was
  /// never recorded.
  var originalPixels: Digest?
  /// The most recent edit.
  package var record: EditRecord?
  /// Where its rendering is, as recorded.
  package var rendering: String?
  /// Whether another program's record beside the photo has been reverted here.
  var hidesForeign = false
  /// Earlier states, the latest last.
  package var undo: [JournalEntry] = []
  /// Undone states, the next one last.
  package var redo: [JournalEntry] = []
  /// Changes with every commit.
  package var revision: String
  /// Files of ours that the last commit was to remove.
  var leftovers: [Leftover] = []
  var unknown: [String: PropertyListValue] = [:]
  /// Size of the original as people see it, for those who must know it without reading the file.
  package var originalSize: PixelSize?

  /// A state that was superseded; no record stands for the original.
  package struct JournalEntry: Hashable, Sendable {
    package var record: EditRecord?
    var rendering: String?
    /// Whether the record was in another program's file, which is still there.
    var isForeign = false
    /// The photo at that time; nil means the one that the document names.
    var original: Digest?
    /// Its pixels.
    var originalPixels: Digest?

    init(
      record: EditRecord?, rendering: String? = nil, isForeign: Bool = false,
      original: Digest? = nil, originalPixels: Digest? = nil
    ) {
      self.record = record
      self.rendering = rendering
      self.isForeign = isForeign
      self.original = original
      self.originalPixels = originalPixels
    }

    /// A state of a photo whose records are all in one place, whoever wrote them.
    package init(superseding record: EditRecord?) {
      // Another program keeps limits of its own; the mark has its record read by those again.
      let isWithinLimits: Bool
      do throws(EditingError) {
        try record?.adjustment.check()
        isWithinLimits = true
      } catch {
        isWithinLimits = false
      }
      self.init(record: record, isForeign: !isWithinLimits)
    }
  }

  struct Leftover: Hashable, Sendable {
    var path: String
    var digest: Digest
  }

  package init(original: Digest) {
    self.original = original
    revision = UUID().uuidString
  }

  /// The files that the records need, each once; no record asks for any other.
  var assets: [Digest: Data] {
    ([record] + (undo + redo).map(\.record)).compactMap { $0?.assets }
      .reduce(into: [:]) { $0.merge($1) { first, _ in first } }
  }

  /// Every content that undo or redo may ask for.
  var keptDigests: Set<Digest> {
    Set((undo + redo).flatMap { [$0.record?.base, $0.record?.current].compactMap { $0 } })
  }
}

extension SidecarDocument {
  /// Every content of the current state and of those that undo and redo lead to.
  var stateDigests: Set<Digest> {
    keptDigests.union([record?.base, record?.current].compactMap { $0 })
  }

  /// What marks on its renderings may call the photo.
  var photoDigests: Set<Digest> { Set([original, originalPixels].compactMap { $0 }) }

  /// Renderings that this program wrote and can tell by their digests.
  var ownRenderings: Set<Digest> {
    var digests = Set((undo + redo).filter { !$0.isForeign }.compactMap { $0.record?.current })
    digests.formUnion(leftovers.map(\.digest))
    if let record { digests.insert(record.current) }
    return digests
  }

  /// Bases that were put beside the photo.
  var ownBases: Set<Digest> {
    var digests = Set((undo + redo).compactMap { $0.record?.base })
    digests.formUnion(leftovers.map(\.digest))
    if let base = record?.base { digests.insert(base) }
    return digests
  }

  /// The digests of files that this program wrote for a use.
  func ownFiles(_ use: ClaimedUse) -> Set<Digest> {
    use == .base ? ownBases : ownRenderings
  }
}

extension SidecarDocument {
  private static let ownKeys = [
    "layout", "originalDigest", "originalPixelDigest", "renderingPath", "hidesForeign", "revision",
    "undo", "redo",
    "leftovers", "assets", "originalPixelWidth", "originalPixelHeight",
  ]

  /// Whether a property list has keys of ours at all.
  static func isOurs(_ list: PropertyList) -> Bool { list.values[prefix + "layout"] != nil }

  /// Reads a document; `reason` says what is wrong with it.
  ///
  /// - Parameter acceptsForeignRecord: Whether the current record may be one that another program
  ///   wrote by rules of its own.
  init(_ list: PropertyList, acceptsForeignRecord: Bool = false) throws(DocumentError) {
    guard let layout = list.integer(Self.prefix + "layout") else {
      throw .init(reason: "its layout is not a number")
    }
    guard layout <= Self.layout else { throw .init(reason: "", newerLayout: layout) }
    guard let original = list.digest(Self.prefix + "originalDigest"),
      let revision = list.string(Self.prefix + "revision")
    else { throw .init(reason: "the digest of the original or the revision is missing") }
    self.init(original: original)
    self.revision = revision
    originalPixels = list.digest(Self.prefix + "originalPixelDigest")
    rendering = list.string(Self.prefix + "renderingPath")
    hidesForeign = list.bool(Self.prefix + "hidesForeign") ?? false
    let assets = list.assets(Self.prefix + "assets")
    record = try EditRecord(list, isForeign: acceptsForeignRecord, assets: assets)
    if let width = list.integer(Self.prefix + "originalPixelWidth"), width > 0,
      let height = list.integer(Self.prefix + "originalPixelHeight"), height > 0
    {
      originalSize = PixelSize(width: width, height: height)
    }
    guard record == nil || rendering != nil else {
      throw .init(reason: "the place of the rendering is missing")
    }
    undo = try Self.entries(list, "undo", assets)
    redo = try Self.entries(list, "redo", assets)
    leftovers = (list.lists(Self.prefix + "leftovers") ?? []).compactMap { item in
      guard let path = item.string("path"), let digest = item.digest("digest") else { return nil }
      return Leftover(path: path, digest: digest)
    }
    let known = Set(Self.ownKeys.map { Self.prefix + $0 } + EditRecord.keys)
    unknown = list.values.filter { !known.contains($0.key) }
  }

  private static func entries(
    _ list: PropertyList, _ key: String, _ assets: [Digest: Data]
  ) throws(DocumentError) -> [JournalEntry] {
    guard list.values[prefix + key] != nil else { return [] }
    guard let items = list.lists(prefix + key) else {
      throw .init(reason: "its journal is not a list")
    }
    var entries: [JournalEntry] = []
    for item in items {
      let isForeign = item.bool(prefix + "isForeign") ?? false
      entries.append(
        JournalEntry(
          record: try EditRecord(item, isForeign: isForeign, assets: assets),
          rendering: item.string(prefix + "renderingPath"), isForeign: isForeign,
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
    if hidesForeign { set("hidesForeign", .bool(true)) }
    set("originalPixelWidth", originalSize.map { .integer(Int64($0.width)) })
    set("originalPixelHeight", originalSize.map { .integer(Int64($0.height)) })
    if !undo.isEmpty { set("undo", .array(undo.map(\.value))) }
    if !redo.isEmpty { set("redo", .array(redo.map(\.value))) }
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

/// What is wrong with a sidecar.
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
    if isForeign { list.values[SidecarDocument.prefix + "isForeign"] = .bool(true) }
    if let original {
      list.values[SidecarDocument.prefix + "originalDigest"] = .string(original.description)
    }
    if let originalPixels {
      list.values[SidecarDocument.prefix + "originalPixelDigest"] = .string(
        originalPixels.description)
    }
    return .dictionary(list.values)
  }
}

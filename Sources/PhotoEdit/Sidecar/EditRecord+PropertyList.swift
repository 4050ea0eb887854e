// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

extension EditRecord {
  private static let prefix = SidecarDocument.prefix

  /// The keys of a record; the first six are those of AAE.
  static let keys =
    [
      "adjustmentFormatIdentifier", "adjustmentFormatVersion", "adjustmentData",
      "adjustmentBaseVersion", "adjustmentTimestamp", "adjustmentEditorBundleID",
    ]
    + [
      "baseDigest", "renderingDigest", "quality", "utcOffset", "isLenient", "strip", "ditherSeed",
      "includesSettings",
      "assetDigests", "baseMovieDigest", "renderingMovieDigest", "fileDigest",
    ].map { prefix + $0 }

  /// Reads a record of photoedit; nil if the list has none.
  ///
  /// - Parameters:
  ///   - isThirdParty: Whether the record is a copy of a third-party record, which has other limits.
  ///   - assets: The attachments that the document stores for all its records.
  init?(
    _ list: PropertyList, isThirdParty: Bool = false, assets: [SHA256Digest: Data]
  ) throws(DocumentError) {
    guard let current = list.digest(Self.prefix + "renderingDigest") else {
      guard list.values["adjustmentFormatIdentifier"] == nil else {
        throw .init(reason: "the digest of the rendering is missing")
      }
      return nil
    }
    guard let adjustment = AdjustmentData(list, isThirdParty: isThirdParty) else {
      throw .init(reason: "the adjustment data is missing, empty or too large")
    }
    let baseText = list.string(Self.prefix + "baseDigest")
    let base = list.digest(Self.prefix + "baseDigest")
    let baseVersion = list.integer("adjustmentBaseVersion") ?? 0
    guard (baseText == nil) == (base == nil), (base == nil) == (baseVersion == 0) else {
      throw .init(reason: "the digest of the base is missing or does not match the base version")
    }
    self.init(
      base: base, current: current, adjustment: adjustment,
      date: list.date("adjustmentTimestamp") ?? Date(timeIntervalSince1970: 0),
      editor: list.string("adjustmentEditorBundleID") ?? "", renderSettings: RenderSettings(list),
      assets: assets.filter { list.digests(Self.prefix + "assetDigests").contains($0.key) })
    currentMovie = list.digest(Self.prefix + "renderingMovieDigest")
    baseMovie = list.digest(Self.prefix + "baseMovieDigest")
    file = list.digest(Self.prefix + "fileDigest")
  }

  func write(to list: inout PropertyList) {
    func set(_ key: String, _ value: PropertyListValue?) { list.values[key] = value }
    set("adjustmentFormatIdentifier", .string(adjustment.formatIdentifier))
    set("adjustmentFormatVersion", .string(adjustment.formatVersion))
    set("adjustmentData", .data(adjustment.data))
    set("adjustmentBaseVersion", .integer(base == nil ? 0 : 1))
    set("adjustmentTimestamp", .date(date))
    set("adjustmentEditorBundleID", .string(editor))
    set(Self.prefix + "renderingDigest", .string(current.description))
    set(Self.prefix + "baseDigest", base.map { .string($0.description) })
    set(Self.prefix + "renderingMovieDigest", currentMovie.map { .string($0.description) })
    set(Self.prefix + "baseMovieDigest", baseMovie.map { .string($0.description) })
    set(Self.prefix + "fileDigest", file.map { .string($0.description) })
    set(Self.prefix + "quality", renderSettings.map { .string($0.quality) })
    set(Self.prefix + "utcOffset", renderSettings.map { .integer(Int64($0.utcOffset)) })
    if !assets.isEmpty {
      // The attachments themselves are in the document, once for all records.
      let names = assets.keys.map(\.description).sorted()
      set(Self.prefix + "assetDigests", .array(names.map { .string($0) }))
    }
    // Absent values are the defaults, also for earlier versions.
    if renderSettings?.isLenient == true { set(Self.prefix + "isLenient", .bool(true)) }
    if renderSettings?.includesSettings == true {
      set(Self.prefix + "includesSettings", .bool(true))
    }
    if let strip = renderSettings?.strip, !strip.isEmpty {
      set(Self.prefix + "strip", .string(strip.description))
    }
    if case .tpdf(let seed) = renderSettings?.dither {
      set(Self.prefix + "ditherSeed", .integer(Int64(bitPattern: seed)))
    }
  }
}

extension AdjustmentData {
  /// Reads the keys common to all AAE files; nil if they do not form an acceptable record.
  ///
  /// - Parameter isThirdParty: Whether another program wrote the record: any name and any length are
  ///   then accepted, because the data is only passed through.
  init?(_ list: PropertyList, isThirdParty: Bool = false) {
    guard let identifier = list.string("adjustmentFormatIdentifier"),
      let version = list.string("adjustmentFormatVersion"), let data = list.data("adjustmentData")
    else { return nil }
    if isThirdParty {
      self.init(thirdParty: identifier, version, data)
      return
    }
    try? self.init(formatIdentifier: identifier, formatVersion: version, data: data)
  }
}

extension MetadataRemoval {
  /// Reads what the rendering of an edit lacks, from the edit's adjustment data; empty for the data
  /// of other programs.
  package init(adjustmentData bytes: [UInt8]) {
    let text = (try? PropertyList(bytes: bytes))?.string(SidecarDocument.prefix + "strip")
    // The rendering of a newer version may lack metadata of a kind that is not known here.
    self = text.map { MetadataRemoval($0) ?? .all } ?? []
  }
}

extension RenderSettings {
  init?(_ list: PropertyList) {
    let prefix = SidecarDocument.prefix
    guard let quality = list.string(prefix + "quality"),
      // The rendering of a newer version may lack metadata of a kind that is not known here.
      let strip = MetadataRemoval(list.string(prefix + "strip") ?? "none")
    else { return nil }
    let seed = list.integer(prefix + "ditherSeed").map { UInt64(bitPattern: Int64($0)) }
    self.init(
      quality: quality, utcOffset: list.integer(prefix + "utcOffset") ?? 0,
      isLenient: list.bool(prefix + "isLenient") ?? false,
      strip: strip, dither: seed.map { .tpdf(seed: $0) } ?? .none,
      includesSettings: list.bool(prefix + "includesSettings") ?? false)
  }
}

// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditSQLite
import PhotoEditStorage

/// A search for assets of a library that have the same content.
///
/// Not in PhotoKit.
public struct DuplicateSearch: Sendable {
  /// The ways to compare originals.
  public enum Method: String, Sendable, Hashable, CaseIterable {
    /// The files have the same bytes.
    case digest
    /// The pixels are the same, regardless of metadata.
    case pixels
    /// The images look alike: copies of other sizes, formats or qualities.
    case similar
  }

  /// Assets with the same content.
  public struct Group: Sendable {
    /// The asset to keep: the one with the most pixels, a RAW, an edit, an album, or the earliest
    /// import, in this order of importance.
    public let keeper: Asset
    /// The other assets.
    public let duplicates: [Asset]
  }

  /// The number of bits, of 64, in which the hashes of similar images may differ.
  private static let maximumDistance = 8
  /// The number of originals that are read between two calls of the progress handler.
  private static let step = 64

  private let library: PhotoLibrary
  /// Called between originals; `true` ends the search.
  public var isCancelled: @Sendable () -> Bool = { false }
  /// Receives the number of examined originals and the number of all.
  public var progress: (@Sendable (Int, Int) -> Void)?

  /// Creates a search in a library.
  public init(_ library: PhotoLibrary) { self.library = library }

  private struct Original: Sendable {
    let identifier: LocalIdentifier
    let digest: String
    let file: String
    let isImage: Bool
    let burst: String?
    let isInAlbum: Bool
  }

  /// Finds the groups of duplicates, in the order of the imports.
  ///
  /// Digests of pixels are stored, so that a further search reads only new originals.
  ///
  /// - Throws: `LibraryError` with `userCancelled` if the search was canceled.
  public func groups(by method: Method) throws(LibraryError) -> [Group] {
    let originals = try originals().filter { method != .similar || $0.isImage }
    let sets: [[Int]]
    switch method {
    case .digest: sets = Self.equal(originals.map(\.digest))
    case .pixels:
      let entries = try entries(originals, needsPixels: true, needsHash: false)
      sets = Self.equal(
        zip(originals, entries).map { original, entry in
          entry.pixels.flatMap { $0.isEmpty ? nil : "pixels " + $0 } ?? original.digest
        })
    case .similar:
      let entries = try entries(originals, needsPixels: false, needsHash: true)
      sets = similar(originals, entries)
    }
    return try sets.map { set throws(LibraryError) in
      try group(set.map { originals[$0] }, byPixels: method == .similar)
    }.compactMap(\.self)
  }

  private func originals() throws(LibraryError) -> [Original] {
    let reader = library.reader
    return try library.read { database throws(LibraryError) in
      try database.all(
        """
        SELECT asset.uuid, resource.digest, resource.file, resource.type, asset.burstIdentifier,
          EXISTS (SELECT 1 FROM member WHERE member.asset = asset.id)
        FROM asset JOIN resource ON resource.asset = asset.id
        WHERE asset.state = 0 AND asset.sourceType = ? AND resource.type IN (1, 2, 3)
        ORDER BY asset.id
        """, [.init(SourceType.userLibrary.rawValue)]
      ) { row in
        guard let identifier = LocalIdentifier(bytes: row.blob(0), .asset),
          let digest = SHA256Digest(bytes: row.blob(1))
        else { return Original?.none }
        return Original(
          identifier: identifier, digest: digest.hex, file: row.text(2),
          isImage: row.int(3) == 1, burst: row.optionalText(4), isInAlbum: row.bool(5))
      }.compactMap(\.self).filter { reader.canSee($0.identifier) }
    }
  }

  // MARK: Comparison

  /// Returns the sets of two or more indexes with equal keys, in the order of their first ones.
  private static func equal(_ keys: [String]) -> [[Int]] {
    Dictionary(grouping: keys.indices, by: { keys[$0] }).values.filter { $0.count > 1 }
      .sorted { $0[0] < $1[0] }
  }

  /// Reads the originals whose pixels have not been examined yet.
  private func entries(
    _ originals: [Original], needsPixels: Bool, needsHash: Bool
  ) throws(LibraryError) -> [PixelDigestCache.Entry] {
    var cache = PixelDigestCache(library.layout)
    let missing = Dictionary(
      originals.filter { original in
        let entry = cache.entries[original.digest]
        return (needsPixels && entry?.pixels == nil) || (needsHash && entry?.hash == nil)
      }.map { ($0.digest, $0.file) }, uniquingKeysWith: { first, _ in first }
    ).sorted { $0.key < $1.key }
    let digests = Set(originals.map(\.digest))
    var start = 0
    while start < missing.count, !isCancelled() {
      let part = Array(missing[start..<min(start + Self.step, missing.count)])
      let known = cache.entries
      let found = LockedValue<[String: PixelDigestCache.Entry]>([:])
      let (layout, isCancelled) = (library.layout, isCancelled)
      ThreadGroup.forEach(part.count) { index in
        let (digest, file) = part[index]
        guard !isCancelled(), LibraryLayout.isFileOfAsset(file) else { return }
        let entry = PixelDigestCache.complete(
          known[digest] ?? .init(), layout.path(file), needsPixels: needsPixels,
          needsHash: needsHash, isCancelled: isCancelled)
        found.withLock { $0[digest] = entry }
      }
      for (digest, entry) in found.withLock({ $0 }) { cache.add(entry, digest) }
      start += part.count
      progress?(start, missing.count)
    }
    cache.save(digests)
    if isCancelled() {
      throw LibraryError(
        .userCancelled, "the search was stopped; examined photos are not read again",
        hint: "run it again to continue")
    }
    return originals.map { cache.entries[$0.digest] ?? .init() }
  }

  /// Returns the sets of images with similar hashes; photos of the same burst do not count.
  private func similar(_ originals: [Original], _ entries: [PixelDigestCache.Entry]) -> [[Int]] {
    var tree = HashTree()
    var parents = Array(originals.indices)
    func root(_ index: Int) -> Int {
      var index = index
      while parents[index] != index { index = parents[index] }
      return index
    }
    for (index, entry) in entries.enumerated() {
      guard let hash = entry.hash.flatMap({ UInt64($0, radix: 16) }).map(PerceptualHash.init(bits:))
      else { continue }
      for other in tree.values(within: Self.maximumDistance, of: hash)
      where originals[other].burst == nil || originals[other].burst != originals[index].burst {
        let (first, second) = (root(other), root(index))
        parents[max(first, second)] = min(first, second)
      }
      tree.insert(index, hash)
    }
    return Dictionary(grouping: originals.indices, by: root).values.filter { $0.count > 1 }
      .map { $0.sorted() }.sorted { $0[0] < $1[0] }
  }

  /// Chooses the asset to keep; returns nil if the assets were deleted in the meantime.
  private func group(_ originals: [Original], byPixels: Bool) throws(LibraryError) -> Group? {
    let assets = try library.fetchAssets(
      withLocalIdentifiers: originals.map(\.identifier.description))
    let inAlbums = Set(originals.filter(\.isInAlbum).map(\.identifier.description))
    func rank(_ asset: Asset) -> [Double] {
      [
        byPixels ? Double(asset.pixelWidth) * Double(asset.pixelHeight) : 0,
        asset.traits.contains(.raw) ? 1 : 0, asset.hasAdjustments ? 1 : 0,
        inAlbums.contains(asset.localIdentifier) ? 1 : 0, -asset.addedDate.timeIntervalSince1970,
        -Double(asset.row),
      ]
    }
    let sorted = assets.sorted { rank($1).lexicographicallyPrecedes(rank($0)) }
    guard let keeper = sorted.first, sorted.count > 1 else { return nil }
    return Group(keeper: keeper, duplicates: Array(sorted.dropFirst()))
  }
}

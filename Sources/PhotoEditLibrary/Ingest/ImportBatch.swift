// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Storage
import Synchronization

/// One step of an import: some groups, prepared on all cores and then committed together.
struct ImportBatch: Sendable {
  struct Result: Sendable {
    var lines: [ImportedFile] = []
    var assetCount = 0
    var fileCount = 0
    var failure: LibraryError?
  }

  private struct Prepared: Sendable {
    var assets: [PreparedAsset] = []
    var lines: [ImportedFile] = []
  }

  private let importer: Importer
  private let prepared: [Prepared]
  private let known: KnownOriginals
  /// Holds the copies until the commit gives them their places.
  private let folder: StagingFolder?

  /// Copies, hashes and reads the files of the groups.
  init(
    _ groups: [ImportGroup], _ importer: Importer, _ known: KnownOriginals
  ) throws(LibraryError) {
    self.importer = importer
    self.known = known
    let isDryRun = importer.options.isDryRun
    let layout = importer.library.layout
    let folder: StagingFolder? =
      isDryRun ? nil : try inFiles { () throws(FileError) in try layout.makeStagingFolder() }
    self.folder = folder
    let results = Mutex([Prepared](repeating: Prepared(), count: groups.count))
    DispatchQueue.concurrentPerform(iterations: groups.count) { index in
      let one = Self.prepare(groups[index], index, importer, known, folder)
      results.withLock { $0[index] = one }
    }
    prepared = results.withLock { $0 }
  }

  private static func prepare(
    _ group: ImportGroup, _ index: Int, _ importer: Importer, _ known: KnownOriginals,
    _ folder: StagingFolder?
  ) -> Prepared {
    do throws(LibraryError) {
      if let original = try known.asset(withOriginal: group.original.path) {
        return Prepared(
          lines: group.files.map { ImportedFile($0.path, .duplicate, asset: original.asset) })
      }
    } catch {
      return Prepared(
        lines: group.files.map { ImportedFile($0.path, .refused, error: error) })
    }
    var count = 0
    let newPath: (() -> String)? = folder.map { folder in
      {
        count += 1
        return folder.file("\(index)-\(count)")
      }
    }
    let preparation = ImportPreparation(
      group, importer.library.access, shouldMove: importer.options.shouldMoveFiles,
      newPath: newPath)
    return Prepared(assets: preparation.assets, lines: preparation.lines)
  }

  /// Commits what is prepared; nothing of it is in the library when that fails.
  func commit() -> Result {
    defer { folder?.discard() }
    var result = Result()
    let assets = prepared.flatMap(\.assets)
    let fates: [Fate]
    do throws(LibraryError) {
      fates = try folder == nil ? lookUp(assets) : commit(assets)
    } catch {
      result.failure = error
      for asset in assets {
        result.lines += asset.files.map { ImportedFile($0.path, .refused, error: error) }
      }
      return finished(&result)
    }
    for (asset, fate) in zip(assets, fates) {
      if fate.isNew { result.assetCount += 1 }
      result.lines += asset.files.map { file in
        ImportedFile(
          file.path, fate.isNew ? .imported : .duplicate, type: file.type, asset: fate.asset,
          reason: file.note)
      }
    }
    return finished(&result)
  }

  private func finished(_ result: inout Result) -> Result {
    result.lines += prepared.flatMap(\.lines)
    result.lines.sort { $0.path < $1.path }
    result.fileCount = result.lines.count
    return result
  }

  /// What became of an asset, or would.
  private struct Fate {
    let isNew: Bool
    /// The identifier of the new one or of the one that is there already.
    let asset: String?
  }

  private func commit(_ assets: [PreparedAsset]) throws(LibraryError) -> [Fate] {
    guard !assets.isEmpty else { return [] }
    let outcomes: [AssetCreationOutcome]
    do {
      outcomes = try importer.library.performChangesAndWait { changes in
        try assets.map { asset in
          let request = try AssetCreationRequest(in: changes, staged: asset.staged)
          try request.setDuplicates(known.isUsed ? .skip : .allow)
          if let title = asset.title { try request.setTitle(title) }
          if let caption = asset.caption { try request.setCaption(caption) }
          return request.outcome
        }
      }
    } catch let error as LibraryError {
      throw error
    } catch {
      throw LibraryError(.internalError, "\(error)")
    }
    return outcomes.map { Fate(isNew: $0.created != nil, asset: $0.created ?? $0.existing) }
  }

  /// What a commit would say.
  private func lookUp(_ assets: [PreparedAsset]) throws(LibraryError) -> [Fate] {
    var fates: [Fate] = []
    for asset in assets {
      guard known.isUsed, let primary = asset.staged.primary else {
        fates.append(Fate(isNew: true, asset: nil))
        continue
      }
      let found = try known.asset(primary.digest)
      fates.append(Fate(isNew: found == nil && known.isFirst(primary.digest), asset: found?.asset))
    }
    return fates
  }
}

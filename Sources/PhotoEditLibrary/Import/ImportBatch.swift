// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage
import Synchronization

/// One step of an import: several groups, prepared on all cores and then committed together.
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

  private let context: ImportContext
  private let prepared: [Prepared]
  /// The paths of photos and videos, which no other step uses.
  private let media: [String]
  /// Holds the copies until the commit moves them into the library.
  private let folder: StagingFolder?

  init(_ groups: [ImportGroup], _ context: ImportContext) throws(LibraryError) {
    self.context = context
    media = groups.flatMap(\.files).filter(\.isMedia)
      .map(\.path)
    let layout = context.library.layout
    let folder: StagingFolder? =
      context.options.isDryRun
      ? nil : try inFiles(layout.makeStagingFolder())
    self.folder = folder
    let results = LockedValue([Prepared](repeating: Prepared(), count: groups.count))
    ThreadGroup.forEach(groups.count) { index in
      var one = Self.prepare(groups[index], index, context, folder)
      for line in one.lines.indices { one.lines[line].original = groups[index].path }
      results.withLock { $0[index] = one }
    }
    prepared = results.withLock { $0 }
  }

  private static func prepare(
    _ group: ImportGroup, _ index: Int, _ context: ImportContext, _ folder: StagingFolder?
  ) -> Prepared {
    var group = group
    do throws(LibraryError) {
      if let lines = try context.originals.lines(
        of: group, restoresTrashed: context.options.restoresTrashed)
      {
        return Prepared(lines: lines)
      }
      // An edit that was made here is one of the RAW file, to which the JPEG is added.
      if let raw = group.alternate, try context.originals.isEdited(raw) { group = group.showingRaw }
    } catch {
      return Prepared(lines: group.files.map { ImportedFile($0.path, .refused, error: error) })
    }
    var count = 0
    let newPath: (() -> String)? = folder.map { folder in
      {
        count += 1
        return folder.file("\(index)-\(count)")
      }
    }
    let preparation = ImportPreparation(
      group, context.library.access, context.options, context.archives, newPath: newPath)
    // A disk failure of the library is not a defect of one file, so the whole group is rejected.
    if let failure = preparation.lines.lazy.compactMap(\.error).first(where: {
      $0.isFailure(below: context.library.layout.root)
    }) {
      return Prepared(lines: group.files.map { ImportedFile($0.path, .refused, error: failure) })
    }
    return Prepared(assets: preparation.assets, lines: preparation.lines)
  }

  func commit() -> Result {
    defer { folder?.discard() }
    var result = Result()
    var assets = PreparedAsset.joiningLivePhotos(prepared.flatMap(\.assets))
    if context.originals.isUsed { PreparedAsset.separateCopies(&assets) }
    let outcomes: [Outcome]
    do throws(LibraryError) {
      let partners = try partners(of: assets)
      outcomes =
        try folder == nil ? forecast(assets, partners) : commit(assets, partners)
    } catch {
      result.failure = error
      for asset in assets {
        result.lines += asset.files.map { ImportedFile($0.path, .refused, error: error) }
      }
      return finished(&result)
    }
    for (asset, outcome) in zip(assets, outcomes) {
      if outcome.isNew { result.assetCount += 1 }
      let burst = asset.staged.burstIdentifier
      result.lines += asset.files.map { file in
        var line = outcome.line(file)
        line.original = asset.files.first?.path
        line.burstIdentifier = burst
        line.isSourceKept = outcome.kept[file.path] != nil
        return line
      }
    }
    return finished(&result)
  }

  private func finished(_ result: inout Result) -> Result {
    result.lines += prepared.flatMap(\.lines)
    result.lines.sort { $0.path < $1.path }
    context.archives?.remove(media)
    result.fileCount = result.lines.count
    return result
  }

  /// The actual or predicted outcome of an asset.
  private struct Outcome {
    let isNew: Bool
    let asset: String?
    var files: [AssetResourceType: AssetCompletion.Outcome] = [:]
    /// The reasons why sources that were to be moved are still there.
    var kept: [String: String] = [:]

    func line(_ file: PreparedAsset.File) -> ImportedFile {
      let notes = [file.note, kept[file.path].map { "the source is still there: \($0)" }]
      let note =
        notes.contains { $0 != nil } ? notes.compactMap(\.self).joined(separator: "; ") : nil
      func line(_ outcome: ImportedFile.Outcome, _ reason: String?) -> ImportedFile {
        ImportedFile(file.path, outcome, type: file.type, asset: asset, reason: reason)
      }
      if let known = file.outcome { return line(known, note) }
      if isNew { return line(.imported, note) }
      switch files[file.type] {
      case .added: return line(.attached, note)
      case .updated: return line(.updated, note)
      case .restored: return line(.restored, note)
      case .trashed:
        return ImportedFile(
          file.path, duplicateOf: asset, type: file.type, isTrashed: true)
      case .keptOut(let reason): return line(.keptOut, reason)
      case .superseded: return line(.read, .superseded)
      case .equivalent: return line(.duplicate, .ofOtherCoding)
      case .present, nil: return line(.duplicate, note)
      }
    }
  }

  /// Returns the Live Photo counterparts in the library; none if every group becomes a new asset.
  private func partners(
    of assets: [PreparedAsset]
  ) throws(LibraryError) -> [LivePhotoPartners.Partner?] {
    guard context.originals.isUsed else { return assets.map { _ in nil } }
    var partners: [LivePhotoPartners.Partner?] = []
    for asset in assets { partners.append(try context.partners.partner(of: asset.staged)) }
    return partners
  }

  private func commit(
    _ assets: [PreparedAsset], _ partners: [LivePhotoPartners.Partner?]
  ) throws(LibraryError) -> [Outcome] {
    guard !assets.isEmpty else { return [] }
    let outcomes = try context.library.performChangesAndWait { changes throws(LibraryError) in
      try zip(assets, partners).map { asset, partner throws(LibraryError) in
        let request = try AssetCreationRequest(
          in: changes, staged: asset.staged, partner: partner, albums: context.albums,
          updatesMetadata: context.options.updatesMetadata,
          restoresTrashed: context.options.restoresTrashed)
        try request.setDuplicates(context.originals.isUsed ? .complete : .allow)
        return request.outcome
      }
    }
    return outcomes.map {
      Outcome(
        isNew: $0.created != nil, asset: $0.created ?? $0.existing, files: $0.files, kept: $0.kept)
    }
  }

  private func forecast(
    _ assets: [PreparedAsset], _ partners: [LivePhotoPartners.Partner?]
  ) throws(LibraryError) -> [Outcome] {
    var outcomes: [Outcome] = []
    for (asset, partner) in zip(assets, partners) {
      outcomes.append(try forecast(asset.staged, partner))
    }
    return outcomes
  }

  private func forecast(
    _ staged: StagedAsset, _ partner: LivePhotoPartners.Partner?
  ) throws(LibraryError) -> Outcome {
    guard context.originals.isUsed, let digest = staged.primary?.digest else {
      return Outcome(isNew: true, asset: nil)
    }
    let stored = try context.originals.find(digest, orRendering: staged.isLone).known
    let library = context.library
    let rendered = staged.isLone ? context.renderings.withLock { $0[digest] } : nil
    guard var known = context.forecast.withLock({ $0[digest] }) ?? stored ?? rendered else {
      if let partner {
        return Outcome(
          isNew: false, asset: library.reader.visibleName(partner.asset),
          files: staged.digests.mapValues { _ in partner.outcome })
      }
      let part = try EarlierPart(of: staged) { digest throws(LibraryError) in
        if let known = context.forecast.withLock({ $0[digest] }) { return known }
        return try context.originals.find(digest).known
      }
      let asset = ExistingAsset(forecast: staged)
      // A copy of its RAW file or of its video is a duplicate as well.
      let originals = staged.resources.filter {
        [.photo, .video, .audio, .alternatePhoto, .pairedVideo].contains($0.type)
      }
      let digests = originals.flatMap { [$0.digest, $0.embeddedMovie] }.compactMap(\.self)
      context.forecast.withLock { known in for digest in digests { known[digest] = asset } }
      context.renderings.withLock { known in
        for type in AssetResourceType.renderings {
          if let digest = staged.resource(type)?.digest { known[digest] = asset }
        }
      }
      guard let part, library.refusalReason(forChanging: part.known.identifier) == nil else {
        return Outcome(isNew: true, asset: nil)
      }
      // An asset of the dry run itself has no identifier yet.
      let isStored = part.known.row != 0
      return Outcome(
        isNew: false,
        asset: isStored ? library.reader.visibleName(part.known.identifier) : nil,
        files: part.outcomes(staged))
    }
    let completion = AssetCompletion(
      staged, to: known,
      refusalReason: stored == nil ? nil : library.refusalReason(forChanging: known.identifier),
      updatesSidecar: context.options.updatesMetadata,
      restoresTrashed: context.options.restoresTrashed)
    if completion.restores { known.isTrashed = false }
    known.add(staged.resources.filter { completion.stored.contains($0.type) })
    context.forecast.withLock { $0[digest] = known }
    return Outcome(
      isNew: false, asset: stored.flatMap { library.reader.visibleName($0.identifier) },
      files: completion.outcomes)
  }
}

/// The state shared by all steps of one import.
struct ImportContext: Sendable {
  let library: PhotoLibrary
  let options: Importer.Options
  let originals: OriginalIndex
  let partners: LivePhotoPartners
  let albums: ImportedAlbums
  let archives: UnpackedArchives?
  /// The assets that a dry run has encountered, by the digests of their originals.
  let forecast = LockedValue<[SHA256Digest: ExistingAsset]>([:])
  /// The same by the digests of their current versions.
  let renderings = LockedValue<[SHA256Digest: ExistingAsset]>([:])

  init(_ importer: Importer, _ archives: UnpackedArchives? = nil) throws(LibraryError) {
    self.archives = archives
    library = importer.library
    var options = importer.options
    if options.clocks == .ofLibrary {
      options.clocks = try library.timeZone().map { .zone($0) } ?? .unknown
    }
    self.options = options
    originals = try OriginalIndex(library.reader, isUsed: options.skipsDuplicates)
    partners = LivePhotoPartners(library.reader)
    albums = ImportedAlbums(library.reader)
  }
}

extension PreparedAsset {
  /// Combines videos and stills with the same content identifier, regardless of names and folders.
  fileprivate static func joiningLivePhotos(_ assets: [PreparedAsset]) -> [PreparedAsset] {
    var movies: [String: Int] = [:]
    for (index, asset) in assets.enumerated() where asset.staged.resources.count == 1 {
      guard let identifier = asset.staged.resource(.video)?.paired?.contentIdentifier,
        movies[identifier] == nil
      else { continue }
      movies[identifier] = index
    }
    guard !movies.isEmpty else { return assets }
    var joined = assets
    var used: Set<Int> = []
    // Of several stills, such as a photo and its copy in another format, the one with the name of
    // the video is first.
    let named = assets.indices.filter { index in
      guard let still = assets[index].staged.resource(.photo),
        let movie = still.contentIdentifier.flatMap({ movies[$0] })
      else { return false }
      let names = [still.filename, assets[movie].staged.resource(.video)?.filename ?? ""]
      return NameScheme.shot(ofFile: names[0]) == NameScheme.shot(ofFile: names[1])
    }
    for index in named + assets.indices {
      let (asset, staged) = (assets[index], assets[index].staged)
      guard let identifier = staged.resource(.photo)?.contentIdentifier,
        staged.resource(.pairedVideo) == nil, staged.resource(.alternatePhoto) == nil,
        let movieIndex = movies[identifier], !used.contains(movieIndex),
        let movie = assets[movieIndex].staged.resource(.video)?.paired,
        var both = try? StagedAsset(staged.resources + [movie], pairing: .byContentIdentifier)
      else { continue }
      both.preference = staged.preference
      both.stated = staged.stated
      both.namedBurst = staged.namedBurst
      both.dateRules = staged.dateRules
      used.insert(movieIndex)
      let files = assets[movieIndex].files.map {
        File(path: $0.path, type: .pairedVideo, note: $0.note)
      }
      joined[index] = PreparedAsset(staged: both, files: asset.files + files)
    }
    return joined.indices.filter { !used.contains($0) }.map { joined[$0] }
  }

  /// Reports the copies of the videos of Live Photos and motion photos with their photos, instead
  /// of as separate assets: the same bytes, or the same recording in another coding.
  fileprivate static func separateCopies(_ assets: inout [PreparedAsset]) {
    var photos: [SHA256Digest: Int] = [:]
    var live: [String: Int] = [:]
    for (index, asset) in assets.enumerated() {
      guard let still = asset.staged.resource(.photo) else { continue }
      let movie = asset.staged.resource(.pairedVideo).flatMap { $0.isExtracted ? nil : $0 }
      for digest in [movie?.digest, still.embeddedMovie].compactMap(\.self)
      where photos[digest] == nil {
        photos[digest] = index
      }
      if let identifier = movie?.contentIdentifier, live[identifier] == nil {
        live[identifier] = index
      }
    }
    guard !photos.isEmpty else { return }
    /// Returns the photo whose video is the same recording.
    func photo(of movie: StagedResource) -> Int? {
      guard let identifier = movie.paired?.contentIdentifier, let index = live[identifier],
        let known = assets[index].staged.resource(.pairedVideo)?.movie,
        movie.movie?.isOfSameLength(as: known) == true
      else { return nil }
      return index
    }
    var copies: Set<Int> = []
    for (index, asset) in assets.enumerated() {
      guard let movie = asset.staged.resource(.video),
        let photo = photos[movie.digest] ?? photo(of: movie),
        asset.staged.resources.allSatisfy({ [.video, .sidecar].contains($0.type) })
      else { continue }
      let note = photos[movie.digest] == nil ? String.ofOtherCoding : nil
      copies.insert(index)
      let known = Set(assets[photo].files.map { PathKey($0.path) })
      assets[photo].files += asset.files.filter { !known.contains(PathKey($0.path)) }.map { file in
        file.type == .video
          ? File(path: file.path, type: .pairedVideo, note: note, outcome: .duplicate)
          : File(path: file.path, type: file.type, note: .ofLivePhoto, outcome: .keptOut)
      }
    }
    assets = assets.indices.filter { !copies.contains($0) }.map { assets[$0] }
  }
}

extension LibraryError {
  /// Returns whether a write below a folder failed, as opposed to a read of a source file.
  fileprivate func isFailure(below folder: String) -> Bool {
    switch file?.kind {
    case .noSpace: true
    case .io: path?.hasPrefix(folder + "/") ?? false
    default: false
    }
  }
}

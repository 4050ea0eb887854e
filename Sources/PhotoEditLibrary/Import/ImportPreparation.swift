// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditCodecs
import PhotoEditContainers
import PhotoEditMovieFiles
import PhotoEditStorage

/// An asset that is staged and ready to be committed.
struct PreparedAsset: Sendable {
  struct File: Sendable {
    let path: String
    let type: AssetResourceType
    let note: String?
    /// The outcome of a file that is not part of the asset.
    var outcome: ImportedFile.Outcome?
  }

  let staged: StagedAsset
  var files: [File]
}

/// Creates assets from the files of a group: copies, hashes and inspects them.
///
/// Only the file that cannot be accepted is rejected. The others of its group are imported as
/// separate assets if possible.
struct ImportPreparation {
  private(set) var assets: [PreparedAsset] = []
  private(set) var lines: [ImportedFile] = []

  private let access: LibraryAccess
  private let shouldMove: Bool
  private let preference: Importer.MetadataPreference
  private let dateRules: DateRules
  private let stated: StatedProperties?
  private let burst: NamedBurst?
  /// The description that photoedit exported with the asset, if any.
  private let exported: SidecarMetadata?
  private let archives: UnpackedArchives?
  /// Returns the path of the next copy; nil if nothing is copied.
  private let newPath: (() -> String)?
  private var notes: [PathKey: String] = [:]

  init(
    _ group: ImportGroup, _ access: LibraryAccess, _ options: Importer.Options,
    _ archives: UnpackedArchives? = nil, newPath: (() -> String)?
  ) {
    self.access = access
    self.archives = archives
    shouldMove = options.shouldMoveFiles
    preference = options.metadataPreference
    dateRules = options.dateRules
    stated = group.stated
    burst = group.burst
    exported = Self.exported(group)
    self.newPath = newPath
    prepare(options.prefersRaw ? group.showingRaw : group)
    let stored = Set(group.storedFiles.map(\.key))
    if !stored.isEmpty { omit(stored) }
  }

  /// Omits the files of the library from the report.
  private mutating func omit(_ stored: Set<PathKey>) {
    lines.removeAll { stored.contains(PathKey($0.path)) }
    for index in assets.indices {
      assets[index].files.removeAll { stored.contains(PathKey($0.path)) }
    }
  }

  /// Returns the description of an export with all files of the asset.
  private static func exported(_ group: ImportGroup) -> SidecarMetadata? {
    guard let packet = group.packet, !packet.isDescription, !group.sharesPacket,
      let bytes = try? FileBytes.reading(packet.path, maximumBytes: SidecarMetadata.maximumBytes),
      let metadata = SidecarMetadata(bytes.array), metadata.provenance == .own,
      !metadata.filenames.isEmpty
    else { return nil }
    return metadata
  }

  private mutating func prepare(_ group: ImportGroup) {
    guard
      let original = stage(
        group.original, originalType(of: group.original), name: group.originalName)
    else {
      return prepareRest(of: group)
    }
    var resources = [original]
    if let movie = group.movie { add(movie, to: &resources) }
    if let alternate = group.alternate { add(raw: alternate, to: &resources) }
    extractMovie(of: &resources)
    addEdit(of: group, to: &resources)
    if let packet = group.packet,
      let sidecar = stage(packet, .sidecar, moving: !group.sharesPacket)
    {
      resources.append(sidecar)
    }
    finish(resources)
  }

  /// Prepares the remaining files of a group whose original was rejected.
  private mutating func prepareRest(of group: ImportGroup) {
    var rest = group
    let renderings = [group.editedStill, group.editedMovie, group.baseStill, group.baseMovie]
    (rest.editedStill, rest.editedMovie, rest.baseStill, rest.baseMovie) = (nil, nil, nil, nil)
    rest.originalName = nil
    let description = group.packet.flatMap { $0.isDescription ? $0 : nil }
    if let other = group.alternate ?? group.movie {
      rest.original = other
      rest.alternate = nil
      if group.alternate == nil { rest.movie = nil }
      rest.record = nil
      prepare(rest)
    } else if description == nil || renderings.allSatisfy({ $0 == nil }) {
      skip(group.packet)
    }
    skip(group.record)
    for file in renderings.compactMap({ $0 }) {
      // JSON of Google Takeout also describes the edited photo.
      var single = ImportGroup(original: file)
      (single.packet, single.sharesPacket) = (description, true)
      prepare(single)
    }
  }

  private mutating func skip(_ file: ImportScan.File?) {
    guard let file else { return }
    lines.append(
      ImportedFile(file.path, .skipped, reason: "the photo or video it describes was rejected"))
  }

  // MARK: Staging

  /// Copies and examines a file; rejects it and returns nil if it cannot be accepted.
  private mutating func stage(
    _ file: ImportScan.File, _ type: AssetResourceType, name: String? = nil, moving: Bool = true
  ) -> StagedResource? {
    let options = AssetResourceCreationOptions(
      originalFilename: name ?? exported?.filenames[type.rawValue] ?? file.stored?.name,
      shouldMoveFile: shouldMove && moving && file.stored == nil)
    do throws(LibraryError) {
      var source = ResourceSource(type: type, origin: file.origin, options: options)
      source.isOfLibrary = file.stored != nil
      // One description may be part of several assets.
      source.isTemporary = type != .sidecar && archives?.contains(file.path) == true
      let resource = try ResourceStager.stage(source, to: newPath?())
      // A damaged file of the library is reported by the library check.
      if let stored = file.stored, stored.digest != resource.digest.bytes { return nil }
      if let notice = resource.notice { note(notice, file.path) }
      return resource
    } catch {
      if file.stored == nil { lines.append(ImportedFile(file.path, .refused, error: error)) }
      return nil
    }
  }

  private mutating func note(_ text: String, _ path: String) {
    notes[PathKey(path)] = notes[PathKey(path)].map { $0 + "; " + text } ?? text
  }

  private func originalType(of file: ImportScan.File) -> AssetResourceType {
    guard file.kind == .movie else { return .photo }
    // An unreadable file is rejected as a video, with a specific error.
    let facts = try? VideoProperties.reading(file.path, acceptsMissingEnd: true)
    return facts?.hasVideo == false ? .audio : .video
  }

  /// Adds the video of a Live Photo; any other video becomes a separate asset.
  private mutating func add(_ movie: ImportScan.File, to resources: inout [StagedResource]) {
    let isPaired = exported?.isPaired == true
    let name = isPaired ? exported?.filenames[AssetResourceType.pairedVideo.rawValue] : nil
    guard let other = stage(movie, originalType(of: movie), name: name) else { return }
    let identifier = resources[0].contentIdentifier
    guard let paired = other.paired,
      isPaired || (identifier != nil && identifier == paired.contentIdentifier)
    else { return finish([other]) }
    resources.append(paired)
    if let problem = other.movie?.stillTimeProblem {
      note("\(problem); the middle of the video is used", movie.path)
    }
  }

  /// Adds the RAW next to a still.
  ///
  /// It becomes a separate asset if the still is a Live Photo or the process has add-only access.
  private mutating func add(raw file: ImportScan.File, to resources: inout [StagedResource]) {
    guard let raw = stage(file, .alternatePhoto) else { return }
    let types = resources.map(\.type) + [.alternatePhoto]
    if resources.count == 1, (try? AssetCreationRequest.checkAccess(access, to: types)) != nil {
      resources.append(raw)
    } else {
      finish([raw.retyped(.photo)])
    }
  }

  private mutating func extractMovie(of resources: inout [StagedResource]) {
    resources[0].embeddedMovie = MotionPhoto.embeddedMovie(of: resources[0])
    guard let newPath else { return }
    let path = resources[0].source
    do throws(LibraryError) {
      switch try MotionPhoto.split(resources, newPath: newPath) {
      case .movie(let movie)?:
        resources.append(movie)
        note(.ofMotionPhoto, path)
      case .notExtracted(let reason)?: note("the video was not extracted: \(reason)", path)
      case nil: break
      }
    } catch {
      note("the video was not extracted: \(error.message)", path)
    }
  }

  // MARK: Edits

  /// Adds the files of an edit if they are complete.
  private mutating func addEdit(of group: ImportGroup, to resources: inout [StagedResource]) {
    let isMovie = resources[0].type == .video
    let candidates: [(ImportScan.File?, AssetResourceType)] =
      isMovie
      ? [(group.editedMovie, .fullSizeVideo), (group.baseMovie, .adjustmentBaseVideo)]
      : [
        (group.editedStill, .fullSizePhoto), (group.baseStill, .adjustmentBasePhoto),
        (group.editedMovie, .fullSizePairedVideo), (group.baseMovie, .adjustmentBasePairedVideo),
      ]
    let given = group.record.flatMap { stage($0, .adjustmentData) }
    let editor = group.record == nil && isRendered(group) ? group.editor : nil
    guard given != nil || editor != nil else {
      // Without adjustment data a rendering becomes a separate photo.
      for (file, _) in candidates { if let file { prepare(ImportGroup(original: file)) } }
      return
    }
    var staged: [StagedResource] = []
    for (file, type) in candidates {
      if let file, let resource = stage(file, type) { staged.append(resource) }
    }
    // Without a rendering there is nothing for the import to write about.
    guard let record = given ?? generatedRecord(of: group, by: editor, staged.first) else { return }
    resources.append(record)
    var types = (resources + staged).map(\.type)
    // If nothing is copied, the video has not been extracted from the still.
    if newPath == nil, resources[0].image?.motionMovie != nil, !types.contains(.pairedVideo) {
      types.append(.pairedVideo)
    }
    if ResourceCombination.isSupported(types) {
      resources += staged
      return
    }
    note("the rendering is missing; the original is shown until it is edited", record.source)
    for resource in staged {
      lines.append(
        ImportedFile(
          resource.source, .skipped, reason: "the files of the edit are incomplete",
          isLoss: true))
    }
  }

  /// Writes a record for the rendering of a program that exports none.
  private func generatedRecord(
    of group: ImportGroup, by named: String?, _ rendering: StagedResource?
  ) -> StagedResource? {
    guard let named, let rendering else { return nil }
    let editor = NameScheme.editor(ofSoftware: rendering.image?.software) ?? named
    let modified = FileVersion(rendering.source)?.modificationTime ?? 0
    let list = PropertyList([
      "adjustmentFormatIdentifier": .string(editor), "adjustmentFormatVersion": .string("1"),
      "adjustmentData": .data(Data(editor.utf8)), "adjustmentBaseVersion": .integer(0),
      "adjustmentTimestamp": .date(Date(timeIntervalSince1970: modified)),
    ])
    let name = group.original.name + ".aae"
    guard let bytes = try? list.xml(),
      var record = try? ResourceStager.stage(
        ResourceSource(
          type: .adjustmentData, origin: .data(bytes),
          options: AssetResourceCreationOptions(originalFilename: name)), to: newPath?())
    else { return nil }
    record.isGenerated = true
    return record
  }

  /// Returns whether the rendering of a group is one of its original; a video that cannot be stored
  /// as one stays a video of its own.
  private func isRendered(_ group: ImportGroup) -> Bool {
    guard group.original.kind == .movie else { return group.editedStill != nil }
    guard let rendering = group.editedMovie,
      let head = try? ResourceStager.head(of: rendering.path)
    else { return false }
    return [.quickTime, .mpeg4].contains(FileContent.container(head))
  }

  // MARK: Results

  private mutating func finish(_ resources: [StagedResource]) {
    do throws(LibraryError) {
      var staged = try StagedAsset(
        resources, pairing: exported?.isPaired == true ? .force : .byContentIdentifier)
      staged.preference = preference
      staged.stated = stated
      staged.namedBurst = burst
      if let editor = stated?.metadata.editor {
        note("edited in \(editor); its edit cannot be read", resources[0].source)
      }
      staged.dateRules = dateRules
      if (resources.compactMap(\.sidecar) + [stated?.metadata].compactMap(\.self))
        .contains(where: \.hasImpossibleDate)
      {
        note("its date is not in the years 1 to 9999 and is not used", resources[0].source)
      }
      for file in resources where file.type != .pairedVideo {
        if let text = file.dateNote { note(text, file.source) }
      }
      for file in resources {
        guard let editor = file.sidecar?.editor else { continue }
        note("edited in \(editor); its edit cannot be read", file.source)
      }
      // RawTherapee stores the edit of NAME.EXT in NAME.EXT.pp3.
      for file in resources where FileSystem.itemExists(file.source + ".pp3") {
        note("edited in RawTherapee; its edit cannot be read", file.source)
      }
      for file in staged.misfits {
        note("its regions do not fit the image and are not used", file.source)
      }
      for name in staged.shortened {
        note(
          "its \(name) is shortened to \(ObjectText.maximumBytes) bytes; the file keeps all of it",
          resources[0].source)
      }
      assets.append(
        PreparedAsset(
          staged: staged,
          files: resources.filter { !$0.isExtracted && !$0.isGenerated }.map {
            PreparedAsset.File(path: $0.source, type: $0.type, note: notes[PathKey($0.source)])
          }))
    } catch {
      // If an edit's still and video do not match, only the files of the edit are rejected.
      let remaining = resources.filter { !ResourceCombination.edit.contains($0.type) }
      for resource in resources
      where ResourceCombination.edit.contains(resource.type) && !resource.isGenerated {
        lines.append(ImportedFile(resource.source, .refused, error: error))
      }
      if remaining.count < resources.count { finish(remaining) } else { refuse(resources, error) }
    }
  }

  private mutating func refuse(_ resources: [StagedResource], _ error: LibraryError) {
    lines += resources.map { ImportedFile($0.source, .refused, error: error) }
  }
}

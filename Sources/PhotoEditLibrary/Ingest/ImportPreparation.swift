// SPDX-License-Identifier: Apache-2.0
import Codecs
import PhotoEditMovies
import Storage

/// An asset that is staged and only waits for its commit.
struct PreparedAsset: Sendable {
  let staged: StagedAsset
  /// What every file of it is to it, with a word about it where there is one.
  let files: [(path: String, type: AssetResourceType?, note: String?)]
  let title: String?
  let caption: String?
}

/// Makes assets of the files of a group: copies, hashes and looks at them.
struct ImportPreparation {
  private(set) var assets: [PreparedAsset] = []
  private(set) var lines: [ImportedFile] = []

  private let group: ImportGroup
  private let access: LibraryAccess
  private let shouldMove: Bool
  /// Gives the place of the next copy; nil where nothing is copied.
  private let newPath: (() -> String)?
  private var notes: [String: String] = [:]

  init(
    _ group: ImportGroup, _ access: LibraryAccess, shouldMove: Bool, newPath: (() -> String)?
  ) {
    self.group = group
    self.access = access
    self.shouldMove = shouldMove
    self.newPath = newPath
    run()
  }

  private mutating func run() {
    var path = group.original.path
    do throws(LibraryError) {
      var resources = [try stage(group.original, originalType)]
      if let movie = group.movie {
        path = movie.path
        let other = try stage(movie, .pairedVideo, else: .video)
        if other.type == .pairedVideo, isPair(resources[0], other) {
          resources.append(other)
          if let problem = other.movie?.stillTimeProblem {
            notes[movie.path] = "\(problem); the middle counts"
          }
        } else {
          finish([other.type == .video ? other : other.retyped(.video)], packet: nil)
        }
      }
      if let alternate = group.alternate {
        path = alternate.path
        try AssetCreationRequest.checkAccess(access, to: resources.map(\.type) + [.alternatePhoto])
        let other = try stage(alternate, .alternatePhoto)
        if resources.count == 1 {
          resources.append(other)
        } else {
          // A Live Photo has no place for it.
          finish([other.retyped(.photo)], packet: nil)
        }
      }
      try takeOutMovie(of: &resources)
      resources += try edit(of: resources, path: &path)
      finish(resources, packet: group.packet)
    } catch {
      refuse(error, path)
    }
  }

  /// Takes the movie out of a photo that has it in the same file.
  private mutating func takeOutMovie(of resources: inout [StagedResource]) throws(LibraryError) {
    guard let newPath else { return }
    switch try MotionPhoto.split(resources, newPath: newPath) {
    case .movie(let movie)?:
      resources.append(movie)
      notes[group.original.path] = "with its movie it is a Live Photo"
    case .kept(let reason)?:
      notes[group.original.path] = "its movie stays inside: \(reason)"
    case nil: break
    }
  }

  private var originalType: AssetResourceType {
    guard group.original.kind == .movie else { return .photo }
    // What cannot be read is refused as a movie, which says why.
    let facts = try? MovieFacts.reading(group.original.path)
    return facts?.hasPictures == false ? .audio : .video
  }

  /// A movie of another kind can be no part of a Live Photo, but a movie of its own.
  private func stage(
    _ file: ImportScan.File, _ type: AssetResourceType, else other: AssetResourceType
  ) throws(LibraryError) -> StagedResource {
    if let facts = try? MovieFacts.reading(file.path), facts.content.kind == .movie(.quickTime) {
      return try stage(file, facts.contentIdentifier == nil ? other : type)
    }
    return try stage(file, other)
  }

  private func stage(
    _ file: ImportScan.File, _ type: AssetResourceType
  ) throws(LibraryError) -> StagedResource {
    let options = AssetResourceCreationOptions(shouldMoveFile: shouldMove)
    return try ResourceStaging.stage(
      ResourceSource(type: type, place: .file(file.path), options: options), to: newPath?())
  }

  private func isPair(_ still: StagedResource, _ movie: StagedResource) -> Bool {
    guard let identifier = still.contentIdentifier else { return false }
    return identifier == movie.contentIdentifier
  }

  // MARK: Edits

  /// The files of the edit, as far as they make one.
  private mutating func edit(
    of originals: [StagedResource], path: inout String
  ) throws(LibraryError) -> [StagedResource] {
    guard let record = group.record else { return [] }
    path = record.path
    let data = try stage(record, .adjustmentData)
    let isMovie = originals[0].type == .video
    let wanted: [(ImportScan.File?, AssetResourceType)] =
      isMovie
      ? [(group.editedMovie, .fullSizeVideo), (group.baseMovie, .adjustmentBaseVideo)]
      : [
        (group.editedStill, .fullSizePhoto), (group.baseStill, .adjustmentBasePhoto),
        (group.editedMovie, .fullSizePairedVideo), (group.baseMovie, .adjustmentBasePairedVideo),
      ]
    let present = wanted.compactMap { file, type in file.map { ($0, type) } }
    var types = originals.map(\.type) + [.adjustmentData] + present.map(\.1)
    // Where nothing is copied the movie is still inside.
    if newPath == nil, originals[0].picture?.motionMovie != nil, !types.contains(.pairedVideo) {
      types.append(.pairedVideo)
    }
    guard ResourceCombination.isSupported(types) else {
      notes[record.path] = "its rendering is missing; the original is shown until it is edited"
      for (file, _) in present {
        lines.append(
          ImportedFile(
            file.path, .skipped, reason: "the files of the edit are not complete"))
      }
      return [data]
    }
    var resources = [data]
    for (file, type) in present {
      path = file.path
      resources.append(try stage(file, type))
    }
    return resources
  }

  // MARK: Results

  private mutating func finish(_ resources: [StagedResource], packet: ImportScan.File?) {
    let staged: StagedAsset
    do throws(LibraryError) {
      staged = try StagedAsset(resources, pairing: .byContentIdentifier)
    } catch {
      refuse(error, resources[0].source)
      return
    }
    let given = resources.filter { !$0.isTakenOut }
    var files: [(path: String, type: AssetResourceType?, note: String?)] = given.map {
      ($0.source, $0.type, notes[$0.source])
    }
    var summary: MetadataSummary?
    if let packet {
      summary = Self.summary(packet.path)
      if summary == nil {
        lines.append(ImportedFile(packet.path, .refused, reason: "it is no XMP packet"))
      } else {
        files.append((packet.path, nil, nil))
      }
    }
    assets.append(
      PreparedAsset(
        staged: staged, files: files, title: summary?.title, caption: summary?.caption))
  }

  private static func summary(_ path: String) -> MetadataSummary? {
    let limit = MetadataSummary.maximumSidecarBytes
    guard let bytes = try? FileBytes.reading(path, maximumBytes: limit) else { return nil }
    return MetadataSummary(sidecar: bytes.array)
  }

  /// Refuses a file, and with it those that are nothing without it.
  private mutating func refuse(_ error: LibraryError, _ path: String) {
    let done = Set(assets.flatMap { $0.files.map(\.path) } + lines.map(\.path))
    for file in group.files where !done.contains(file.path) {
      lines.append(
        file.path == path
          ? ImportedFile(path, .refused, error: error)
          : ImportedFile(
            file.path, .refused,
            reason: "it belongs to \(FileSystem.lastName(of: path)), which is refused"))
    }
  }
}

extension StagedResource {
  /// The same file as something else to its asset.
  fileprivate func retyped(_ type: AssetResourceType) -> StagedResource {
    StagedResource(
      type: type, path: path, source: source, digest: digest, size: size, facts: facts,
      uniformType: uniformType, filename: filename, consumed: consumed)
  }
}

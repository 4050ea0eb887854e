// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEdit
import PhotoEditCodecs
import PhotoEditPixels
import PhotoEditRendering
import PhotoEditSQLite
import PhotoEditStorage

/// The files in the folder of one asset, for recovering information from their names and contents.
struct AssetFolder {
  let path: String
  let names: [String]

  init(_ path: String, _ names: [String]) {
    self.path = path
    self.names = names.filter { LibraryLayout.isPlainName($0) }
  }

  /// Returns the resource type according to a file name; nil if it is not the name of a version.
  static func type(of name: String) -> AssetResourceType? {
    let parts = FileSystem.splitName(name).stem.split(separator: "-")
    guard parts.count == 2, parts[1].utf8.count == 16 else { return nil }
    return AssetResourceType(name: String(parts[0]))
  }

  /// Returns the type of a file created by an edit; nil for originals.
  static func derivedType(of name: String) -> AssetResourceType? {
    guard let type = type(of: name) else { return nil }
    switch type {
    case .fullSizePhoto, .fullSizeVideo, .adjustmentData, .adjustmentBasePhoto,
      .adjustmentBaseVideo, .fullSizePairedVideo, .adjustmentBasePairedVideo:
      return type
    case .photo, .video, .audio, .alternatePhoto, .pairedVideo, .photoProxy, .sidecar: return nil
    }
  }

  // MARK: Versions

  private func file(_ name: String) -> (digest: SHA256Digest, size: Int)? {
    guard let version = FileVersion(path + "/" + name),
      let digest = try? FileBytes.digest(of: path + "/" + name, followsLinks: false)
    else { return nil }
    return (digest, version.size)
  }

  private func resource(
    _ type: AssetResourceType, _ name: String, _ digest: SHA256Digest, _ size: Int,
    _ filename: String
  ) -> ResourceRecord {
    let uniformType =
      switch FileSystem.splitName(name).fileExtension.lowercased() {
      case "jpg", "jpeg": "public.jpeg"
      case "png": "public.png"
      case "heic": "public.heic"
      case "tif", "tiff": "public.tiff"
      case "gif": "com.compuserve.gif"
      case "mov": "com.apple.quicktime-movie"
      case "mp4": "public.mpeg-4"
      case "xmp": FileContent.sidecar.uniformType
      case "aae": "com.apple.photos.apple-adjustment-envelope"
      default: "public.data"
      }
    return ResourceRecord(
      type: type, file: name, digest: digest.bytes, size: size, uniformType: uniformType,
      filename: filename)
  }

  /// The originals, one of each type; the first if there are several, which no library creates.
  private var originals: [ResourceRecord] {
    var found: [AssetResourceType: ResourceRecord] = [:]
    for name in names {
      guard let type = Self.type(of: name), Self.derivedType(of: name) == nil, found[type] == nil,
        let file = file(name)
      else { continue }
      found[type] = resource(type, name, file.digest, file.size, name)
    }
    return found.values.sorted { $0.type.rawValue < $1.type.rawValue }
  }

  /// Returns the versions of the newest adjustment data whose rendering exists.
  private func edit(
    isMovie: Bool
  ) -> (resources: [ResourceRecord], journal: [AssetVersions.JournalFile])? {
    var contents: [SHA256Digest: (name: String, size: Int)] = [:]
    for name in names {
      guard Self.derivedType(of: name) != nil, let file = file(name) else { continue }
      contents[file.digest] = (name, file.size)
    }
    var best: (date: Date, record: String, document: SidecarDocument)?
    for name in names where Self.type(of: name) == .adjustmentData {
      guard FileSystem.isFileAndNoLink(path + "/" + name) else { continue }
      let found = try? EditFile(reading: path + "/" + name, current: nil, base: nil)
      guard case .document(let document)? = found else { continue }
      if let record = document.record {
        guard contents[record.current] != nil else { continue }
        if let base = record.base, contents[base] == nil { continue }
      }
      let date = document.record?.date ?? Date(timeIntervalSince1970: 0)
      if best == nil || date > best?.date ?? date { best = (date, name, document) }
    }
    guard let best, let file = file(best.record) else { return nil }
    let (current, base): (AssetResourceType, AssetResourceType) =
      isMovie ? (.fullSizeVideo, .adjustmentBaseVideo) : (.fullSizePhoto, .adjustmentBasePhoto)
    var resources: [ResourceRecord] = []
    var journal: [AssetVersions.JournalFile] = []
    // The adjustment data of another program is a file of its own.
    let theirs = best.document.record?.file.flatMap { digest in
      contents[digest].map { (name: $0.name, digest: digest, size: $0.size) }
    }
    if let record = best.document.record {
      let stored = theirs ?? (best.record, file.digest, file.size)
      resources.append(
        resource(.adjustmentData, stored.name, stored.digest, stored.size, "Adjustments.plist"))
      for (type, digest) in [(current, record.current), (base, record.base ?? record.current)]
      where type == current || record.base != nil {
        guard let content = contents[digest] else { continue }
        resources.append(resource(type, content.name, digest, content.size, content.name))
      }
    }
    if best.document.record == nil || theirs != nil {
      journal.append(
        .init(
          file: best.record, kind: .record, digest: file.digest.bytes, size: file.size))
    }
    let used = Set(resources.map(\.file))
    for record in best.document.journal.states.compactMap(\.record) {
      for digest in [record.base, record.current, record.file].compactMap({ $0 }) {
        guard let content = contents[digest], !used.contains(content.name),
          !journal.contains(where: { $0.file == content.name })
        else { continue }
        journal.append(
          .init(
            file: content.name, kind: .content, digest: digest.bytes, size: content.size))
      }
    }
    return (resources, journal)
  }

  // MARK: Manifests

  /// A row number that always counts as taken, so that the database assigns another.
  static let unknownRow: Int64 = 0

  /// Updates a manifest from before a commit to match the files from after it.
  func complete(_ manifest: inout AssetManifest) {
    let isMovie = manifest.properties["mediaType"] == .init(MediaType.video.rawValue)
    let originals = manifest.resources.filter { Self.derivedType(of: $0.file) == nil }
    guard let edit = edit(isMovie: isMovie) else { return }
    manifest.resources = originals + edit.resources
    manifest.journal = edit.journal
    manifest.properties["hasAdjustments"] = .init(
      edit.resources.contains { $0.type == .fullSizePhoto || $0.type == .fullSizeVideo })
    setSize(&manifest)
  }

  private func setSize(_ manifest: inout AssetManifest) {
    let shown =
      manifest.resources.first { $0.type == .fullSizePhoto }
      ?? manifest.resources.first { $0.type == .photo }
    guard let shown, let size = size(of: shown.file) else { return }
    manifest.properties["pixelWidth"] = .init(size.width)
    manifest.properties["pixelHeight"] = .init(size.height)
  }

  private func size(of name: String) -> PixelSize? {
    (try? FileBytes.reading(path + "/" + name, followsLinks: false))
      .flatMap { try? ImageSource($0).size }
  }

  private func read(_ name: String, into record: inout PhotoProperties) {
    guard let bytes = try? FileBytes.reading(path + "/" + name, followsLinks: false),
      let facts = try? ImageProperties.reading(bytes)
    else { return }
    record.pixelWidth = facts.size.width
    record.pixelHeight = facts.size.height
    record.creationDate = facts.media.creationDate
    record.location = facts.media.location
    record.utcOffset = facts.media.utcOffset
    record.apply(facts.device)
    record.apply(facts.capture.tags)
    record.regions = facts.regions(facts.capture.tags) ?? []
  }

  /// Returns a manifest based only on the files; nil if there is no original.
  func manifest(of uuid: UUID, at date: Double) -> AssetManifest? {
    let originals = originals
    guard let first = originals.first else { return nil }
    var record = PhotoProperties(
      originalFilename: first.file, addedAt: Date(timeIntervalSince1970: date))
    record.fileSize = first.size
    switch first.type {
    case .video: (record.mediaType, record.playbackStyle) = (.video, .video)
    case .audio: (record.mediaType, record.playbackStyle) = (.audio, .unsupported)
    default: break
    }
    if originals.contains(where: { $0.type == .pairedVideo }) {
      record.mediaSubtypes = .photoLive
      record.playbackStyle = .livePhoto
    }
    if let photo = originals.first(where: { $0.type == .photo }) { read(photo.file, into: &record) }
    let edit = edit(isMovie: record.mediaType == .video)
    record.hasAdjustments = edit?.resources.isEmpty == false
    let values = Dictionary(uniqueKeysWithValues: zip(PhotoProperties.columns, record.values))
    var manifest = AssetManifest(
      uuid: uuid, row: Self.unknownRow, state: 0,
      properties: values,
      resources: originals + (edit?.resources ?? []), journal: edit?.journal ?? [])
    setSize(&manifest)
    return manifest
  }
}

extension AssetManifest {
  /// Returns whether every file of the edit in the manifest exists.
  func isComplete(in folder: AssetFolder) -> Bool {
    let names = Set(folder.names)
    let itemExists = resources.allSatisfy {
      AssetFolder.derivedType(of: $0.file) == nil || names.contains($0.file)
    }
    let records = Set(names.filter { AssetFolder.type(of: $0) == .adjustmentData })
    let known = Set(resources.map(\.file) + journal.map(\.file))
    return itemExists && records.subtracting(known).isEmpty
  }
}

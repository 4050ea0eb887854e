// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditCodecs
import PhotoEditMovieFiles
import PhotoEditStorage

/// The properties of an asset in copies of its videos.
///
/// QuickTime has keys that other programs read, and a packet of XMP for what these cannot state: a
/// list with commas, a hierarchy, people, a label. An MPEG-4 file gets a packet only, since it stays
/// what it is otherwise. What cannot be written is noted.
extension EmbeddedMetadata {
  func writeMovie(
    _ resource: ResourceRecord, _ path: String, to staged: String
  ) throws(LibraryError) -> Written? {
    guard let info = try? PassthroughExport.inspect(path) else { return nil }
    let isPaired = resource.type.isPaired
    let differing = isPaired ? [] : differing(info)
    let isQuickTime = info.container == .quickTime
    let edits =
      !isQuickTime
      ? [] : isPaired ? pair.map { [.contentIdentifier($0)] } ?? [] : edits(info)
    let packet = differing.isEmpty ? nil : packet(info)
    guard !edits.isEmpty || !differing.isEmpty || unwritableDate != nil else { return nil }
    let digest = try inFiles(FileBytes.digest(of: path))
    guard digest.bytes == resource.digest else { throw .damagedFile(path) }
    var notes = [unwritableDate].compactMap(\.self)
    var isWritten = false
    do throws(MovieError) {
      if isQuickTime, !edits.isEmpty || packet != nil {
        _ = try MovieRewriter.run(from: path, to: staged, edits: edits, packet: packet)
        isWritten = true
      } else if let packet {
        try MoviePacket.write(packet, from: path, to: staged)
        isWritten = true
      }
    } catch {
      notes.append("its metadata cannot be written: \(error)")
    }
    if !isWritten { try inFiles(FileSystem.copy(path, to: staged, followsLinks: false)) }
    if !differing.isEmpty, notes.isEmpty {
      notes += losses(
        (try? PassthroughExport.inspect(staged)).map { self.differing($0) } ?? differing)
    }
    let written = try inFiles(FileBytes.digest(of: staged))
    guard let size = FileVersion(staged)?.size else { throw .damagedFile(staged) }
    return Written(
      digest: written, size: size, note: notes.isEmpty ? nil : notes.joined(separator: "; "))
  }

  // MARK: Differences

  /// The properties of photos and videos that a person may have set, with their names in notes.
  static let names: [(MetadataName, String)] = [
    (.title, "title"), (.caption, "caption"), (.keywords, "keywords"), (.rating, "rating"),
    (.label, "label"), (.people, "people"), (.date, "date"), (.location, "location"),
  ]

  /// Returns the properties of which a video has other values.
  private func differing(_ info: MovieInfo) -> Set<MetadataName> {
    let current = VideoProperties(info)
    let (old, new) = (current.tags, metadata.tags)
    var differing = Set(metadata.texts.filter { metadata[$0].flatMap($0.clean) != old[$0] })
    if old.keywords != new.keywords { differing.insert(.keywords) }
    if old.rating != new.rating { differing.insert(.rating) }
    if old.label != new.label { differing.insert(.label) }
    if old.people != new.people { differing.insert(.people) }
    if let date = metadata.date, !isTime(of: current, date) { differing.insert(.date) }
    if location(current)?.description != location?.description { differing.insert(.location) }
    return differing
  }

  /// Returns whether a video has a date; a header has whole seconds.
  private func isTime(of current: VideoProperties, _ date: CaptureDate) -> Bool {
    let old = current.media.creationDate?.timeIntervalSince1970
    return old.map { abs($0 - date.seconds) < 1 } ?? false
  }

  private func location(_ current: VideoProperties) -> MovieLocation? {
    current.media.location.flatMap {
      MovieLocation(latitude: $0.latitude, longitude: $0.longitude, altitude: $0.altitude)
    }
  }

  private var location: MovieLocation? {
    metadata.latitude.flatMap { latitude in
      metadata.longitude.flatMap {
        MovieLocation(latitude: latitude, longitude: $0, altitude: metadata.altitude)
      }
    }
  }

  /// Returns a note about the properties that a written file does not have.
  func losses(_ differing: Set<MetadataName>, of kind: String = "video") -> [String] {
    let names = Self.names.filter { differing.contains($0.0) }.map(\.1)
    guard let last = names.last else { return [] }
    let list = names.count == 1 ? last : names.dropLast().joined(separator: ", ") + " and " + last
    return ["its \(list) cannot be changed in this kind of \(kind); an XMP sidecar can state them"]
  }

  // MARK: XMP

  /// Returns the packet of a video; nil for a format without one, and if its keys are sufficient.
  private func packet(_ info: MovieInfo) -> [UInt8]? {
    var described = metadata
    switch info.container {
    case .matroska, .avi: return nil
    case .quickTime:
      let hasOnlyNames = metadata.tags.keywords.allSatisfy {
        !$0.has("/") && !KeywordPath.name($0).contains(",")
      }
      let isSufficient =
        hasOnlyNames && metadata.tags.people.isEmpty && metadata.tags.label == nil
      if isSufficient, info.packet == nil { return nil }
      // Its keys state them, and in other digits.
      (described.date, described.latitude, described.longitude) = (nil, nil, nil)
    case .mpeg4:
      described.date = metadata.date ?? info.packet.flatMap { SidecarMetadata($0)?.date }
    }
    return described.packet(keeping: info.packet, at: modificationDate)
  }

  // MARK: QuickTime

  /// Returns the changes of a video that make its properties those of the asset.
  private func edits(_ info: MovieInfo) -> [MovieEdit] {
    let current = VideoProperties(info)
    var edits: [MovieEdit] = []
    func set(_ name: MetadataName, _ old: String?, _ new: String?) {
      guard old != new, let key = name.movie.first else { return }
      edits.append(.text(key: key, value: new))
    }
    for name in metadata.texts {
      // XMP may state them as well.
      set(name, name.text(ofMovie: info.tags) ?? current.tags[name], metadata[name])
    }
    func keywords(_ tags: PhotoTags) -> String? {
      // A comma separates them, so that one with a comma would become two.
      let names = tags.keywords.map { KeywordPath.name($0) }.filter { !$0.contains(",") }
      return names.isEmpty ? nil : names.joined(separator: ",")
    }
    func stars(_ tags: PhotoTags) -> String? { tags.rating.map { "\($0)" } }
    for (name, old, new) in [
      (MetadataName.keywords, keywords(current.tags), keywords(metadata.tags)),
      (.rating, stars(current.tags), stars(metadata.tags)),
    ] {
      set(name, name.text(ofMovie: info.tags) ?? old, new)
    }
    if let date = metadata.date {
      if !isTime(of: current, date) || current.media.utcOffset != date.offset {
        edits.append(
          .creationDate(
            MovieDate(seconds: Int(date.seconds.rounded(.down)), utcOffset: date.offset ?? 0)))
      }
    }
    // Values in a video have four decimal places.
    if location?.description != location(current)?.description { edits.append(.location(location)) }
    return edits
  }
}

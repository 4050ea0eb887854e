// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditStorage

/// The file in which Picasa describes the photos of a folder: `.picasa.ini`, earlier `Picasa.ini`.
///
/// - Source: the files of Picasa 3.9; there is no specification.
struct PicasaFile: Sendable, Hashable {
  /// The description of a photo.
  struct Photo: Sendable, Hashable {
    var metadata = SidecarMetadata()
    /// The identifiers of its albums.
    var albums: [String] = []
    /// The parts of its edit, which are not rendered.
    var edits: [String] = []
  }

  /// The photos by their exact names.
  private(set) var photos: [PathKey: Photo] = [:]
  /// The titles of albums by identifier.
  private(set) var albums: [String: String] = [:]
  /// The name of the folder in Picasa.
  private(set) var title: String?
  /// Indicates whether the text is read as Windows-1252, because it is not UTF-8.
  var isOfWindows = false

  /// The folder of the photos as they were before Picasa saved an edit over them.
  static let originals = ".picasaoriginals"
  /// The report about such a folder.
  static let reasonForOriginals =
    "has the originals of photos that Picasa saved edits over; name the folder itself to import them"

  private static let names: Set<String> = [".picasa.ini", "picasa.ini"]
  private static let maximumBytes = 16 << 20
  private static let albumSection = ".album:"
  private static let contactSections: Set<Substring> = ["Contacts", "Contacts2"]

  /// Returns whether a file has the name of such a file.
  static func isName(_ name: String) -> Bool { names.contains(name.lowercased()) }

  /// Reads the file at a path; returns nil if it is not one.
  static func reading(_ path: String) -> PicasaFile? {
    guard isName(FileSystem.lastName(of: path)),
      let bytes = try? FileBytes.reading(path, maximumBytes: maximumBytes)
    else { return nil }
    let (text, encoding) = MetadataText.file(bytes.array)
    var file = PicasaFile(text)
    file?.isOfWindows = encoding == .windows1252
    return file
  }

  /// Reads text; returns nil if it has no sections.
  init?(_ text: String) {
    var sections: [(name: Substring, lines: [(key: Substring, value: Substring)])] = []
    for line in text.split(whereSeparator: \.isNewline) {
      if line.hasPrefix("["), line.hasSuffix("]") {
        sections.append((line.dropFirst().dropLast(), []))
      } else if let equals = line.firstIndex(of: "="), !sections.isEmpty {
        sections[sections.count - 1].lines.append(
          (line[..<equals], line[line.index(after: equals)...]))
      }
    }
    guard !sections.isEmpty else { return nil }
    var people: [Substring: String] = [:]
    for (name, lines) in sections where Self.contactSections.contains(name) {
      for (key, value) in lines {
        people[key] = String(value.prefix { $0 != ";" })
      }
    }
    for (name, lines) in sections where !Self.contactSections.contains(name) {
      let title = lines.first { $0.key == "name" }
        .flatMap { SidecarMetadata.text(String($0.value)) }
        .map { ObjectText.shortened($0) ?? $0 }
      if name.hasPrefix(Self.albumSection) {
        albums[String(name.dropFirst(Self.albumSection.count))] = title
      } else if name == "Picasa" {
        self.title = title
      } else {
        photos[PathKey(String(name)), default: Photo()].read(lines, people)
      }
    }
  }

  /// Adds what another file of the folder describes in addition.
  mutating func add(_ other: PicasaFile) {
    photos.merge(other.photos) { own, _ in own }
    albums.merge(other.albums) { own, _ in own }
  }
}

extension PicasaFile.Photo {
  /// The entries that belong to an edit, with what they do.
  private static let edits: [Substring: String] = [
    "crop": "crop", "filters": "filters", "rotate": "rotation", "redo": "filters",
  ]

  fileprivate mutating func read(
    _ lines: [(key: Substring, value: Substring)], _ people: [Substring: String]
  ) {
    metadata.provenance = .description
    for (key, value) in lines {
      switch key {
      case "star": if value == "yes" { metadata.isFavorite = true }
      case "hidden": if value == "yes" { metadata.isHidden = true }
      case "caption": metadata[.caption] = MetadataName.caption.clean(String(value))
      case "keywords":
        metadata.tags.keywords = KeywordPath.set(
          value.split(separator: ",").compactMap { KeywordPath.normalized(String($0)) })
      case "albums": albums = value.split(separator: ",").map(String.init)
      case "faces":
        // "rect64(3f845bcb59418507),8e62398ebda8c1a5;" for each face.
        metadata.tags.people = PhotoTags.names(
          value.split(separator: ";").compactMap { face in
            face.split(separator: ",").last.flatMap { people[$0] }
          })
      default: break
      }
      // "rotate(0)" is no rotation.
      if let edit = Self.edits[key], value != "rotate(0)", !edits.contains(edit) {
        edits.append(edit)
      }
    }
    guard !edits.isEmpty else { return }
    metadata.editor = "Picasa (\(edits.sorted().joined(separator: ", ")))"
  }
}

/// The properties and albums of photos according to the files of Picasa in their folders.
struct PicasaPlan {
  /// The properties of photos by path.
  private(set) var stated: [PathKey: StatedProperties] = [:]
  private(set) var albums: [PlannedAlbum] = []
  /// The report about the files.
  private(set) var lines: [ImportedFile] = []

  init(_ scan: ImportScan) {
    guard !scan.picasaFiles.isEmpty else { return }
    var files: [PathKey: PicasaFile] = [:]
    // ".picasa.ini" is newer than "Picasa.ini", and sorted before it.
    for (path, file) in scan.picasaFiles {
      files[PathKey(FileSystem.folder(of: path)), default: file].add(file)
    }
    var titles: [String: String] = [:]
    var members: [String: [String]] = [:]
    var counts: [PathKey: Int] = [:]
    let spellings = files.mapValues {
      Dictionary(grouping: $0.photos.keys) { PathKey($0.path.lowercased()) }
    }
    let described = scan.folders.joined().filter {
      $0.isMedia && files[PathKey(FileSystem.folder(of: $0.path))] != nil
    }
    let names = Dictionary(grouping: described) { PathKey($0.path.lowercased()) }
    for file in described {
      let folder = PathKey(FileSystem.folder(of: file.path))
      guard let picasa = files[folder] else { continue }
      var name = PathKey(file.name)
      // Windows does not distinguish names by case.
      if picasa.photos[name] == nil, names[PathKey(file.path.lowercased())]?.count == 1,
        let found = spellings[folder]?[PathKey(file.name.lowercased())], found.count == 1
      {
        name = found[0]
      }
      guard let photo = picasa.photos[name] else { continue }
      counts[folder, default: 0] += 1
      stated[PathKey(file.path)] = StatedProperties(photo.metadata)
      for album in photo.albums {
        guard let title = picasa.albums[album] else { continue }
        titles[album] = title
        members[album, default: []].append(file.path)
      }
    }
    albums = members.sorted { $0.key < $1.key }.map {
      PlannedAlbum(path: [titles[$0.key] ?? ""], members: $0.value)
    }
    for (path, file) in scan.picasaFiles {
      let used = counts[PathKey(FileSystem.folder(of: path))] ?? 0
      let rest = file.photos.count - used
      lines.append(
        ImportedFile(
          path, .read,
          reason: "describes \(used) file\(used == 1 ? "" : "s")"
            + (rest > 0 ? "; \(rest) more are not in this folder" : "")
            + (file.isOfWindows ? "; its text is not UTF-8 and is read as Windows-1252" : "")))
    }
  }
}

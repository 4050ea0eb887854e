// SPDX-License-Identifier: Apache-2.0
import PhotoEdit
import PhotoEditCodecs
import PhotoEditContainers
import PhotoEditStorage

/// A CSV file of an iCloud Photos export from privacy.apple.com.
///
/// - Source: simulot/immich-go:adapters/folder/icloud.go and its sample export.
enum ICloudFile: Sendable {
  /// The properties of photos by file name: "Photo Details.csv", "Photo Details-1.csv".
  case details([String: Details])
  /// The file names of the photos of an album or a memory, which has the title of the file.
  case album([String])

  struct Details: Sendable, Hashable {
    var metadata: SidecarMetadata
    var isTrashed: Bool
  }

  private static let maximumBytes = 64 << 20
  private static let maximumRows = 500_000
  private static let maximumColumns = 64

  private static let (nameColumn, dateColumn) = ("imgName", "originalCreationDate")

  /// Reads the file at a path; returns nil if it is not a file of an export.
  ///
  /// - Parameter head: The first bytes of the file, which show whether the rest is read.
  /// - Throws: `LibraryError` for a file of an export that exceeds a limit.
  static func reading(_ path: String, head: [UInt8]) throws(LibraryError) -> ICloudFile? {
    let name = FileSystem.lastName(of: path)
    let folder = FileSystem.lastName(of: FileSystem.folder(of: path))
    let isAlbum = ["Albums", "Memories"].contains(folder)
    let columns = String(decoding: head, as: UTF8.self)
    guard FileSystem.splitName(name).fileExtension.lowercased() == "csv", !head.contains(0),
      isAlbum || columns.contains(nameColumn) && columns.contains(dateColumn)
    else { return nil }
    let bytes = try inFiles(FileBytes.reading(path, maximumBytes: maximumBytes))
    guard let rows = rows(MetadataText.file(bytes.array).text) else {
      throw LibraryError(
        .invalidResource, path: path,
        "has more than \(maximumRows) rows or \(maximumColumns) columns and was not read")
    }
    return ICloudFile(rows, isAlbum: isAlbum)
  }

  /// - Parameter isAlbum: Whether a file with a single column is an album, by its folder.
  private init?(_ rows: [[String]], isAlbum: Bool) {
    guard let header = rows.first else { return nil }
    let columns = Dictionary(header.enumerated().map { ($1, $0) }) { first, _ in first }
    guard let name = columns[Self.nameColumn], let date = columns[Self.dateColumn] else {
      guard isAlbum, header.count == 1 else { return nil }
      self = .album(rows.dropFirst().compactMap(\.first).filter { !$0.isEmpty })
      return
    }
    var details: [String: Details] = [:]
    for row in rows.dropFirst() where row.count > max(name, date) {
      func isSet(_ column: String) -> Bool {
        columns[column].map { $0 < row.count && row[$0].lowercased() == "yes" } ?? false
      }
      var metadata = SidecarMetadata()
      metadata.provenance = .description
      metadata.date = Self.seconds(row[date]).map { CaptureDate(seconds: $0) }
      if isSet("favorite") { metadata.isFavorite = true }
      if isSet("hidden") { metadata.isHidden = true }
      details[row[name]] = Details(metadata: metadata, isTrashed: isSet("deleted"))
    }
    self = .details(details)
  }

  // MARK: Text

  /// Returns the rows of comma-separated values (RFC 4180); nil if there are too many, or too many
  /// columns.
  static func rows(_ text: String) -> [[String]]? {
    var rows: [[String]] = []
    var row: [String] = []
    var value = ""
    var isQuoted = false
    var hasValue = false
    func endRow() {
      if hasValue || !row.isEmpty { rows.append(row + [value]) }
      (row, value, hasValue) = ([], "", false)
    }
    var scalars = text.unicodeScalars[...]
    if scalars.first == "\u{FEFF}" { scalars.removeFirst() }
    while let scalar = scalars.popFirst() {
      guard rows.count <= maximumRows, row.count <= maximumColumns else { return nil }
      switch scalar {
      case "\"" where isQuoted && scalars.first == "\"":
        scalars.removeFirst()
        value.unicodeScalars.append(scalar)
      case "\"":
        isQuoted.toggle()
        hasValue = true
      case "," where !isQuoted:
        row.append(value)
        value = ""
        hasValue = true
      case "\n" where !isQuoted, "\r" where !isQuoted: endRow()
      default:
        value.unicodeScalars.append(scalar)
        hasValue = true
      }
    }
    endRow()
    return rows
  }

  /// Parses "Saturday June 4,2022 12:11 PM GMT" as seconds since 1970.
  ///
  /// The hour counts to 24 in some exports, in spite of AM and PM.
  static func seconds(_ text: String) -> Double? {
    let words = text.split { " ,".contains($0) }
    guard words.count >= 5 else { return nil }
    let rest = words.count >= 7 ? words.dropFirst() : words[...]
    let parts = Array(rest)
    let clock = parts.count > 3 ? parts[3].split(separator: ":") : []
    guard parts.count >= 5,
      let month = Clock.monthNames.firstIndex(where: { $0.lowercased() == parts[0].lowercased() }),
      let day = Int(parts[1]), let year = Int(parts[2]), (1...31).contains(day),
      (1...9999).contains(year), clock.count >= 2, var hour = Int(clock[0]),
      let minute = Int(clock[1]), (0..<24).contains(hour), (0..<60).contains(minute)
    else { return nil }
    switch parts[4].uppercased() {
    case "PM": if hour < 12 { hour += 12 }
    case "AM": if hour == 12 { hour = 0 }
    default: break
    }
    let iso =
      "\(zeroPadded(year, 4))-\(zeroPadded(month + 1))-\(zeroPadded(day))"
      + "T\(zeroPadded(hour)):\(zeroPadded(minute)):00Z"
    return CaptureDate(iso: iso)?.seconds
  }
}

/// The properties and albums of an iCloud Photos export, which may have several parts.
///
/// The file names of different parts are equal for different photos, so a part is matched first by
/// itself.
struct ICloudPlan {
  /// The properties of photos by path.
  private(set) var stated: [PathKey: StatedProperties] = [:]
  private(set) var albums: [PlannedAlbum] = []
  private(set) var trashed: Set<PathKey> = []
  /// The report about the CSV files.
  private(set) var lines: [ImportedFile] = []

  init(_ scan: ImportScan) {
    guard !scan.exports.isEmpty else { return }
    /// The paths by folder and name, by part and name, and by name.
    var media: [String: [String: [String]]] = [:]
    var parts: [String: [String: [String]]] = [:]
    var all: [String: [String]] = [:]
    for file in scan.folders.joined() where file.isMedia {
      let folder = FileSystem.folder(of: file.path)
      media[folder, default: [:]][file.name, default: []].append(file.path)
      parts[FileSystem.folder(of: folder), default: [:]][file.name, default: []].append(file.path)
      all[file.name, default: []].append(file.path)
    }
    var members: [String: [String]] = [:]
    for (key, file) in scan.exports.sorted(by: { $0.key.path < $1.key.path }) {
      let path = key.path
      let folder = FileSystem.folder(of: path)
      switch file {
      case .details(let details): apply(details, path, media[folder] ?? [:])
      case .album(let names):
        let title = FileSystem.splitName(FileSystem.lastName(of: path)).stem
        let own = parts[FileSystem.folder(of: folder)] ?? [:]
        var missing = 0
        for name in names {
          // First the photos of this part, then those of the others.
          let found = Self.exact(own[name] ?? all[name] ?? [], name)
          if found.count == 1 {
            members[title, default: []].append(found[0])
          } else {
            missing += 1
          }
        }
        let note = missing == 0 ? "" : "; \(missing) of its photos are missing or ambiguous"
        lines.append(ImportedFile(path, .read, reason: "album “\(title)”\(note)"))
      }
    }
    albums = members.sorted { $0.key < $1.key }.map {
      PlannedAlbum(path: [$0.key], members: $0.value)
    }
  }

  /// Returns the files with a name in the same Unicode form, or else with one that looks the same.
  private static func exact(_ paths: [String], _ name: String) -> [String] {
    paths.narrowed { PathKey(FileSystem.lastName(of: $0)) == PathKey(name) }
  }

  private mutating func apply(
    _ details: [String: ICloudFile.Details], _ path: String, _ media: [String: [String]]
  ) {
    var used = 0
    for (name, entry) in details {
      for file in Self.exact(media[name] ?? [], name) {
        used += 1
        stated[PathKey(file)] = StatedProperties(entry.metadata)
        if entry.isTrashed { trashed.insert(PathKey(file)) }
      }
    }
    let rest = details.count - used
    lines.append(
      ImportedFile(
        path, .read,
        reason: "describes \(used) file\(used == 1 ? "" : "s")"
          + (rest > 0 ? "; \(rest) more are not in this folder" : "")))
  }
}

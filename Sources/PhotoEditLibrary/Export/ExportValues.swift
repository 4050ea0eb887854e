// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditCodecs
import PhotoEditSQLite
import PhotoEditStorage

/// The values of assets for the fields of a template.
struct ExportValues {
  private let library: PhotoLibrary
  private let template: ExportTemplate?
  private let fields: Set<ExportTemplate.Field>
  /// The paths of the albums of each asset; empty if the export does not need them.
  private var albums: [Int64: [[String]]] = [:]
  private let needsAlbums: Bool

  /// - Parameter needsAlbums: Whether the exported files contain the albums.
  init(
    _ library: PhotoLibrary, _ template: ExportTemplate?, needsAlbums: Bool
  ) throws(LibraryError) {
    self.library = library
    self.template = template
    fields = template?.fields ?? []
    self.needsAlbums = needsAlbums || fields.contains(where: \.isAlbum)
    guard self.needsAlbums, library.reader.canRead, library.reader.visibleAssets == nil else {
      return
    }
    albums = try library.read { database throws(LibraryError) in
      let memberships = try database.all(
        """
        SELECT member.asset, member.album FROM member
        JOIN collection ON collection.id = member.album
        WHERE collection.state = 0 ORDER BY collection.position, collection.id
        """
      ) { (asset: $0.int(0), album: $0.int(1)) }
      var paths: [Int64: [String]] = [:]
      var albums: [Int64: [[String]]] = [:]
      for (asset, album) in memberships {
        let path: [String]
        if let known = paths[album] { path = known } else { path = try database.path(of: album) }
        paths[album] = path
        albums[asset, default: []].append(path)
      }
      return albums
    }
  }

  /// Returns a text that changes whenever the exported files of an asset change.
  func state(of asset: Asset) -> String {
    var text = "\(asset.contentRevision) \(asset.modificationDate.timeIntervalSince1970)"
    if let place = asset.place { text += " " + place }
    if needsAlbums {
      for path in albums[asset.row] ?? [] { text += "\n" + path.joined(separator: "\0") }
    }
    return SHA256Digest(of: Array(text.utf8)).hex
  }

  func paths(of asset: Asset, number: Int) -> [String] {
    guard let template else { return [ExportName.stem(of: asset.originalFilename)] }
    let summary = fields.contains(where: \.isEmbedded) ? embedded(asset) : nil
    // The places of an index are not mixed with those that a file states.
    let isStated = summary?.city != nil || summary?.country != nil
    let place = isStated || !fields.contains(where: \.isEmbedded) ? nil : place(of: asset)
    // The clock at the place of capture, as for days.
    let date = asset.creationDate.flatMap {
      CaptureDate(stated: $0.timeIntervalSince1970 + Double(asset.utcOffset ?? 0))?.iso
    }
    func part(_ start: Int, _ count: Int) -> [String] {
      date.map { [String($0.dropFirst(start).prefix(count))] } ?? []
    }
    let (stem, ending) = FileSystem.splitName(asset.originalFilename)
    return template.paths { field in
      switch field {
      case .year: part(0, 4)
      case .month: part(5, 2)
      case .day: part(8, 2)
      case .time: part(11, 8).map { $0.replacing(":", with: "") }
      case .original: [asset.originalFilename]
      case .name: [stem]
      case .fileExtension: [ending]
      case .title: [asset.title ?? ""]
      case .album: (albums[asset.row] ?? []).compactMap(\.last)
      case .albumPath:
        (albums[asset.row] ?? []).map { path in
          path.map { ExportTemplate.escaped($0) }.joined(separator: "/")
        }
      case .camera: [asset.camera ?? ""]
      case .country: [summary?.country ?? place?.country ?? ""]
      case .city: [summary?.city ?? place?.name ?? ""]
      case .keyword: asset.keywords.map { KeywordPath.name($0) }
      case .identifier: [String(asset.localIdentifier.prefix { $0 != "/" })]
      case .number: ["\(number)"]
      }
    }
  }

  private func place(of asset: Asset) -> Place? {
    asset.location.flatMap { location in
      library.configuration.placeIndex()?.nearest(
        latitude: location.latitude, longitude: location.longitude)
    }
  }

  /// Returns the metadata of an asset's original; nil for a video.
  private func embedded(_ asset: Asset) -> MetadataSummary? {
    guard let original = try? library.resources(of: asset).first(where: { $0.type == .photo }),
      let path = try? library.layout.path(of: original.file),
      let bytes = try? FileBytes.reading(
        path, maximumBytes: ResourceStager.maximumImageBytes, followsLinks: false)
    else { return nil }
    return (try? CameraRawFormat(bytes))??.metadata.summary
      ?? (try? ImageMetadata.read(bytes))?.summary
  }
}

/// Creates names for exported files that are safe in every folder and on every system.
package struct ExportName {
  /// The maximum length of a name without extensions, in bytes; file systems allow 255 in all.
  private static let maximumBytes = 180

  private var stems: Set<String> = []
  private var names: Set<String> = []

  package init() {}

  /// Returns the name of an original without its last extension and without characters that form a
  /// path, hide the file or control a terminal.
  static func stem(of filename: String) -> String { safe(FileSystem.splitName(filename).stem) }

  /// Returns a file name without characters that form a path, hide the file or control a terminal.
  static func safe(_ name: String) -> String {
    var scalars = String.UnicodeScalarView()
    var bytes = 0
    for character in name {
      let safe = character.unicodeScalars.map { isSafe($0) ? $0 : "_" }
      bytes += safe.reduce(0) { $0 + UTF8.width($1) }
      guard bytes <= maximumBytes else { break }
      scalars.append(contentsOf: safe)
    }
    // Windows and some network file systems remove trailing dots and spaces.
    while let last = scalars.last, last == "." || last == " " { scalars.removeLast() }
    var stem = String(scalars)
    if let first = scalars.first, ".-~@ ".unicodeScalars.contains(first) { stem = "_" + stem }
    if isReserved(stem) { stem = "_" + stem }
    return stem.isEmpty ? "photo" : stem
  }

  private static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
    if "/\\:*?\"<>|".unicodeScalars.contains(scalar) { return false }
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .surrogate: return false
    // Joiners are part of scripts and emoji; other format characters can reverse text.
    case .format: return scalar.value == 0x200C || scalar.value == 0x200D
    default: return true
    }
  }

  /// Returns whether a name denotes a device on some systems, regardless of the part after the dot.
  private static func isReserved(_ stem: String) -> Bool {
    let head = stem.prefix { $0 != "." }.uppercased()
    if ["CON", "PRN", "AUX", "NUL"].contains(head) { return true }
    return head.count == 4 && (head.hasPrefix("COM") || head.hasPrefix("LPT"))
      && head.last.map { "0123456789".contains($0) } == true
  }

  /// Returns a stem whose file names are all unused in this export, numbered if necessary.
  ///
  /// The names of an asset have suffixes such as ".edited.jpg", with which another stem may end.
  ///
  /// Names that differ only in case or in the Unicode form of accents count as equal, since some
  /// file systems treat them as such.
  package mutating func reserve(
    _ filename: String, naming names: (_ stem: String) -> [String]
  ) -> String {
    let stem = Self.stem(of: filename)
    var candidate = stem
    var number = 2
    var own = names(candidate).map { $0.lowercased() }
    while stems.contains(candidate.lowercased()) || !self.names.isDisjoint(with: own) {
      candidate = "\(stem) (\(number))"
      own = names(candidate).map { $0.lowercased() }
      number += 1
    }
    stems.insert(candidate.lowercased())
    self.names.formUnion(own)
    return candidate
  }
}

// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditCodecs
import PhotoEditSQLite
import PhotoEditStorage

/// Finds the counterpart of a Live Photo's still or video among the assets of a library, and the
/// motion photo that contains a video.
///
/// The content identifier is decisive. It is read only from files of about the same or of unknown
/// date, and once per file for an import.
final class LivePhotoPartners: Sendable {
  /// The asset to which a file is added.
  enum Partner: Sendable {
    /// A still without a video; the file is its video.
    case still(LocalIdentifier)
    /// A separate video whose file was examined; the file is its still.
    case movie(LocalIdentifier, StagedResource)
    /// A motion photo or Live Photo that has the video.
    case whole(LocalIdentifier, Copy)

    /// The relation of a video to that of a photo.
    enum Copy: Sendable {
      /// The same bytes.
      case exact
      /// The same recording in another coding, or with other metadata.
      case recoded
    }

    var asset: LocalIdentifier {
      switch self {
      case .still(let asset), .movie(let asset, _), .whole(let asset, _): asset
      }
    }

    /// The outcome of a file that is added to the asset, or is in it already.
    var outcome: AssetCompletion.Outcome {
      switch self {
      case .still, .movie: .added
      case .whole(_, .exact): .present
      case .whole(_, .recoded): .equivalent
      }
    }
  }

  private let library: LibraryReader
  private let identifiers = LockedValue<[LocalIdentifier: String?]>([:])
  private let embedded = LockedValue<[LocalIdentifier: SHA256Digest?]>([:])

  init(_ library: LibraryReader) { self.library = library }

  /// Returns the existing asset that a new asset completes, if any.
  func partner(of staged: StagedAsset) throws(LibraryError) -> Partner? {
    guard library.canRead else { return nil }
    let types = Set(staged.resources.map(\.type)).subtracting([.sidecar])
    if types == [.video] {
      guard let movie = staged.resource(.video) else { return nil }
      let date = movie.movie?.media.creationDate
      guard let identifier = movie.paired?.contentIdentifier else {
        return try photo(containing: movie, around: date).map { .whole($0, .exact) }
      }
      if let still = try find(.photo, identifier, around: date, named: movie.filename) {
        return .still(still)
      }
      return try photo(with: movie, identifier, around: date).map { .whole($0, .recoded) }
    }
    guard let still = staged.resource(.photo), !types.contains(.alternatePhoto) else { return nil }
    if let movie = staged.resource(.pairedVideo) {
      guard !movie.isExtracted else { return nil }
      let known = try library.read { database throws(LibraryError) in
        try database.asset(withOriginal: movie.digest)
      }
      return try known.flatMap { known throws(LibraryError) in try self.movie(known) }
    }
    guard let identifier = still.contentIdentifier else { return nil }
    let date = still.image?.media.creationDate
    return try find(.video, identifier, around: date, named: still.filename)
      .flatMap { found throws(LibraryError) in try self.movie(found) }
  }

  private func movie(_ asset: LocalIdentifier) throws(LibraryError) -> Partner? {
    let known = try library.read { database throws(LibraryError) in
      try ExistingAsset(asset, in: database)
    }
    guard let known, known.isLone(.video), library.canSee(asset),
      let file = known.resources[.video]
    else { return nil }
    guard let movie = ResourceStager.stored(file, in: library.layout), movie.paired != nil else {
      return nil
    }
    return .movie(asset, movie)
  }

  // MARK: Candidates

  private struct Candidate {
    let asset: LocalIdentifier
    let file: String
    /// The name of the file when it was imported.
    let name: String
  }

  /// The maximum time between a still and its video in seconds: time zones may be unknown.
  static let reach = 26 * 3600.0

  /// Returns the asset with a content identifier; of several, such as a still and its copy in
  /// another format, the one with the name of the counterpart.
  private func find(
    _ type: AssetResourceType, _ identifier: String, around date: Date?, named name: String
  ) throws(LibraryError) -> LocalIdentifier? {
    let shot = NameScheme.shot(ofFile: name)
    let found = try candidates(type, around: date)
    let named = found.filter { NameScheme.shot(ofFile: $0.name) == shot }
    return (named + found).first { self.identifier($0) == identifier }?.asset
  }

  private static func window(around date: Date?) -> [DatabaseValue] {
    let middle = date?.timeIntervalSince1970
    return [
      .real(middle.map { $0 - reach } ?? -Double.greatestFiniteMagnitude),
      .real(middle.map { $0 + reach } ?? Double.greatestFiniteMagnitude),
    ]
  }

  /// Returns the motion photo of about the same or of unknown date that contains a video.
  private func photo(
    containing movie: StagedResource, around date: Date?
  ) throws(LibraryError) -> LocalIdentifier? {
    let window = Self.window(around: date)
    func select(_ condition: String) -> String {
      """
      SELECT asset.uuid, still.file, still.filename
      FROM asset JOIN resource AS still ON still.asset = asset.id AND still.type = 1
        JOIN resource AS movie ON movie.asset = asset.id AND movie.type = 9
      WHERE visibility IN (0, 1, 2, 3, 4, 5, 6, 7) AND \(condition)
        AND abs(movie.size - ?) <= 65536 + ? / 20
      """
    }
    // The video of the photo was converted to QuickTime, with other boxes and another track.
    let sizes = [DatabaseValue.init(movie.size), .init(movie.size)]
    let found =
      try read(select("creationDate BETWEEN ? AND ?"), window + sizes)
      + read(select("creationDate IS NULL"), sizes)
    return found.first { embeddedMovie($0) == movie.digest }?.asset
  }

  /// Returns the Live Photo of about the same or of unknown date whose video has the content
  /// identifier and the duration of a video; an edited one usually has another duration.
  private func photo(
    with movie: StagedResource, _ identifier: String, around date: Date?
  ) throws(LibraryError) -> LocalIdentifier? {
    func select(_ condition: String) -> String {
      """
      SELECT asset.uuid, resource.file, resource.filename
      FROM asset JOIN resource ON resource.asset = asset.id
      WHERE resource.type = 9 AND visibility IN (0, 1, 2, 3, 4, 5, 6, 7) AND \(condition)
      """
    }
    let found =
      try read(select("creationDate BETWEEN ? AND ?"), Self.window(around: date))
      + read(select("creationDate IS NULL"), [])
    return found.first { candidate in
      guard self.identifier(candidate) == identifier else { return false }
      let path = library.layout.path(candidate.file)
      let known = try? VideoProperties.reading(path, acceptsMissingEnd: true)
      return known.map { movie.movie?.isOfSameLength(as: $0) == true } == true
    }?.asset
  }

  private func embeddedMovie(_ candidate: Candidate) -> SHA256Digest? {
    if let known = embedded.withLock({ $0[candidate.asset] }) { return known }
    let found = MotionPhoto.embeddedMovie(in: library.layout.path(candidate.file))
    embedded.withLock { $0[candidate.asset] = .some(found) }
    return found
  }

  /// Returns the accessible candidates that a query selects.
  private func read(
    _ sql: String, _ values: [DatabaseValue]
  ) throws(LibraryError) -> [Candidate] {
    try library.read { database throws(LibraryError) in
      try database.all(sql, values) { row in
        LocalIdentifier(bytes: row.blob(0), .asset).map {
          Candidate(asset: $0, file: row.text(1), name: row.text(2))
        }
      }.compactMap { $0 }
    }.filter { library.canSee($0.asset) && LibraryLayout.isFileOfAsset($0.file) }
  }

  private func candidates(
    _ type: AssetResourceType, around date: Date?
  ) throws(LibraryError) -> [Candidate] {
    let isPaired = "EXISTS (SELECT 1 FROM resource WHERE asset = asset.id AND type IN (4, 9))"
    func select(_ condition: String) -> String {
      """
      SELECT asset.uuid, resource.file, resource.filename
      FROM asset JOIN resource ON resource.asset = asset.id
      WHERE resource.type = ? AND visibility IN (0, 1, 2, 3) AND \(condition) AND NOT \(isPaired)
      """
    }
    let kind = DatabaseValue(type.rawValue)
    return try read(
      select("creationDate BETWEEN ? AND ?"), [kind] + Self.window(around: date))
      + read(select("creationDate IS NULL"), [kind])
  }

  /// Returns the content identifier in the file of an asset, if any.
  private func identifier(_ candidate: Candidate) -> String? {
    if let known = identifiers.withLock({ $0[candidate.asset] }) { return known }
    let path = library.layout.path(candidate.file)
    // An unreadable file has no identifier.
    let found =
      (try? VideoProperties.reading(path, acceptsMissingEnd: true))?.contentIdentifier
      ?? MotionPhoto.metadata(of: path)?.captureFacts(of: nil).contentIdentifier
    identifiers.withLock { $0[candidate.asset] = found }
    return found
  }
}

// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
import PhotoEditCodecs
import PhotoEditSQLite
import PhotoEditStorage

/// A request to create an asset from files.
///
/// Adding files never fails because of their content: the combination and the content are checked
/// after the block has returned, the combination first, before any byte is copied. The originals
/// are kept byte for byte.
public final class AssetCreationRequest: ChangeOperation {
  /// The ways to handle a file whose bytes the library already has, trashed or not.
  public enum Duplicates: Sendable, Hashable, CaseIterable {
    /// The asset is created without a check for duplicates.
    case allow
    /// The asset is created, and `outcome` contains the older one if this process may access it.
    case report
    /// The asset is not created; `outcome` contains the older one if this process may access it.
    case skip
    /// The asset is not created; files that the older one lacks are added to it. A still or video
    /// of a Live Photo is added to its counterpart.
    case complete
  }

  /// A placeholder for the asset, usable in the block and after the commit.
  public let placeholder: ObjectPlaceholder
  /// The outcome of the request; available after the commit of the block.
  public let outcome = AssetCreationOutcome()

  private let context: ChangeContext
  private var sources: [ResourceSource] = []
  private var overrides: [@Sendable (inout PhotoProperties) -> Void] = []
  private var duplicates = Duplicates.allow
  private var pairing = LivePhotoPairing.byContentIdentifier
  private var staged: StagedAsset?
  /// Indicates whether a changed XMP file replaces the one of the older asset.
  private let updatesMetadata: Bool
  /// Indicates whether an older asset in the trash is restored.
  private let restoresTrashed: Bool
  private var consumed: [MovedSource] = []
  /// The counterpart in a Live Photo, as found before the block.
  private let partner: LivePhotoPartners.Partner?
  /// Adds the asset to the albums listed in XMP.
  private let albums: ImportedAlbums?

  init(
    in context: ChangeContext, staged: StagedAsset? = nil,
    partner: LivePhotoPartners.Partner? = nil, albums: ImportedAlbums? = nil,
    updatesMetadata: Bool = false, restoresTrashed: Bool = false
  ) throws(LibraryError) {
    self.context = context
    self.staged = staged
    self.partner = partner
    self.albums = albums
    self.updatesMetadata = updatesMetadata
    self.restoresTrashed = restoresTrashed
    placeholder = ObjectPlaceholder(LocalIdentifier(new: .asset))
    try context.add(self)
  }

  /// Returns whether an asset can be created from files of these types, one file of each.
  ///
  /// An asset is a still, a still and its RAW, a still and its paired video, a video, or an audio
  /// recording. Each of them may include its rendering, adjustment data and base, so that an edit
  /// can be transferred between libraries.
  public static func supportsAssetResourceTypes(_ types: [AssetResourceType]) -> Bool {
    ResourceCombination.isSupported(types)
  }

  /// Adds a file; a symbolic link is followed.
  public func addResource(
    _ type: AssetResourceType, fileURL: URL,
    options: AssetResourceCreationOptions = AssetResourceCreationOptions()
  ) throws(LibraryError) {
    try context.checkOpen()
    sources.append(ResourceSource(type: type, origin: .file(fileURL.path), options: options))
  }

  /// Adds bytes as a file.
  public func addResource(
    _ type: AssetResourceType, data: [UInt8],
    options: AssetResourceCreationOptions = AssetResourceCreationOptions()
  ) throws(LibraryError) {
    try context.checkOpen()
    sources.append(ResourceSource(type: type, origin: .data(data), options: options))
  }

  /// Sets the handling of a file that the library already has; the default is `allow`.
  ///
  /// Duplicates are detected by the digest of the original; a file without others is also one of an
  /// asset that has it as its current version. The placeholder of a skipped request
  /// refers to no asset, so the block must not use it elsewhere.
  public func setDuplicates(_ duplicates: Duplicates) throws(LibraryError) {
    try context.checkOpen()
    self.duplicates = duplicates
  }

  /// Sets the way in which the files of a Live Photo are paired.
  public func setPairing(_ pairing: LivePhotoPairing) throws(LibraryError) {
    try context.checkOpen()
    self.pairing = pairing
  }

  // MARK: Properties

  /// Sets the date of capture, overriding the file; nil for unknown.
  public func setCreationDate(_ date: Date?) throws(LibraryError) {
    try override(.date) { $0.creationDate = date }
  }

  /// Sets the location of capture, overriding the file; nil for unknown.
  public func setLocation(_ location: LocationCoordinate?) throws(LibraryError) {
    try override(.location) { $0.location = location }
  }

  /// Creates the asset as a favorite.
  public func setFavorite(_ isFavorite: Bool) throws(LibraryError) {
    try override(.favorite) { $0.isFavorite = isFavorite }
  }

  /// Creates the asset as hidden, excluded from moments and default fetches.
  public func setHidden(_ isHidden: Bool) throws(LibraryError) {
    try override(.hidden) { $0.isHidden = isHidden }
  }

  /// Sets the title, overriding the file; nil for no title.
  public func setTitle(_ title: String?) throws(LibraryError) { try set(\.title, to: title) }

  /// Sets the caption, overriding the file; nil for no caption.
  public func setCaption(_ caption: String?) throws(LibraryError) {
    try set(\.caption, to: caption)
  }

  /// Sets a text by its key path, such as `\.title`, overriding the file; nil for none.
  ///
  /// - Throws: `LibraryError` with `changeNotSupported` for a property that a user cannot set, and
  ///   for a text that is too long.
  public func set(
    _ property: KeyPath<PhotoProperties, String?>, to text: String?
  ) throws(LibraryError) {
    let property = try PhotoProperties.text(property, text)
    guard let path = property.text else { return }
    try override(property.field) { $0[keyPath: path] = text }
  }

  /// Sets the keywords, overriding the file.
  ///
  /// Levels of a hierarchy are separated by slashes, as in "Places/Portugal/Lisbon".
  public func setKeywords(_ keywords: some Sequence<String>) throws(LibraryError) {
    let items = try KeywordList(keywords).items
    let stored = TextList(try KeywordList.column(items)).items
    try override(.keywords) { $0.keywords = stored }
  }

  /// Sets the rating, overriding the file: 1 to 5 stars, 0 for none, -1 for rejected.
  public func setRating(_ rating: Int) throws(LibraryError) {
    guard Asset.ratings.contains(rating) else { throw .invalidRating(rating) }
    try override(.rating) { $0.rating = rating }
  }

  /// Sets the color label, overriding the file; nil for none.
  public func setLabel(_ label: Asset.Label?) throws(LibraryError) {
    try override(.label) { $0.label = label }
  }

  /// Sets the names of the people in it, overriding the file.
  public func setPeople(_ names: some Sequence<String>) throws(LibraryError) {
    let stored = TextList(try PeopleList.column(PeopleList(names).items)).items
    try override(.people) { $0.people = stored }
  }

  private func override(
    _ field: AssetFields, _ change: @escaping @Sendable (inout PhotoProperties) -> Void
  ) throws(LibraryError) {
    try context.checkOpen()
    overrides.append { record in
      change(&record)
      record.userFields?.insert(field)
    }
  }

  // MARK: Execution

  func checkAccess(_ access: LibraryAccess) throws(LibraryError) {
    try Self.checkAccess(access, to: staged?.resources.map(\.type) ?? sources.map(\.type))
  }

  /// Throws if this process may not create an asset of these types.
  static func checkAccess(
    _ access: LibraryAccess, to types: [AssetResourceType]
  ) throws(LibraryError) {
    try access.check(.addOnly)
    // Like PhotoKit, rejects pairs with a RAW for add-only access.
    if access.grant == .addOnly, types.contains(.alternatePhoto) {
      throw .unsupportedCombination(types)
    }
  }

  func checkShape() throws(LibraryError) {
    guard staged == nil else { return }
    let types = sources.map(\.type)
    guard Self.supportsAssetResourceTypes(types) else { throw .unsupportedCombination(types) }
  }

  func prepare(_ commit: TransactionFiles) throws(LibraryError) {
    guard staged == nil else { return }
    var resources = try sources.map { source throws(LibraryError) in
      try ResourceStager.stage(source, to: try commit.newPath())
    }
    // A video that cannot be extracted stays in the photo.
    if case .movie(let movie)? = try MotionPhoto.split(resources, newPath: commit.newPath) {
      resources.append(movie)
    }
    let staged = try StagedAsset(resources, pairing: pairing)
    if pairing != .force { try staged.checkStillTimes() }
    self.staged = staged
  }

  func apply(to commit: ChangeTransaction) throws(LibraryError) {
    guard let staged else { throw .unsupportedCombination([]) }
    let identifier = placeholder.identifier
    commit.willCreate(identifier)
    if duplicates != .allow, let primary = staged.primary {
      let existing = try commit.database.asset(
        withOriginal: primary.digest, orRendering: staged.isLone)
      outcome.existing = existing.flatMap { context.library.reader.visibleName($0) }
      if existing != nil, duplicates == .skip { return }
      if duplicates == .complete {
        if let existing { return try complete(existing, with: staged, in: commit) }
        if let partner, try join(partner, staged, in: commit) { return }
        if try joinEarlierPart(of: staged, in: commit) { return }
      }
    }
    let date = Date(timeIntervalSince1970: commit.date)
    var record = staged.properties(addedAt: date)
    for change in overrides { change(&record) }
    if let burst = record.burstIdentifier {
      record.representsBurst = try commit.represents(
        burst, isStated: record.representsBurst)
    }
    let row = try commit.insert(record, as: identifier)
    for resource in staged.resources { try commit.insert(resource, of: row, identifier) }
    consumed = staged.resources.compactMap(\.consumed)
    if let metadata = staged.resource(.sidecar)?.sidecar {
      try albums?.add(row, to: metadata.albums, in: commit)
    }
    outcome.created = identifier.description
  }

  private func complete(
    _ existing: LocalIdentifier, with staged: StagedAsset, in commit: ChangeTransaction
  ) throws(LibraryError) {
    guard let known = try ExistingAsset(existing, in: commit.database) else { return }
    let completion = AssetCompletion(
      staged, to: known, refusalReason: context.library.refusalReason(forChanging: existing),
      updatesSidecar: updatesMetadata, restoresTrashed: restoresTrashed)
    if completion.restores {
      try commit.willChange(existing)
      try commit.restore(known.row)
      try commit.resolveBursts(of: [known.row], restored: [known.row])
    }
    try commit.complete(known, with: staged, adding: completion.added)
    if completion.outcomes[.sidecar] == .updated { try commit.update(known, with: staged) }
    if completion.added.contains(.sidecar), let metadata = staged.resource(.sidecar)?.sidecar {
      try albums?.add(known.row, to: metadata.albums, in: commit)
    }
    consumed = staged.resources.filter { completion.stored.contains($0.type) }
      .compactMap(\.consumed)
    outcome.files = completion.outcomes
  }

  /// Combines the asset with its counterpart into a Live Photo if that is still unchanged.
  private func join(
    _ partner: LivePhotoPartners.Partner, _ staged: StagedAsset, in commit: ChangeTransaction
  ) throws(LibraryError) -> Bool {
    var files: [AssetResourceType: AssetCompletion.Outcome] = [:]
    let found: LocalIdentifier
    switch partner {
    case .still(let identifier):
      found = identifier
      guard let movie = staged.primary?.paired,
        let known = try ExistingAsset(identifier, in: commit.database)
      else { return false }
      let paired = try StagedAsset([movie], pairing: .force)
      let completion = AssetCompletion(
        paired, to: known,
        refusalReason: context.library.refusalReason(forChanging: identifier))
      guard completion.added == [.pairedVideo] else { return false }
      try commit.complete(known, with: paired, adding: completion.added)
      files[.video] = .added
      if staged.resource(.sidecar) != nil { files[.sidecar] = .keptOut(.ofLivePhoto) }
    case .whole(let identifier, _):
      found = identifier
      files[.video] = partner.outcome
      if staged.resource(.sidecar) != nil { files[.sidecar] = .keptOut(.ofLivePhoto) }
    case .movie(let identifier, let movie):
      found = identifier
      guard context.library.refusalReason(forChanging: identifier) == nil,
        let known = try ExistingAsset(identifier, in: commit.database), known.isLone(.video),
        known.resources[.video]?.digest == movie.digest.bytes
      else { return false }
      try commit.join(staged, with: movie, of: known)
      for type in staged.digests.keys { files[type] = type == .pairedVideo ? .present : .added }
      if staged.resource(.sidecar) != nil, known.resources[.sidecar] != nil {
        files[.sidecar] = .keptOut("the video already has an XMP sidecar")
      }
    }
    consumed = staged.resources.filter { files[$0.type] == .added }.compactMap(\.consumed)
    outcome.existing = context.library.reader.visibleName(found)
    outcome.files = files
    return true
  }

  /// Adds the other files to an asset that is only one of them; returns whether there is such an
  /// asset.
  private func joinEarlierPart(
    of staged: StagedAsset, in commit: ChangeTransaction
  ) throws(LibraryError) -> Bool {
    let found = try EarlierPart(of: staged) { digest throws(LibraryError) in
      try commit.database.asset(withOriginal: digest).flatMap { found throws(LibraryError) in
        try ExistingAsset(found, in: commit.database)
      }
    }
    guard let found, context.library.refusalReason(forChanging: found.known.identifier) == nil,
      let part = found.resource(in: staged, commit.files.layout),
      let kept = found.keptResources(in: commit.files.layout)
    else { return false }
    try commit.join(staged, with: part, of: found.known, keeping: kept)
    let files = found.outcomes(staged)
    outcome.files = files
    outcome.existing = context.library.reader.visibleName(found.known.identifier)
    consumed = staged.resources.filter { files[$0.type] == .added }.compactMap(\.consumed)
    if files[.sidecar] == .added, let metadata = staged.resource(.sidecar)?.sidecar {
      try albums?.add(found.known.row, to: metadata.albums, in: commit)
    }
    return true
  }

  func finish() {
    for source in consumed {
      if let reason = source.remove() { outcome.kept[source.name] = reason }
    }
    outcome.commit()
  }
}

extension LibraryDatabase {
  /// Returns the oldest asset with an original of these bytes, trashed or not; an asset with them
  /// as its primary original precedes one with them as its RAW or paired video.
  ///
  /// - Parameter orRendering: Whether an asset with these bytes as its current version is returned
  ///   if there is no other.
  func asset(
    withOriginal digest: SHA256Digest, orRendering: Bool = false
  ) throws(LibraryError) -> LocalIdentifier? {
    try first(
      """
      SELECT asset.uuid FROM resource JOIN asset ON asset.id = resource.asset
      WHERE resource.digest = ? AND resource.type IN (1, 2, 3, 4, 9\(orRendering ? ", 5, 6, 10" : ""))
        AND asset.state < 2
      ORDER BY resource.type IN (5, 6, 10), resource.type IN (4, 9), asset.state, asset.id LIMIT 1
      """, [.blob(digest.bytes)]
    ) { LocalIdentifier(bytes: $0.blob(0), .asset) } ?? nil
  }
}

extension PhotoLibrary {
  /// Returns the reason why this process may not change an asset; nil if it may.
  func refusalReason(forChanging asset: LocalIdentifier) -> String? {
    reader.canSee(asset) ? nil : "this program is not allowed to change the photo"
  }
}

extension ChangeContext {
  /// Adds a request to create an asset.
  public func createAsset() throws(LibraryError) -> AssetCreationRequest {
    try AssetCreationRequest(in: self)
  }
}

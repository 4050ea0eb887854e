// SPDX-License-Identifier: Apache-2.0
import Database
public import FoundationEssentials
import Storage
import Synchronization

/// A request to make an asset of files.
///
/// Adding files never fails by what is in them: shape and content are checked when the block has
/// returned, the shape first, before a byte is copied. The originals are kept bit by bit.
public final class AssetCreationRequest: ChangeOperation {
  /// What becomes of a file whose bytes the library has already, in the trash or outside of it.
  public enum Duplicates: Sendable, Hashable, CaseIterable {
    /// The asset is made, and nobody looks.
    case allow
    /// The asset is made, and `outcome` names the older one to those who may see it.
    case report
    /// The asset is not made; `outcome` names the older one to those who may see it.
    case skip
  }

  /// Stands for the asset, in the block and after the commit.
  public let placeholder: ObjectPlaceholder
  /// What became of the request; known once the block is committed.
  public let outcome = AssetCreationOutcome()

  private let context: ChangeContext
  private var sources: [ResourceSource] = []
  private var overrides: [@Sendable (inout AssetRecord) -> Void] = []
  private var duplicates = Duplicates.allow
  private var pairing = LivePhotoPairing.byContentIdentifier
  private var staged: StagedAsset?
  private var consumed: [ConsumedSource] = []

  init(in context: ChangeContext, staged: StagedAsset? = nil) throws(LibraryError) {
    self.context = context
    self.staged = staged
    placeholder = ObjectPlaceholder(LocalIdentifier(new: .asset))
    try context.add(self)
  }

  /// Whether an asset can be made of files of these types, one file of each.
  ///
  /// An asset is a still, a still and its RAW, a still and the movie around it, a movie, or a
  /// recording; and each of them with its rendering, its record and its base, so that an edit goes
  /// from one library to another.
  public static func supportsAssetResourceTypes(_ types: [AssetResourceType]) -> Bool {
    ResourceCombination.isSupported(types)
  }

  /// Adds a file; a symbolic link leads to it.
  public func addResource(
    _ type: AssetResourceType, fileURL: URL,
    options: AssetResourceCreationOptions = AssetResourceCreationOptions()
  ) throws(LibraryError) {
    try context.checkOpen()
    sources.append(ResourceSource(type: type, place: .file(fileURL.path), options: options))
  }

  /// Adds bytes as a file.
  public func addResource(
    _ type: AssetResourceType, data: [UInt8],
    options: AssetResourceCreationOptions = AssetResourceCreationOptions()
  ) throws(LibraryError) {
    try context.checkOpen()
    sources.append(ResourceSource(type: type, place: .data(data), options: options))
  }

  /// Says what becomes of a file that the library has already; `allow` unless told otherwise.
  ///
  /// The digest of the original decides. A placeholder of a request that is skipped stands for
  /// nothing, so the block must not use it elsewhere.
  public func setDuplicates(_ duplicates: Duplicates) throws(LibraryError) {
    try context.checkOpen()
    self.duplicates = duplicates
  }

  /// Says how the files of a Live Photo are told to belong together.
  public func setPairing(_ pairing: LivePhotoPairing) throws(LibraryError) {
    try context.checkOpen()
    self.pairing = pairing
  }

  // MARK: Properties

  /// Sets when the photo was taken, whatever its file says; nil for not known.
  public func setCreationDate(_ date: Date?) throws(LibraryError) {
    try override { $0.creationDate = date }
  }

  /// Sets where the photo was taken, whatever its file says; nil for not known.
  public func setLocation(_ location: GeoPoint?) throws(LibraryError) {
    try override { $0.location = location }
  }

  /// Makes the asset a favourite from the beginning.
  public func setFavorite(_ isFavorite: Bool) throws(LibraryError) {
    try override { $0.isFavorite = isFavorite }
  }

  /// Leaves the asset out of moments and default fetches from the beginning.
  public func setHidden(_ isHidden: Bool) throws(LibraryError) {
    try override { $0.isHidden = isHidden }
  }

  /// Sets the title, whatever its file says; nil for none.
  public func setTitle(_ title: String?) throws(LibraryError) {
    try override { $0.title = title }
  }

  /// Sets the caption, whatever its file says; nil for none.
  public func setCaption(_ caption: String?) throws(LibraryError) {
    try override { $0.caption = caption }
  }

  private func override(
    _ change: @escaping @Sendable (inout AssetRecord) -> Void
  ) throws(LibraryError) {
    try context.checkOpen()
    overrides.append(change)
  }

  // MARK: Carrying it out

  func checkAccess(_ access: LibraryAccess) throws(LibraryError) {
    try Self.checkAccess(access, to: staged?.resources.map(\.type) ?? sources.map(\.type))
  }

  /// Refuses an asset of these types to a program that may not make it.
  static func checkAccess(
    _ access: LibraryAccess, to types: [AssetResourceType]
  ) throws(LibraryError) {
    try access.check(.addOnly)
    // PhotoKit refuses pairs with a RAW to those who may only add.
    if access.grant == .addOnly, types.contains(.alternatePhoto) {
      throw .unsupportedCombination(types)
    }
  }

  func checkShape() throws(LibraryError) {
    guard staged == nil else { return }
    let types = sources.map(\.type)
    guard Self.supportsAssetResourceTypes(types) else { throw .unsupportedCombination(types) }
  }

  func prepare(_ commit: CommitFiles) throws(LibraryError) {
    guard staged == nil else { return }
    var resources: [StagedResource] = []
    for source in sources {
      resources.append(try ResourceStaging.stage(source, to: try commit.newPath()))
    }
    // A movie that cannot be taken out stays where it is.
    if case .movie(let movie)? = try MotionPhoto.split(resources, newPath: commit.newPath) {
      resources.append(movie)
    }
    let staged = try StagedAsset(resources, pairing: pairing)
    if pairing != .force { try staged.checkStillTimes() }
    self.staged = staged
  }

  func apply(to commit: Commit) throws(LibraryError) {
    guard let staged else { throw .unsupportedCombination([]) }
    let identifier = placeholder.identifier
    commit.willCreate(identifier)
    if duplicates != .allow, let primary = staged.primary {
      let existing = try commit.database.asset(withOriginal: primary.digest)
      outcome.existing = existing.flatMap { context.library.visibleName($0) }
      if existing != nil, duplicates == .skip { return }
    }
    let date = Date(timeIntervalSince1970: commit.date)
    var record = staged.record(identifier, addedAt: date)
    for change in overrides { change(&record) }
    if let burst = record.burstIdentifier {
      record.representsBurst = try !commit.database.isRepresented(burst: burst)
    }
    let row = try commit.insert(record)
    for resource in staged.resources {
      let file = commit.files.layout.file(
        resource.type, of: identifier.uuid, digest: resource.digest,
        fileExtension: resource.content.fileExtension)
      try commit.place(resource.path, at: file)
      try commit.put(
        ResourceRecord(
          type: resource.type, file: file, digest: resource.digest.bytes, size: resource.size,
          uniformType: resource.uniformType, filename: resource.filename), of: row)
    }
    consumed = staged.resources.compactMap(\.consumed)
    outcome.created = identifier.description
  }

  func finish() {
    for source in consumed { source.remove() }
    outcome.commit()
  }
}

/// What became of a request to make an asset.
public final class AssetCreationOutcome: Sendable {
  private struct State {
    var created: String?
    var existing: String?
    var isCommitted = false
  }

  private let state = Mutex(State())

  /// The local identifier of the new asset; nil when none was made, and before the commit.
  public internal(set) var created: String? {
    get { state.withLock { $0.isCommitted ? $0.created : nil } }
    set { state.withLock { $0.created = newValue } }
  }

  /// The local identifier of an older asset with the same original, in the trash or outside of it;
  /// nil when there is none, nobody asked, or this program may not see it, and before the commit.
  public internal(set) var existing: String? {
    get { state.withLock { $0.isCommitted ? $0.existing : nil } }
    set { state.withLock { $0.existing = newValue } }
  }

  func commit() { state.withLock { $0.isCommitted = true } }
}

extension LibraryDatabase {
  /// The oldest asset with an original of these bytes, in the trash or outside of it.
  func asset(withOriginal digest: Digest) throws(LibraryError) -> LocalIdentifier? {
    try first(
      """
      SELECT asset.uuid FROM resource JOIN asset ON asset.id = resource.asset
      WHERE resource.digest = ? AND resource.type IN (1, 2, 3) AND asset.state < 2
      ORDER BY asset.state, asset.id LIMIT 1
      """, [.blob(digest.bytes)]
    ) { LocalIdentifier(bytes: $0.blob(0), .asset) } ?? nil
  }

  /// Whether an asset in the library stands for a burst.
  fileprivate func isRepresented(burst: String) throws(LibraryError) -> Bool {
    try first(
      """
      SELECT 1 FROM asset
      WHERE burstIdentifier = ? AND representsBurst = 1 AND state = 0 LIMIT 1
      """, [.text(burst)]
    ) { _ in true } ?? false
  }
}

extension ChangeContext {
  /// Begins to make an asset.
  public func createAsset() throws(LibraryError) -> AssetCreationRequest {
    try AssetCreationRequest(in: self)
  }
}

// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditCodecs
import PhotoEditSQLite
import PhotoEditStorage

/// The files of an existing asset, as needed to decide whether a new file may be added.
struct ExistingAsset {
  let row: Int64
  let identifier: LocalIdentifier
  var resources: [AssetResourceType: ResourceRecord]
  /// Indicates whether the asset was edited here and has edit history.
  let hasHistory: Bool
  var isTrashed: Bool

  /// Returns whether the asset has only an original of this type, possibly with XMP.
  func isLone(_ type: AssetResourceType) -> Bool {
    !isTrashed && !hasHistory && Set(resources.keys).subtracting([.sidecar]) == [type]
  }
}

extension ExistingAsset {
  /// Reads an asset, trashed or not; returns nil if it does not exist.
  init?(_ identifier: LocalIdentifier, in database: LibraryDatabase) throws(LibraryError) {
    let found = try database.first(
      "SELECT id, state FROM asset WHERE uuid = ? AND state < 2", [.blob(identifier.bytes)]
    ) { ($0.int(0), $0.int(1) != 0) }
    guard let found else { return nil }
    (row, isTrashed) = found
    self.identifier = identifier
    resources = Dictionary(
      try database.resources(of: row).map { ($0.type, $0) }, uniquingKeysWith: { first, _ in first }
    )
    hasHistory = try !database.journalFiles(of: row).isEmpty
  }

  init(forecast staged: StagedAsset) {
    self.init(
      row: 0, identifier: LocalIdentifier(new: .asset), resources: [:], hasHistory: false,
      isTrashed: false)
    add(staged.resources)
  }

  /// Includes files that a commit would add.
  mutating func add(_ staged: [StagedResource]) {
    for resource in staged {
      resources[resource.type] = ResourceRecord(
        type: resource.type, file: "", digest: resource.digest.bytes, size: resource.size,
        uniformType: resource.uniformType, filename: resource.filename)
    }
  }
}

/// The decision about files imported together with an original that the library already has.
///
/// A file whose bytes the asset has is present. A file of a type that the asset lacks is added.
/// Every other file is not added and is reported as such.
struct AssetCompletion {
  enum Outcome: Hashable, Sendable {
    case present
    /// A video that the asset has in another coding.
    case equivalent
    /// The original of an asset that was in the trash and is restored.
    case restored
    /// The original of an asset in the trash.
    case trashed
    case added
    /// A changed XMP file, which replaces the one in the library.
    case updated
    /// A description that the asset has from another file.
    case superseded
    case keptOut(String)
  }

  let outcomes: [AssetResourceType: Outcome]
  /// Indicates whether the asset is to be restored from the trash.
  let restores: Bool

  /// - Parameters:
  ///   - staged: The imported files, including the original.
  ///   - known: The asset that has the original.
  ///   - refusalReason: The reason why the asset may not be changed; nil if it may.
  ///   - updatesSidecar: Whether a different XMP file replaces the one in the library.
  ///   - restoresTrashed: Whether an asset in the trash is restored.
  init(
    _ staged: StagedAsset, to known: ExistingAsset, refusalReason: String?,
    updatesSidecar: Bool = false, restoresTrashed: Bool = false
  ) {
    restores = known.isTrashed && restoresTrashed && refusalReason == nil
    let isTrashed = known.isTrashed && !restores
    let refusalReason = isTrashed ? "the photo is in the trash" : refusalReason
    var outcomes: [AssetResourceType: Outcome] = [:]
    // The JSON files of one photo differ from export to export.
    let isOptional = staged.resource(.sidecar)?.sidecar?.provenance == .description
    for (type, digest) in staged.digests {
      let stored = known.resources[type]
      if stored?.digest == digest.bytes || ResourceCombination.originals.contains(type) {
        outcomes[type] = restores ? .restored : isTrashed ? .trashed : .present
      } else if stored != nil, type == .sidecar, isOptional {
        outcomes[type] = .superseded
      } else if stored != nil, type == .sidecar, updatesSidecar, refusalReason == nil {
        outcomes[type] = .updated
      } else if stored != nil {
        outcomes[type] = .keptOut("a different version is already in the library")
      } else {
        outcomes[type] = refusalReason.map { .keptOut($0) } ?? .added
      }
    }
    func keepOut(_ types: Set<AssetResourceType>, _ reason: String) {
      for type in types where outcomes[type] == .added { outcomes[type] = .keptOut(reason) }
    }
    let hasOtherEdit =
      known.hasHistory
      || ResourceCombination.edit.contains {
        if case .keptOut? = outcomes[$0] { true } else { false }
      }
    if hasOtherEdit {
      keepOut(ResourceCombination.edit, "it belongs to another edit than the one in the library")
    }
    // Rejects files that cannot be combined with the existing ones.
    for types in [[.alternatePhoto], [.pairedVideo], ResourceCombination.edit] {
      let added = outcomes.filter { $0.value == .added }.keys
      if ResourceCombination.isStorable(Set(known.resources.keys).union(added)) { break }
      keepOut(types, "it cannot be combined with the files in the library")
    }
    self.outcomes = outcomes
  }

  var added: Set<AssetResourceType> {
    Set(outcomes.filter { $0.value == .added }.keys)
  }

  var stored: Set<AssetResourceType> {
    Set(outcomes.filter { $0.value == .added || $0.value == .updated }.keys)
  }
}

extension StagedAsset {
  /// The digests for comparing files, without a video extracted from its still.
  var digests: [AssetResourceType: SHA256Digest] {
    Dictionary(
      resources.filter { !$0.isExtracted }.map { ($0.type, $0.digest) },
      uniquingKeysWith: { first, _ in first })
  }

  func keeping(_ isIncluded: (StagedResource) -> Bool) throws(LibraryError) -> StagedAsset {
    try replacing(resources.filter(isIncluded))
  }

  /// Returns the asset with other files.
  func replacing(_ resources: [StagedResource]) throws(LibraryError) -> StagedAsset {
    var asset = try StagedAsset(resources, pairing: .force)
    asset.preference = preference
    asset.stated = stated
    asset.namedBurst = namedBurst
    asset.dateRules = dateRules
    return asset
  }
}

extension ChangeTransaction {
  /// Adds files to an asset that has the same original.
  func complete(
    _ known: ExistingAsset, with staged: StagedAsset, adding types: Set<AssetResourceType>
  ) throws(LibraryError) {
    guard !types.isEmpty else { return }
    try willChange(known.identifier)
    try touchAsset(known.row, isContent: types != [.sidecar])
    try add(staged.resources.filter { types.contains($0.type) }, to: known)
    let lone = try staged.keeping { ResourceCombination.originals.contains($0.type) }
    let whole = try staged.keeping {
      ResourceCombination.originals.contains($0.type) || types.contains($0.type)
    }
    let (before, after) = (
      lone.properties(addedAt: Date(timeIntervalSince1970: date)),
      whole.properties(addedAt: Date(timeIntervalSince1970: date))
    )
    try adopt(after, insteadOf: before, row: known.row)
    let shape = AssetShape(types.union(known.resources.keys))
    var subtypes = (clear: MediaSubtype(), set: MediaSubtype())
    if shape.isLive { subtypes = shape.isLiveNow ? ([], .photoLive) : (.photoLive, []) }
    let style: PlaybackStyle? =
      shape.isLive ? (shape.isLiveNow ? .livePhoto : .image) : nil
    let isEdited = !types.isDisjoint(with: [.fullSizePhoto, .fullSizeVideo])
    try database.run(
      """
      UPDATE asset SET mediaSubtypes = (mediaSubtypes & ~?) | ?, traits = traits | ?,
        playbackStyle = coalesce(?, playbackStyle), hasAdjustments = ?,
        pixelWidth = coalesce(?, pixelWidth), pixelHeight = coalesce(?, pixelHeight),
        duration = coalesce(?, duration), contentRevision = contentRevision + ?,
        modificationDate = ?, contentModificationDate = coalesce(?, contentModificationDate)
      WHERE id = ?
      """,
      [
        .init(subtypes.clear.rawValue), .init(subtypes.set.rawValue), .init(after.traits.rawValue),
        .init(style?.rawValue), .init(shape.isEdited),
        .init(isEdited ? after.pixelWidth : nil), .init(isEdited ? after.pixelHeight : nil),
        .init(isEdited && after.mediaType == .video ? after.duration : nil),
        .init(types == [.sidecar] ? 0 : 1), .real(date),
        .init(types == [.sidecar] ? nil : date), .integer(known.row),
      ])
  }

  /// Replaces the XMP file of an asset, and changes the properties that the user has not set.
  func update(_ known: ExistingAsset, with staged: StagedAsset) throws(LibraryError) {
    guard let old = known.resources[.sidecar], let new = staged.resource(.sidecar) else { return }
    try willChange(known.identifier)
    try touchAsset(known.row)
    let now = Date(timeIntervalSince1970: date)
    let rest = try staged.keeping { ResourceCombination.originals.contains($0.type) }
    func record(_ metadata: SidecarMetadata?) throws(LibraryError) -> PhotoProperties {
      guard let metadata else { return rest.properties(addedAt: now) }
      var sidecar = new
      sidecar.facts = .sidecar(metadata)
      var whole = try StagedAsset(rest.resources + [sidecar], pairing: .force)
      (whole.preference, whole.stated) = (rest.preference, rest.stated)
      whole.dateRules = rest.dateRules
      return whole.properties(addedAt: now)
    }
    let bytes = try? files.layout.read(old.file, maximumBytes: SidecarMetadata.maximumBytes)
    let before = try record(bytes.flatMap { SidecarMetadata(file: $0) })
    try adopt(try record(new.sidecar), insteadOf: before, row: known.row)
    try insert(new, of: known.row, known.identifier)
    try deleteAfterCommit(old.file)
    try database.run(
      "UPDATE asset SET modificationDate = ? WHERE id = ?", [.real(date), .integer(known.row)])
  }

  /// Combines an asset that is a part of a photo or video with the imported files of all of it.
  ///
  /// The asset keeps its identifier, its albums and everything the user set.
  ///
  /// - Parameters:
  ///   - part: The file of the asset: the video of a Live Photo, which need not be among the
  ///     imported files; one of these files; or a copy of the video in a motion photo.
  ///   - kept: The other files of the asset, which stay.
  func join(
    _ staged: StagedAsset, with part: StagedResource, of known: ExistingAsset,
    keeping kept: [StagedResource] = []
  ) throws(LibraryError) {
    guard let old = known.resources[part.type] else { return }
    try willChange(known.identifier)
    try touchAsset(known.row, isContent: true)
    let description = known.resources[.sidecar]?.digest
    let keptTypes = Set(kept.map(\.type))
    var whole = try staged.replacing(
      staged.resources.filter {
        !keptTypes.contains($0.type)
          && ($0.type != .sidecar || description == nil || description == $0.digest.bytes)
      } + kept)
    if whole.resource(.pairedVideo) == nil, var movie = part.paired,
      !whole.resources.contains(where: { $0.digest == part.digest })
    {
      // The file gets a name for its new type; the old file is deleted after the commit.
      movie.path = try files.newPath()
      try translating(LibraryError.init) { () throws(FileError) in
        try FileSystem.duplicate(try files.layout.path(of: old.file), to: movie.path)
        try OpenFile(reading: movie.path).sync()
      }
      whole = try whole.replacing(whole.resources + [movie])
    }
    try database.run(
      "DELETE FROM resource WHERE asset = ? AND type = ?",
      [.integer(known.row), .init(part.type.rawValue)])
    try deleteAfterCommit(old.file)
    let added = whole.resources.filter {
      !keptTypes.contains($0.type) && ($0.type != .sidecar || description == nil)
    }
    try add(added, to: known)
    let now = Date(timeIntervalSince1970: date)
    // A description that was there before is part of the asset, too.
    let own = whole.resources.filter { $0.type == .sidecar && description != nil }
    var earlier = try whole.replacing([part] + own + kept)
    (earlier.stated, earlier.dateRules) = (nil, DateRules())
    let after = whole.properties(addedAt: now)
    try adopt(after, insteadOf: earlier.properties(addedAt: now), row: known.row)
    try database.run(
      """
      UPDATE asset SET mediaType = ?, mediaSubtypes = ?, traits = ?, playbackStyle = ?,
        pixelWidth = ?, pixelHeight = ?, duration = ?, originalFilename = ?, fileSize = ?,
        hasAdjustments = ?, contentRevision = contentRevision + 1, modificationDate = ?,
        contentModificationDate = ?
      WHERE id = ?
      """,
      [
        .init(after.mediaType.rawValue), .init(after.mediaSubtypes.rawValue),
        .init(after.traits.rawValue), .init(after.playbackStyle.rawValue),
        .init(after.pixelWidth), .init(after.pixelHeight), .real(after.duration),
        .text(after.originalFilename), .init(after.fileSize), .init(after.hasAdjustments),
        .real(date), .real(date), .integer(known.row),
      ])
    try addToBurst(after, row: known.row)
  }

  /// Adds an existing asset to the burst that its files state, unless it is in another.
  private func addToBurst(_ properties: PhotoProperties, row: Int64) throws(LibraryError) {
    let isInNone = try database.first(
      "SELECT burstIdentifier IS NULL FROM asset WHERE id = ?", [.integer(row)]
    ) { $0.bool(0) }
    guard let burst = properties.burstIdentifier, isInNone == true else { return }
    let represents = try represents(burst, isStated: properties.representsBurst)
    try database.run(
      "UPDATE asset SET burstIdentifier = ?, representsBurst = ? WHERE id = ?",
      [.text(burst), .init(represents), .integer(row)])
  }

  private func add(
    _ resources: [StagedResource], to known: ExistingAsset
  ) throws(LibraryError) {
    for resource in resources { try insert(resource, of: known.row, known.identifier) }
  }

  /// Moves a staged file into the library and records it for an asset.
  func insert(
    _ resource: StagedResource, of row: Int64, _ identifier: LocalIdentifier
  ) throws(LibraryError) {
    let file = files.layout.file(
      resource.type, of: identifier.uuid, digest: resource.digest,
      fileExtension: resource.content.fileExtension)
    try place(resource.path, at: file)
    try put(
      ResourceRecord(
        type: resource.type, file: file, digest: resource.digest.bytes, size: resource.size,
        uniformType: resource.uniformType, filename: resource.filename), of: row)
  }

  /// Updates properties to the values stated by additional files; values set by the user are kept.
  private func adopt(
    _ after: PhotoProperties, insteadOf before: PhotoProperties, row: Int64
  ) throws(LibraryError) {
    guard var properties = try database.properties(of: row) else { throw .lostRow(row) }
    let located = try locatedPlace(of: row)
    let adopted = PhotoProperties.stated.filter { property in
      guard property.columns != ["place"], property.values(after) != property.values(before) else {
        return false
      }
      let source = properties.source(of: property, files: before)
      return property.adopt(after, from: .files, into: &properties, of: source)
    }
    try database.store(adopted, of: properties, row: row)
    if before.place == after.place {
      try updatePlace(of: row, from: located)
    } else {
      // The files state another place than before, or none.
      let location = try locatedPlace(of: row).location
      let place = after.place ?? place(at: location)
      try database.run(
        "UPDATE asset SET place = ? WHERE id = ?", [.init(place), .integer(row)])
    }
  }
}

extension String {
  /// The reason why the XMP of a video is not stored.
  static let ofLivePhoto = "the video is part of a Live Photo"
}

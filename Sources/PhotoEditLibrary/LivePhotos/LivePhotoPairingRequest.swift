// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditSQLite
import PhotoEditStorage

/// Combines the asset of a still and the asset of a video into a Live Photo.
///
/// The still's asset gets the video and joins the albums of the video's asset, which is moved to
/// the trash.
final class LivePhotoPairingRequest: ChangeOperation {
  private let still: LocalIdentifier
  private let movie: LocalIdentifier
  private let pairing: LivePhotoPairing
  private let library: PhotoLibrary
  private var staged: StagedResource?

  init(
    _ still: LocalIdentifier, _ movie: LocalIdentifier, _ pairing: LivePhotoPairing,
    _ library: PhotoLibrary
  ) {
    (self.still, self.movie, self.pairing, self.library) = (still, movie, pairing, library)
  }

  func prepare(_ commit: TransactionFiles) throws(LibraryError) {
    let (known, other) = try library.read { database throws(LibraryError) in
      (try ExistingAsset(self.still, in: database), try ExistingAsset(self.movie, in: database))
    }
    let (photo, video) = try check(known, other)
    let image = try library.staged(photo, as: .photo, to: nil)
    let file = try library.staged(video, as: .pairedVideo, to: try commit.newPath())
    if pairing == .byContentIdentifier {
      guard let identifier = image.contentIdentifier, identifier == file.contentIdentifier else {
        throw .unpairedAssets(image, file)
      }
    }
    staged = file
  }

  /// Returns the original of the still and that of the video if they can be combined.
  private func check(
    _ known: ExistingAsset?, _ other: ExistingAsset?
  ) throws(LibraryError) -> (ResourceRecord, ResourceRecord) {
    guard let known, !known.isTrashed else { throw .noObject("\(still)") }
    guard let other, !other.isTrashed else { throw .noObject("\(movie)") }
    guard let photo = known.resources[.photo], known.resources[.pairedVideo] == nil,
      ResourceCombination.isStorable(Set(known.resources.keys).union([.pairedVideo]))
    else { throw .notAlone(still, "an image without a RAW and without a video") }
    guard let video = other.resources[.video], other.isLone(.video) else {
      throw .notAlone(movie, "a video without an edit")
    }
    return (photo, video)
  }

  func apply(to commit: ChangeTransaction) throws(LibraryError) {
    try commit.willDelete(movie)
    guard let staged, let known = try ExistingAsset(still, in: commit.database),
      let other = try ExistingAsset(movie, in: commit.database)
    else { throw .noObject("\(movie)") }
    let (_, video) = try check(known, other)
    guard video.digest == staged.digest.bytes else { throw .changedResource("\(movie)") }
    for identifier in [still, movie] {
      guard try commit.asset(identifier)?.isOwn == true else {
        throw .unchangeableAsset("\(identifier)")
      }
    }
    try commit.complete(
      known, with: try StagedAsset([staged], pairing: .force), adding: [.pairedVideo])
    try commit.add(known.row, toAlbumsOf: other.row)
    try commit.trash(other.row)
  }
}

/// Separates the video of a Live Photo from its still.
///
/// The asset of the video that was in the library before is restored; without it, the video becomes
/// a new asset.
final class LivePhotoSeparationRequest: ChangeOperation {
  /// A placeholder for the asset of the video if none is restored.
  private let placeholder = ObjectPlaceholder(LocalIdentifier(new: .asset))
  private let asset: LocalIdentifier
  private let library: PhotoLibrary
  private var staged: StagedAsset?
  private var still: StagedResource?

  init(_ asset: LocalIdentifier, _ library: PhotoLibrary) {
    (self.asset, self.library) = (asset, library)
  }

  func prepare(_ commit: TransactionFiles) throws(LibraryError) {
    let found = try library.read { database throws(LibraryError) in
      try ExistingAsset(self.asset, in: database)
    }
    guard let found, !found.isTrashed else { throw .noObject("\(asset)") }
    guard let photo = found.resources[.photo], let movie = found.resources[.pairedVideo] else {
      throw .noLivePhoto("\(asset)")
    }
    let paths = try inFiles(
      (try library.layout.path(of: photo.file), try library.layout.path(of: movie.file)))
    guard !MotionPhoto.isInside(paths.0, movie: paths.1, digest: movie.digest) else {
      throw LibraryError(
        .changeNotSupported, "the video is part of the image file",
        hint: "export the asset with --split-motion-photos", identifiers: ["\(asset)"])
    }
    still = try library.staged(photo, as: .photo, to: nil)
    let video = try library.staged(movie, as: .video, to: try commit.newPath())
    staged = try StagedAsset([video], pairing: .force)
  }

  func apply(to commit: ChangeTransaction) throws(LibraryError) {
    try commit.willChange(asset)
    guard let staged, let still, let video = staged.primary,
      let known = try ExistingAsset(asset, in: commit.database), !known.isTrashed,
      let movie = known.resources[.pairedVideo], movie.digest == video.digest.bytes
    else { throw .noLivePhoto("\(asset)") }
    guard try commit.asset(asset)?.isOwn == true else { throw .unchangeableAsset("\(asset)") }
    guard try !commit.hasEditedMovie(known) else {
      throw LibraryError(
        .changeNotSupported, "the edit includes the video, or can be redone",
        hint: "export the asset instead", identifiers: ["\(asset)"])
    }
    if let (row, identifier) = try commit.trashedMovie(video.digest) {
      try commit.willChange(identifier)
      try commit.remove(known.row, fromAlbumsJoinedWith: row)
      try commit.restore(row)
      try commit.database.run(
        "UPDATE asset SET modificationDate = ? WHERE id = ?", [.real(commit.date), .integer(row)])
    } else {
      let identifier = placeholder.identifier
      commit.willCreate(identifier)
      let date = Date(timeIntervalSince1970: commit.date)
      let row = try commit.insert(
        staged.properties(addedAt: date), as: identifier)
      try commit.insert(video, of: row, identifier)
    }
    try commit.removeMovie(movie, from: known, isAnimated: still.image?.capture.isAnimated == true)
  }
}

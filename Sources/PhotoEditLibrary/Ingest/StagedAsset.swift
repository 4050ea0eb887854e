// SPDX-License-Identifier: Apache-2.0
import Codecs
import FoundationEssentials
import Pixels
import Storage

/// How the two files of a Live Photo are told to belong together.
public enum LivePhotoPairing: Sendable, Hashable {
  /// Both carry the same content identifier; others are refused.
  case byContentIdentifier
  /// The caller knows that they do; nor is it looked at which moment the still shows.
  case force
}

/// All files of an asset to be, checked one by one and against each other.
struct StagedAsset: Sendable {
  /// In the order in which they were added.
  let resources: [StagedResource]

  /// - Throws: `LibraryError` with `invalidResource` when the files do not go together.
  init(_ resources: [StagedResource], pairing: LivePhotoPairing) throws(LibraryError) {
    self.resources = resources
    if pairing == .byContentIdentifier {
      try checkPair(.photo, .pairedVideo)
      try checkPair(.fullSizePhoto, .fullSizePairedVideo)
      try checkPair(.adjustmentBasePhoto, .adjustmentBasePairedVideo)
    }
  }

  func resource(_ type: AssetResourceType) -> StagedResource? {
    resources.first { $0.type == type }
  }

  /// The file by which the asset is known.
  var primary: StagedResource? {
    resources.first { ResourceCombination.originals.contains($0.type) }
  }

  private func checkPair(
    _ stillType: AssetResourceType, _ movieType: AssetResourceType
  ) throws(LibraryError) {
    guard let still = resource(stillType), let movie = resource(movieType), !movie.isTakenOut
    else { return }
    guard let identifier = still.contentIdentifier, identifier == movie.contentIdentifier else {
      throw .unpaired(
        still: still.filename, still.contentIdentifier, movie: movie.filename,
        movie.contentIdentifier)
    }
  }

  /// Makes sure that the stills of Live Photos show moments of their movies, as a commit requires.
  ///
  /// An import goes without: what a camera wrote comes in as it is.
  ///
  /// - Throws: `LibraryError` with `invalidResource`.
  func checkStillTimes() throws(LibraryError) {
    for resource in resources where resource.type.isPaired && !resource.isTakenOut {
      if let problem = resource.movie?.stillTimeProblem {
        throw .misplacedStill(resource.filename, problem)
      }
    }
  }

  /// Whether there is a rendering and the record behind it.
  var isEdited: Bool {
    resource(.adjustmentData) != nil
      && (resource(.fullSizePhoto) != nil || resource(.fullSizeVideo) != nil)
  }

  /// What the database is told.
  ///
  /// Place and time come from the original, the size from what people see now. A screen's picture
  /// that no camera took is also known by its name.
  func record(_ identifier: LocalIdentifier, addedAt date: Date) -> AssetRecord {
    var record = AssetRecord(
      originalFilename: primary?.filename ?? resources.first?.filename ?? "", addedAt: date)
    record.identifier = identifier
    record.hasAdjustments = isEdited
    let isLive = resource(.pairedVideo) != nil
    let isLiveNow = isLive && (!isEdited || resource(.fullSizePairedVideo) != nil)
    if let still = resource(.photo)?.picture {
      record.take(still)
      let other = resource(.alternatePhoto)?.picture
      record.traits.formUnion(other?.traits ?? [])
      if record.creationDate == nil { record.creationDate = other?.date }
      if record.location == nil { record.location = other?.location }
      if isLive { record.mediaSubtypes.insert(.photoLive) }
      if isLiveNow {
        record.playbackStyle = .livePhoto
      } else if still.capture.isAnimated {
        record.playbackStyle = .imageAnimated
      }
      if !still.hasCamera, record.originalFilename.lowercased().hasPrefix("screenshot") {
        record.mediaSubtypes.insert(.photoScreenshot)
      }
    } else if let movie = (resource(.video) ?? resource(.audio))?.movie {
      record.take(movie)
    }
    if isEdited {
      if let size = resource(.fullSizePhoto)?.picture?.size {
        (record.pixelWidth, record.pixelHeight) = (size.width, size.height)
      } else if let movie = resource(.fullSizeVideo)?.movie {
        (record.pixelWidth, record.pixelHeight) = (movie.size.width, movie.size.height)
        record.duration = movie.duration
      }
      if isLive, !isLiveNow {
        record.mediaSubtypes.remove(.photoLive)
        record.playbackStyle = .image
      }
    }
    return record
  }
}

extension AssetRecord {
  fileprivate mutating func take(_ still: PictureFacts) {
    mediaType = .image
    mediaSubtypes = still.subtypes
    traits = still.traits
    playbackStyle = .image
    (pixelWidth, pixelHeight) = (still.size.width, still.size.height)
    creationDate = still.date
    location = still.location
    title = still.title
    caption = still.caption
    burstIdentifier = still.capture.apple?.burstIdentifier
  }

  fileprivate mutating func take(_ movie: MovieFacts) {
    mediaType = movie.hasPictures ? .video : .audio
    mediaSubtypes = movie.subtypes
    traits = movie.traits
    playbackStyle = movie.hasPictures ? .video : .unsupported
    (pixelWidth, pixelHeight) = (movie.size.width, movie.size.height)
    duration = movie.duration
    creationDate = movie.date
    location = movie.location
    title = movie.title
    caption = movie.caption
  }
}

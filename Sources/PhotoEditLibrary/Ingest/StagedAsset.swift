// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditCodecs
import PhotoEditPixels
import PhotoEditStorage

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

  /// What its files make of it.
  var shape: AssetShape { AssetShape(resources.map(\.type)) }

  /// What the database is told.
  ///
  /// Place and time come from the original, the size from what people see now. A screen's picture
  /// that no camera took is also known by its name.
  func record(_ identifier: LocalIdentifier, addedAt date: Date) -> AssetRecord {
    var record = AssetRecord(
      originalFilename: primary?.filename ?? resources.first?.filename ?? "", addedAt: date)
    record.identifier = identifier
    let shape = shape
    record.hasAdjustments = shape.isEdited
    if let still = resource(.photo)?.picture {
      record.take(still)
      let other = resource(.alternatePhoto)?.picture
      record.traits.formUnion(other?.traits ?? [])
      if record.creationDate == nil { record.creationDate = other?.media.creationDate }
      if record.location == nil { record.location = other?.media.location }
      if shape.isLive { record.mediaSubtypes.insert(.photoLive) }
      if shape.isLiveNow {
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
    if shape.isEdited {
      if let size = resource(.fullSizePhoto)?.picture?.size {
        (record.pixelWidth, record.pixelHeight) = (size.width, size.height)
      } else if let movie = resource(.fullSizeVideo)?.movie {
        (record.pixelWidth, record.pixelHeight) = (movie.size.width, movie.size.height)
        record.duration = movie.duration
      }
      if shape.isLive, !shape.isLiveNow {
        record.mediaSubtypes.remove(.photoLive)
        record.playbackStyle = .image
      }
    }
    if resources.contains(where: { $0.picture?.damage != nil }) {
      record.traits.insert(.knownDamage)
    }
    if let metadata = resource(.sidecar)?.sidecar {
      let written = resource(.photo)?.picture ?? resource(.alternatePhoto)?.picture
      record.take(metadata, offset: written?.capture.date?.offset)
    }
    return record
  }
}

/// What the types of an asset's files make of it.
struct AssetShape {
  /// Whether there is a rendering and the record behind it.
  let isEdited: Bool
  /// Whether the original has a movie around it.
  let isLive: Bool
  /// Whether the current version has a movie around it.
  let isLiveNow: Bool

  init(_ types: some Sequence<AssetResourceType>) {
    let types = Set(types)
    isEdited =
      types.contains(.adjustmentData)
      && (types.contains(.fullSizePhoto) || types.contains(.fullSizeVideo))
    isLive = types.contains(.pairedVideo)
    isLiveNow = isLive && (!isEdited || types.contains(.fullSizePairedVideo))
  }
}

extension AssetRecord {
  fileprivate mutating func take(_ still: PictureFacts) {
    mediaType = .image
    mediaSubtypes = still.media.subtypes
    traits = still.traits
    playbackStyle = .image
    (pixelWidth, pixelHeight) = (still.size.width, still.size.height)
    creationDate = still.media.creationDate
    location = still.media.location
    title = still.title
    caption = still.caption
    burstIdentifier = still.capture.apple?.burstIdentifier
  }

  fileprivate mutating func take(_ movie: MovieFacts) {
    mediaType = movie.hasPictures ? .video : .audio
    mediaSubtypes = movie.media.subtypes
    traits = movie.traits
    playbackStyle = movie.hasPictures ? .video : .unsupported
    (pixelWidth, pixelHeight) = (movie.size.width, movie.size.height)
    duration = movie.duration
    creationDate = movie.media.creationDate
    location = movie.media.location
    title = movie.title
    caption = movie.caption
  }

  /// Takes what XMP beside the original states, which prevails over the original's own metadata.
  ///
  /// - Parameter offset: Seconds that the camera's clock was ahead of UTC, for a date without one.
  fileprivate mutating func take(_ metadata: SidecarMetadata, offset: Int?) {
    func value<Value>(_ new: Value?, _ old: Value?) -> Value? {
      if metadata.isFallback { return old ?? new }
      return metadata.isComplete ? new : new ?? old
    }
    var date = metadata.date
    if let offset { date?.apply(offset: offset) }
    // A clock without a zone cannot be more than a day wrong.
    if metadata.isFallback, offset == nil, let seconds = date?.seconds,
      abs((creationDate?.timeIntervalSince1970 ?? seconds) - seconds) > 86_400
    {
      creationDate = nil
    }
    creationDate = value(date.map { Date(timeIntervalSince1970: $0.seconds) }, creationDate)
    var location: GeoPoint?
    if let latitude = metadata.latitude, let longitude = metadata.longitude {
      location = GeoPoint(
        latitude: latitude, longitude: longitude, altitude: metadata.altitude)
    }
    self.location = value(location, self.location)
    title = ObjectText.fitting(value(metadata.title, title))
    caption = ObjectText.fitting(value(metadata.caption, caption))
    if let isFavorite = metadata.isFavorite { self.isFavorite = isFavorite }
    if let isHidden = metadata.isHidden { self.isHidden = isHidden }
  }
}

// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditCodecs
import PhotoEditPixels
import PhotoEditStorage

/// The ways to determine that the two files of a Live Photo belong together.
public enum LivePhotoPairing: Sendable, Hashable {
  /// Both contain the same content identifier; others are rejected.
  case byContentIdentifier
  /// The caller guarantees it; the still image time is not checked either.
  case force
}

/// All files of a new asset, checked individually and against each other.
struct StagedAsset: Sendable {
  /// The files in the order in which they were added.
  let resources: [StagedResource]
  /// The precedence of the values in an XMP or JSON file.
  var preference = MetadataPrecedence.automatic
  /// The properties according to the library of another program.
  var stated: StatedProperties?
  /// The burst according to the names of its photos.
  var namedBurst: NamedBurst?
  /// The rules for a date that is missing, or has no offset from UTC.
  var dateRules = DateRules()

  /// - Throws: `LibraryError` with `invalidResource` if the files do not belong together.
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

  /// Indicates whether it has only an original, possibly with a description.
  var isLone: Bool { resources.count { $0.type != .sidecar && !$0.isExtracted } == 1 }

  /// The original, which represents the asset.
  var primary: StagedResource? {
    resources.first { ResourceCombination.originals.contains($0.type) }
  }

  private func checkPair(
    _ stillType: AssetResourceType, _ movieType: AssetResourceType
  ) throws(LibraryError) {
    guard let still = resource(stillType), let movie = resource(movieType), !movie.isExtracted
    else { return }
    guard let identifier = still.contentIdentifier, identifier == movie.contentIdentifier else {
      throw .unpaired(
        still: still.filename, still.contentIdentifier, movie: movie.filename,
        movie.contentIdentifier)
    }
  }

  /// Checks that still image times are within their videos, as a commit requires.
  ///
  /// An import omits this check: files of cameras are accepted as is.
  ///
  /// - Throws: `LibraryError` with `invalidResource`.
  func checkStillTimes() throws(LibraryError) {
    for resource in resources where resource.type.isPaired && !resource.isExtracted {
      if let problem = resource.movie?.stillTimeProblem {
        throw .stillTimeOutOfRange(resource.filename, problem)
      }
    }
  }

  var burstIdentifier: String? {
    stated?.burst ?? resource(.photo)?.image?.capture.apple?.burstIdentifier
  }

  var shape: AssetShape { AssetShape(resources.map(\.type)) }

  /// Returns the values for the database.
  ///
  /// Location and date come from the original, the size from the current version. A screenshot
  /// without camera metadata is also recognized by its name.
  func properties(addedAt date: Date) -> PhotoProperties {
    var properties = wholeProperties(addedAt: date)
    _ = properties.shorten()
    return properties
  }

  /// The names of the properties that are too long, and are shortened.
  var shortened: [String] {
    var properties = wholeProperties(addedAt: Date(timeIntervalSince1970: 0))
    return properties.shorten()
  }

  /// Returns what the files and another program's library state, of any length.
  private func wholeProperties(addedAt date: Date) -> PhotoProperties {
    var record = PhotoProperties(
      originalFilename: primary?.filename ?? resources.first?.filename ?? "", addedAt: date)
    record.fileSize = primary?.size
    let shape = shape
    record.hasAdjustments = shape.isEdited
    if var still = resource(.photo)?.image {
      let other = resource(.alternatePhoto)?.image
      // One file of a shot may state the offset of the clock that both have.
      if let date = other?.capture.date { still.capture.date?.adoptOffset(of: date) }
      record.apply(still)
      record.traits.formUnion(other?.traits ?? [])
      if record.creationDate == nil, let media = other?.media {
        (record.creationDate, record.utcOffset) = (media.creationDate, media.utcOffset)
      }
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
      record.apply(movie)
    }
    if shape.isEdited {
      if let size = resource(.fullSizePhoto)?.image?.size {
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
    if resources.contains(where: {
      $0.image?.defect?.isDamage == true || $0.movie?.damage != nil
    }) {
      record.traits.insert(.knownDamage)
    }
    let written = resource(.photo)?.image ?? resource(.alternatePhoto)?.image
    let offset = written == nil ? nil : record.utcOffset
    if let metadata = resource(.sidecar)?.sidecar {
      let captures = [AssetResourceType.photo, .alternatePhoto].compactMap {
        resource($0)?.image?.capture
      }
      let dated = captures.first { $0.date != nil }
      record.adopt(
        metadata, offset: offset, regions: written?.regions(metadata.tags) ?? [],
        preferring: preference, isCaptureKnown: dated.map { !$0.isDateOfFile } ?? false)
    }
    if let namedBurst, record.burstIdentifier == nil {
      record.burstIdentifier = namedBurst.identifier
      if namedBurst.isCover { record.burstSelectionTypes = .autoPick }
      record.representsBurst = namedBurst.isCover
    }
    if let stated {
      record.adopt(stated.metadata, offset: offset, preferring: preference)
      if let burst = stated.burst {
        record.burstIdentifier = burst
        record.burstSelectionTypes = stated.burstSelection
        record.representsBurst = stated.representsBurst
      }
    }
    let sidecar = resource(.sidecar)?.sidecar
    let described = sidecar?.date.flatMap { $0.hasOffset ? $0 : nil }
    // Databases of other programs have moments, also where the place is unknown.
    let moments = [described, stated?.metadata.date].map { date in
      date.map { Date(timeIntervalSince1970: $0.seconds) }
    }
    let movie = (resource(.video) ?? resource(.audio))?.movie?.media
    record.apply(
      dateRules, moments: moments,
      isUTC: movie?.isDateUTC == true && record.creationDate == movie?.creationDate)
    return record
  }

  /// The files whose regions do not fit the image that they describe.
  var misfits: [StagedResource] {
    guard let image = resource(.photo)?.image ?? resource(.alternatePhoto)?.image else {
      return []
    }
    return resources.filter { file in
      let tags = file.sidecar?.tags ?? (file.type == .photo ? file.image?.capture.tags : nil)
      return tags.map { image.regions($0) == nil } ?? false
    }
  }
}

/// The properties of an asset that are derived from the types of its files.
struct AssetShape {
  /// Indicates whether there are a rendering and its adjustment data.
  let isEdited: Bool
  let isLive: Bool
  /// Indicates whether the current version has a paired video.
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

extension PhotoProperties {
  mutating func apply(_ still: ImageProperties) {
    mediaType = .image
    mediaSubtypes = still.media.subtypes
    traits = still.traits
    playbackStyle = .image
    (pixelWidth, pixelHeight) = (still.size.width, still.size.height)
    creationDate = still.media.creationDate
    location = still.media.location
    utcOffset = still.media.utcOffset
    apply(still.device)
    apply(still.capture.tags)
    regions = still.regions(still.capture.tags) ?? []
    burstIdentifier = still.capture.apple?.burstIdentifier
  }

  mutating func apply(_ movie: VideoProperties) {
    mediaType = movie.hasVideo ? .video : .audio
    mediaSubtypes = movie.media.subtypes
    traits = movie.traits
    playbackStyle = movie.hasVideo ? .video : .unsupported
    (pixelWidth, pixelHeight) = (movie.size.width, movie.size.height)
    duration = movie.duration
    creationDate = movie.media.creationDate
    location = movie.media.location
    utcOffset = movie.media.utcOffset
    apply(movie.device)
    apply(movie.tags)
  }
}

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
  var preference = Importer.MetadataPreference.automatic
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
    if let still = resource(.photo)?.image {
      record.apply(still)
      let other = resource(.alternatePhoto)?.image
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
    if resources.contains(where: { $0.image?.defect?.isDamage == true }) {
      record.traits.insert(.knownDamage)
    }
    if let metadata = resource(.sidecar)?.sidecar {
      let written = resource(.photo)?.image ?? resource(.alternatePhoto)?.image
      record.apply(metadata, offset: written?.capture.date?.offset, preference)
      if let found = written?.regions(metadata.tags), !found.isEmpty,
        preference != .file || record.regions.isEmpty
      {
        record.regions = found
      }
    }
    if let namedBurst, record.burstIdentifier == nil {
      record.burstIdentifier = namedBurst.identifier
      if namedBurst.isCover { record.burstSelectionTypes = .autoPick }
      record.representsBurst = namedBurst.isCover
    }
    if let stated {
      let original = resource(.photo)?.image ?? resource(.alternatePhoto)?.image
      // Other libraries have no ratings, labels and altitudes, and not all people and offsets.
      let (rating, label, people) = (record.rating, record.label, record.people)
      let (offset, location) = (record.utcOffset, record.location)
      record.apply(
        stated.metadata, offset: original?.capture.date?.offset,
        stated.metadata.isFallback ? preference : .automatic)
      (record.rating, record.label) = (rating, label)
      record.utcOffset = record.utcOffset ?? offset
      record.location = record.location?.withAltitude(of: location)
      if record.people.isEmpty { record.people = people }
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
    title = still.title
    caption = still.caption
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
    title = movie.title
    caption = movie.caption
  }

  /// Applies the metadata of an XMP file, which overrides that of the original.
  ///
  /// - Parameter offset: The camera's UTC offset in seconds, for a date without an offset.
  mutating func apply(
    _ metadata: SidecarMetadata, offset: Int?,
    _ preference: Importer.MetadataPreference = .automatic
  ) {
    let isFallback = preference == .file || (metadata.isFallback && preference == .automatic)
    func value<Value>(_ new: Value?, _ old: Value?) -> Value? {
      if isFallback { return old ?? new }
      return metadata.isComplete ? new : new ?? old
    }
    var date = metadata.date
    // A year, month or day does not replace a time in it.
    if let stated = date, let known = creationDate,
      stated.includes(CaptureDate(seconds: known.timeIntervalSince1970, offset: utcOffset))
    {
      date = nil
    }
    if preference == .file, !metadata.isFallback { adoptOffset(of: date) }
    // In a complete description, a missing offset is unknown.
    if let offset, !metadata.isComplete { date?.apply(offset: offset) }
    // The offset of a clock without a time zone is at most one day.
    if metadata.isFallback, preference == .automatic, offset == nil, let seconds = date?.seconds,
      abs((creationDate?.timeIntervalSince1970 ?? seconds) - seconds) > 86_400
    {
      creationDate = nil
    }
    if metadata.isComplete {
      if let date { utcOffset = date.offset }
    } else if !metadata.isFallback {
      utcOffset = date?.offset ?? utcOffset
    }
    creationDate = value(date.map { Date(timeIntervalSince1970: $0.seconds) }, creationDate)
    var location: LocationCoordinate?
    if let latitude = metadata.latitude, let longitude = metadata.longitude {
      location = LocationCoordinate(
        latitude: latitude, longitude: longitude, altitude: metadata.altitude)
    }
    self.location = value(location, self.location)
    if let stated = DeviceProperties.place(metadata.place), !isFallback || place == nil {
      place = stated
    }
    title = value(metadata.title, title)
    caption = value(metadata.caption, caption)
    if let isFavorite = metadata.isFavorite { self.isFavorite = isFavorite }
    if let isHidden = metadata.isHidden { self.isHidden = isHidden }
    if let burst = metadata.burst {
      burstIdentifier = burst.identifier
      burstSelectionTypes = BurstSelection(rawValue: burst.selection)
      representsBurst = burst.isRepresentative
    }
    let tags = metadata.tags
    if metadata.isComplete { return apply(tags) }
    func list(_ new: [String], _ old: [String]) -> [String] {
      new.isEmpty || (isFallback && !old.isEmpty) ? old : new
    }
    keywords = list(tags.keywords, keywords)
    people = list(tags.people, people)
    rating = value(tags.rating, rating == 0 ? nil : rating) ?? 0
    label = value(tags.label.flatMap { Asset.Label(rawValue: $0) }, label)
  }
}

extension PhotoProperties {
  /// Applies the offset of another statement of the same clock time.
  private mutating func adoptOffset(of date: CaptureDate?) {
    guard utcOffset == nil, let date, let known = creationDate else { return }
    var clock = CaptureDate(seconds: known.timeIntervalSince1970, offset: nil)
    clock.adoptOffset(of: date)
    creationDate = Date(timeIntervalSince1970: clock.seconds)
    utcOffset = clock.offset
  }
}

extension LocationCoordinate {
  /// Returns the location with the altitude of another one, if that is the same point.
  fileprivate func withAltitude(of other: LocationCoordinate?) -> LocationCoordinate {
    guard altitude == nil, let other, abs(latitude - other.latitude) < 1e-4,
      abs(longitude - other.longitude) < 1e-4
    else { return self }
    var location = self
    location.altitude = other.altitude
    return location
  }
}

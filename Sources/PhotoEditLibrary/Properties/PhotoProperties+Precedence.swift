// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditCodecs

extension Provenance {
  /// Returns the precedence that remains if a preference is given.
  fileprivate func preferring(_ preference: MetadataPrecedence) -> Provenance {
    switch (preference, self) {
    case (_, .library): self
    case (.file, _): .supplement
    case (.sidecar, .description): .packet
    default: self
    }
  }

  /// Returns whether the source states every value of a property, so that a missing one counts.
  func isComplete(for property: PhotoProperty) -> Bool {
    switch self {
    case .supplement, .description, .file, .packet: false
    // Libraries of other programs have no ratings and labels, and not all people.
    case .library:
      AssetFields.ofOtherLibraries.isSuperset(of: property.field) && !property.field.isEmpty
    // The other properties are only in the photo.
    case .own: !property.field.isEmpty
    case .files, .user: true
    }
  }
}

extension AssetFields {
  fileprivate static let ofOtherLibraries: AssetFields = [
    .date, .location, .title, .caption, .keywords, .favorite, .hidden,
  ]
}

extension PhotoProperty {
  /// Takes the value of a source if it replaces the known one; returns whether it does.
  func adopt(
    _ stated: PhotoProperties, from source: Provenance, into known: inout PhotoProperties,
    of other: Provenance = .file
  ) -> Bool {
    let replaces = source.replaces(
      other, isStated: !isNone(stated), isComplete: source.isComplete(for: self),
      isKnown: !isNone(known))
    if replaces { copy(stated, to: &known) }
    return replaces
  }
}

extension PhotoProperties {
  /// Returns the source of a property of an asset: the user or its files.
  ///
  /// If an older version imported the asset, a value counts as set by the user unless it is the one
  /// of the files.
  func source(of property: PhotoProperty, files: PhotoProperties) -> Provenance {
    let isSet =
      userFields.map { !$0.isDisjoint(with: property.field) }
      ?? (property.values(self) != property.values(files))
    return isSet ? .user : .files
  }

  /// Adopts what an XMP file or another program states.
  ///
  /// - Parameters:
  ///   - offset: The camera's UTC offset in seconds, for a date without an offset.
  ///   - regions: The regions that fit the image.
  ///   - isCaptureKnown: Whether the original states when it was captured, and not only when its file
  ///     was created.
  mutating func adopt(
    _ metadata: SidecarMetadata, offset: Int?, regions: [Asset.Region] = [],
    preferring preference: MetadataPrecedence = .automatic, isCaptureKnown: Bool = false
  ) {
    let source = metadata.provenance.preferring(preference)
    var stated = PhotoProperties(originalFilename: "", addedAt: addedDate)
    stated.apply(metadata.tags)
    stated.regions = regions
    // Five stars that are not adopted mark no favorite.
    let isOfUnusedStars = metadata.tags.rating == 5 && source < .file && rating != 0
    (stated.isFavorite, stated.isHidden) = (
      metadata.isFavorite == true && !isOfUnusedStars, metadata.isHidden == true
    )
    stated.place = DeviceProperties.place(metadata.place)
    if let latitude = metadata.latitude, let longitude = metadata.longitude {
      stated.location = LocationCoordinate(
        latitude: latitude, longitude: longitude, altitude: metadata.altitude)
    }
    if metadata.hasCorrectedLocation, preference == .automatic { location = nil }
    // Not all of them have altitudes.
    if source == .library { stated.location = stated.location?.withAltitude(of: location) }
    var date = metadata.date
    // A scan was created long after the capture.
    if metadata.isDateOfFile, isCaptureKnown, preference == .automatic, source != .own {
      adoptOffset(of: date)
      date = nil
    }
    date = adoptable(date, of: metadata, from: source, offset: offset)
    stated.creationDate = date.map { Date(timeIntervalSince1970: $0.seconds) }
    // The offset belongs to the date. Descriptions state moments, not the clock of the place.
    let isMoment = metadata.provenance == .description
    stated.utcOffset = date.flatMap { isMoment ? nil : $0.offset }
    if date != nil, source != .own { stated.utcOffset = stated.utcOffset ?? utcOffset }
    for property in Self.stated { _ = property.adopt(stated, from: source, into: &self) }
    if let burst = metadata.burst {
      burstIdentifier = burst.identifier
      burstSelectionTypes = BurstSelection(rawValue: burst.selection)
      representsBurst = burst.isRepresentative
    }
  }

  /// Returns the date of a source, unless the known one says more; applies its offset to the known
  /// one.
  private mutating func adoptable(
    _ date: CaptureDate?, of metadata: SidecarMetadata, from source: Provenance, offset: Int?
  ) -> CaptureDate? {
    var date = date
    if source == .supplement, metadata.provenance != .description { adoptOffset(of: date) }
    // In a complete description, a missing offset is unknown.
    if let offset, source != .own, source != .library { date?.apply(offset: offset) }
    guard let known = creationDate, let stated = date else { return date }
    let clock = CaptureDate(seconds: known.timeIntervalSince1970, offset: utcOffset)
    // A year, month or day does not replace a time in it.
    if stated.includes(clock) { return clock }
    // The offset of a clock without a time zone is at most one day.
    if source == .description, offset == nil, abs(clock.seconds - stated.seconds) > 86_400 {
      creationDate = nil
    }
    return source < .file && creationDate != nil ? nil : date
  }

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

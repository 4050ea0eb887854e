// SPDX-License-Identifier: Apache-2.0

/// The capture information in an image's metadata, used by a library for sorting and grouping.
package struct CaptureMetadata: Hashable, Sendable {
  /// The capture date; nil if the file does not contain one.
  package var date: CaptureDate?
  /// Indicates whether the date is only that of digitization, creation or modification.
  package var isDateOfFile = false
  /// The first date whose day or time does not exist, as written; nil without one.
  package private(set) var impossibleDate: String?
  /// Degrees north, from -90 to 90; nil without a complete location.
  package var latitude: Double?
  /// Degrees east, from -180 to 180; nil without a complete location.
  package var longitude: Double?
  /// Meters above sea level, negative below.
  package var altitude: Double?
  /// Indicates whether viewers are asked to show it as a panorama.
  package var isPanorama = false
  /// Indicates whether it is a screenshot.
  package var isScreenshot = false
  /// Indicates whether it was merged from several exposures or has a gain map.
  package var isHighDynamicRange = false
  /// Indicates whether it has a depth map or was captured for computing one.
  package var hasDepth = false
  /// Indicates whether animation frames follow the first image.
  package var isAnimated = false
  /// The maker note of an Apple camera.
  package var apple: AppleMakerNote?
  /// The texts, keywords, rating, label and people.
  package var tags = PhotoTags()
  /// Shared by the still image and the video of a Live Photo: taken from an Apple camera's note, or
  /// from XMP if the note has none.
  package var contentIdentifier: String? { apple?.contentIdentifier ?? identifierOfXMP }

  private var identifierOfXMP: String?

  init() {}

  /// Reads only the contents of an XMP packet.
  ///
  /// - Parameter isOwn: Whether photoedit wrote it, so that zeros in it are values.
  init(_ packet: XMPPacket, isOwn: Bool) { read(packet, isOwn: isOwn) }

  fileprivate mutating func read(_ tiff: TIFFStructure) {
    let reading = ExifReading(tiff)
    date = reading.date(
      ExifTag.dateTimeOriginal, ExifTag.subSecTimeOriginal, ExifTag.offsetTimeOriginal)
    if date == nil {
      date = reading.date(
        ExifTag.dateTimeDigitized, ExifTag.subSecTimeDigitized, ExifTag.offsetTimeDigitized)
      isDateOfFile = date != nil
    }
    for tag in [ExifTag.dateTimeOriginal, ExifTag.dateTimeDigitized] { note(reading.written(tag)) }
    altitude = reading.altitude
    switch reading.exif?.entry(ExifTag.customRendered).flatMap({ tiff.integer($0) }) {
    // Apple's values: HDR, panorama, portrait with HDR, portrait.
    case 2, 3: isHighDynamicRange = true
    case 6: isPanorama = true
    case 7: (isHighDynamicRange, hasDepth) = (true, true)
    case 8: hasDepth = true
    default: break
    }
    isScreenshot = reading.comment == Self.screenshotComment
    apple = reading.exif?.entry(ExifTag.makerNote)?.value.flatMap { AppleMakerNote(tiff.bytes[$0]) }
    if apple?.isHighDynamicRange == true { isHighDynamicRange = true }
  }

  /// Records a date whose day or time does not exist.
  fileprivate mutating func note(_ date: String?) {
    impossibleDate = impossibleDate ?? CaptureDate.impossible(date)
  }

  /// Without a capture date, the modification date recorded in the file is the best available.
  fileprivate mutating func readModificationDate(_ tiff: TIFFStructure) {
    guard date == nil else { return }
    let reading = ExifReading(tiff)
    date = reading.date(ExifTag.modifyDate, ExifTag.subSecTime, ExifTag.offsetTime)
    isDateOfFile = date != nil
    note(reading.written(ExifTag.modifyDate))
  }

  /// Without any other date, the time of the position is the best available.
  fileprivate mutating func readPositionDate(_ tiff: TIFFStructure?, _ packet: XMPPacket?) {
    guard date == nil else { return }
    let stated =
      tiff.flatMap { ExifReading($0).receiverDate }
      ?? packet?.text(.exif, "GPSTimeStamp").flatMap { CaptureDate(iso: $0) }
    guard let stated, !stated.isReceiverZero, !stated.isClockZero else { return }
    (date, isDateOfFile) = (stated, true)
  }

  /// Reads the creation time of a PNG.
  fileprivate mutating func readCreationTime(_ sources: MetadataSources) {
    guard date == nil,
      let text = sources.text(ofPNG: "Creation Time").flatMap({ MetadataText.clean($0) }),
      text.utf8.count <= 128,
      let stated = CaptureDate(exif: text) ?? CaptureDate(iso: text) ?? CaptureDate(mail: text),
      !stated.isClockZero
    else { return }
    (date, isDateOfFile) = (stated, true)
  }

  /// The comment that operating systems write into a screenshot.
  private static let screenshotComment = "Screenshot"

  fileprivate mutating func read(_ packet: XMPPacket, isOwn: Bool = false) {
    for name in MetadataName.date.xmp {
      if date == nil { note(packet.text(name)) }
      guard let stated = packet.text(name).flatMap({ CaptureDate(iso: $0) }),
        isOwn || !stated.isClockZero
      else { continue }
      if date == nil {
        (date, isDateOfFile) = (stated, name.namespace == .xmp)
      } else {
        date?.adopt(stated)
      }
    }
    if packet.scan.properties.contains(where: { $0.namespace == .panorama }) { isPanorama = true }
    identifierOfXMP = packet.text(.livePhoto, ContentIdentifierPatch.property).flatMap {
      ContentIdentifierPatch.isIdentifier($0) ? $0 : nil
    }
    if packet.text(.exif, "UserComment") == Self.screenshotComment { isScreenshot = true }
    func degrees(
      _ name: String, _ positive: Character, _ negative: Character, _ limit: Double
    ) -> Double? {
      packet.text(.exif, name).flatMap {
        Self.degrees($0, packet.text(.exif, name + "Ref"), positive, negative, limit)
      }
    }
    if let north = degrees("GPSLatitude", "N", "S", 90),
      let east = degrees("GPSLongitude", "E", "W", 180), isOwn || north != 0 || east != 0
    {
      (latitude, longitude) = (north, east)
    }
    if altitude == nil, let text = packet.text(.exif, "GPSAltitude") {
      let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        .map { XMPText.number(String($0)) }
      if let top = parts[0], let bottom = parts.count > 1 ? parts[1] : 1, bottom != 0 {
        let isBelow = packet.text(.exif, "GPSAltitudeRef") == "1"
        altitude = (isBelow ? -1 : 1) * top / bottom
      }
    }
  }

  /// Parses "51,30.5N" or "51,30,15N", the XMP notation for a coordinate, or decimal degrees with a
  /// sign or a separate reference, as Apple software writes them.
  private static func degrees(
    _ text: String, _ reference: String?, _ positive: Character, _ negative: Character,
    _ limit: Double
  ) -> Double? {
    if let value = Double(text) {
      guard abs(value) <= limit else { return nil }
      return reference?.first == negative ? -abs(value) : value
    }
    guard let letter = text.last, letter == positive || letter == negative else { return nil }
    let parts = text.dropLast().split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2 || parts.count == 3 else { return nil }
    var value = 0.0
    for (part, unit) in zip(parts, [1.0, 60, 3600]) {
      guard let number = XMPText.number(String(part)), number >= 0 else { return nil }
      value += number / unit
    }
    guard value <= limit else { return nil }
    return letter == negative ? -value : value
  }
}

extension ImageMetadata {
  /// Returns the capture information in the metadata; it does not include orientation and size.
  ///
  /// - Parameters:
  ///   - format: The format of the file, which distinguishes frames from pages.
  ///   - texts: The texts to read.
  package func captureFacts(
    of format: ImageFormat?, texts: [MetadataName] = []
  ) -> CaptureMetadata {
    var facts = CaptureMetadata()
    let kinds = Set(losses.map(\.kind))
    facts.isHighDynamicRange = kinds.contains(.gainMap)
    facts.hasDepth = kinds.contains(.depthMap)
    // The pages of a TIFF are not an animation.
    facts.isAnimated = kinds.contains(.frames) && format != nil && format != .tiff
    let sources = MetadataSources(segments)
    let (exif, packet, iptc) = (sources.exif, sources.xmp, sources.iptc)
    if let exif { facts.read(exif) }
    let created = iptc?.first(.dateCreated).flatMap {
      CaptureDate(iptcDate: $0, time: iptc?.first(.timeCreated))
    }
    // IPTC that was changed after XMP takes precedence over it.
    if iptc?.isNewer == true { facts.date = facts.date ?? created }
    if let packet { facts.read(packet) }
    if let created {
      if facts.date == nil { facts.date = created } else { facts.date?.adopt(created) }
    }
    if let day = iptc?.first(.dateCreated), day.utf8.count == 8 {
      facts.note("\(day.prefix(4))-\(day.dropFirst(4).prefix(2))-\(day.suffix(2))")
    }
    facts.readCreationTime(sources)
    if let exif { facts.readModificationDate(exif) }
    facts.readPositionDate(exif, packet)
    let isNewer = iptc.map { $0.isNewer && !$0.all(.keyword).isEmpty } ?? false
    facts.tags = PhotoTags(packet, flat: summary.keywords, isFlatNewer: isNewer)
    if facts.tags.rating == nil, let stars = sources.stars, stars != 0 {
      facts.tags.rating = stars
    }
    for name in texts { facts.tags[name] = sources.text(name) }
    // Zero for both is what receivers without a fix write.
    if let latitude = summary.latitude, let longitude = summary.longitude,
      latitude != 0 || longitude != 0
    {
      (facts.latitude, facts.longitude) = (latitude, longitude)
    }
    return facts
  }
}

/// Reads the EXIF directories.
private struct ExifReading {
  let tiff: TIFFStructure
  let main: TIFFStructure.Directory?
  let exif: TIFFStructure.Directory?
  let gps: TIFFStructure.Directory?

  init(_ tiff: TIFFStructure) {
    self.tiff = tiff
    main = tiff.main
    exif = tiff.directory(pointedToBy: ExifTag.exifDirectory, in: main)
    gps = tiff.directory(pointedToBy: ExifTag.gpsDirectory, in: main)
  }

  private func text(_ tag: Int, in directory: TIFFStructure.Directory?) -> String? {
    directory?.entry(tag).flatMap { tiff.text($0) }
  }

  /// Returns a date as it is written.
  ///
  /// Scanner files and TIFF/EP store dates in the first directory.
  func written(_ tag: Int) -> String? { text(tag, in: exif) ?? text(tag, in: main) }

  /// Returns a date with its fraction and offset; the receiver's clock serves if there is no
  /// offset, and the zero of a clock is no date.
  func date(_ tag: Int, _ fraction: Int, _ offset: Int) -> CaptureDate? {
    guard let written = written(tag) else { return nil }
    let offsets = [offset, ExifTag.offsetTimeOriginal, ExifTag.offsetTime]
    let stated = offsets.lazy.compactMap { text($0, in: exif) }.first
    var date = CaptureDate(exif: written, fraction: text(fraction, in: exif), offset: stated)
    if date?.hasOffset == false, date?.precision == .time, let time = receiverTime {
      date?.deriveOffset(fromUTC: time)
    }
    return date?.isClockZero == true ? nil : date
  }

  /// The GPS receiver's time in UTC.
  private var receiverTime: Double? {
    guard let day = text(ExifTag.gpsDateStamp, in: gps),
      let midnight = CaptureDate(exif: day + " 00:00:00"),
      let entry = gps?.entry(ExifTag.gpsTimeStamp), let hours = tiff.fraction(entry, at: 0),
      let minutes = tiff.fraction(entry, at: 1), let seconds = tiff.fraction(entry, at: 2)
    else { return nil }
    let clock = hours * 3600 + minutes * 60 + seconds
    return (0..<90_000).contains(clock) ? midnight.seconds + clock : nil
  }

  /// The date of the GPS receiver, in UTC; the day alone if it states no time.
  var receiverDate: CaptureDate? {
    receiverTime.flatMap { CaptureDate(stated: $0) }
      ?? text(ExifTag.gpsDateStamp, in: gps).flatMap { CaptureDate(iso: $0) }
  }

  var altitude: Double? {
    guard let height = gps?.entry(ExifTag.gpsAltitude).flatMap({ tiff.fraction($0) }) else {
      return nil
    }
    let reference = gps?.entry(ExifTag.gpsAltitudeReference).flatMap { tiff.integer($0) }
    return reference == 1 || reference == 3 ? -height : height
  }

  /// The user comment, after the eight bytes that name its character code.
  var comment: String? {
    guard let value = exif?.entry(ExifTag.userComment)?.value, value.count > 8 else { return nil }
    let bytes = tiff.bytes[value].prefix(1000)
    guard bytes.starts(with: "ASCII".utf8) || bytes.prefix(8).allSatisfy({ $0 == 0 }) else {
      return nil
    }
    return MetadataText.clean(String(untilZero: bytes.dropFirst(8)))
  }
}

// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// The properties of a photo in an XMP sidecar file.
///
/// Packets of any program can be read. A packet written by photoedit is complete: a missing
/// property has no value, regardless of the photo's own metadata.
package struct SidecarMetadata: Hashable, Sendable {
  /// The position of a photo in an album.
  package struct Album: Hashable, Sendable {
    /// The titles of the folders that contain the album, outermost first, followed by its own
    /// title.
    package var path: [String]
    /// The number of photos before it.
    package var position: Int

    /// Creates a position.
    package init(path: [String], position: Int) { (self.path, self.position) = (path, position) }
  }

  /// The place of a photo in a burst.
  package struct Burst: Hashable, Sendable {
    /// The identifier shared by all photos of the burst.
    package var identifier: String
    /// The bits of `BurstSelection`.
    package var selection: Int
    /// Indicates whether the photo represents the burst.
    package var isRepresentative: Bool

    /// Creates the place of a photo.
    package init(identifier: String, selection: Int, isRepresentative: Bool) {
      (self.identifier, self.selection) = (identifier, selection)
      self.isRepresentative = isRepresentative
    }
  }

  /// The texts that it states, or has no value of.
  package let texts: [MetadataName]
  /// The capture date.
  package var date: CaptureDate?
  /// Indicates whether a date is stated whose year is not one from 1 to 9999; it is not used.
  package var hasImpossibleDate = false
  /// A date whose day or time does not exist, as written; nil without one.
  package var impossibleDate: String?
  /// Indicates whether the date is only that at which the file was created, as for a scan.
  package var isDateOfFile = false
  /// Degrees north; nil without a complete location.
  package var latitude: Double?
  /// Degrees east; nil without a complete location.
  package var longitude: Double?
  /// Meters above sea level.
  package var altitude: Double?
  /// Indicates whether a person corrected the location that the photo states.
  package var hasCorrectedLocation = false
  /// The names of the place; nil if not stated.
  package var place: PlaceNames?
  /// Indicates whether it is a favorite; nil if not stated.
  package var isFavorite: Bool?
  /// Indicates whether it is hidden; nil if not stated.
  package var isHidden: Bool?
  /// The texts, keywords, rating, label and people.
  package var tags = PhotoTags()
  /// The albums that contain it.
  package var albums: [Album] = []
  /// The burst that contains it; nil if not stated.
  package var burst: Burst?
  /// The names of its files at import, by the numbers of their resource types.
  package var filenames: [Int: String] = [:]
  /// Indicates whether its video belongs to it, regardless of the content identifiers.
  package var isPaired = false
  /// The source of the values.
  package var provenance = Provenance.packet

  /// The program whose edit the file contains as well, and which is not read; nil for none.
  package var editor: String?

  /// A text, such as the title; nil if not stated.
  package subscript(name: MetadataName) -> String? {
    get { tags[name] }
    set { tags[name] = newValue }
  }

  /// Returns text without control characters; nil if nothing is left.
  package static func text(_ text: String) -> String? { MetadataText.clean(text) }

  /// Creates metadata without any values.
  package init(texts: [MetadataName] = [.title, .caption]) { self.texts = texts }

  /// The maximum number of bytes read from an XMP file.
  package static let maximumBytes = 4 << 20

  /// Reads an XMP file; nil if it is not one.
  ///
  /// - Parameter texts: The texts to read.
  package init?(_ bytes: [UInt8], texts: [MetadataName] = [.title, .caption]) {
    self.init(texts: texts)
    guard bytes.count <= Self.maximumBytes else { return nil }
    let packet = XMPPacket(MetadataText.utf8File(bytes))
    guard packet.scan.isWellFormed, !packet.scan.properties.isEmpty else { return nil }
    let isOwn = packet.property(.library, Name.identifier) != nil
    if isOwn { provenance = .own }
    func text(_ name: MetadataName) -> String? { packet.text(name, isOwn: isOwn) }
    let facts = CaptureMetadata(packet, isOwn: isOwn)
    date = facts.date
    isDateOfFile = facts.isDateOfFile
    impossibleDate = facts.impossibleDate
    (latitude, longitude, altitude) = (facts.latitude, facts.longitude, facts.altitude)
    place = PlaceNames(city: text(.city), state: text(.state), country: text(.country))
    if let exact = packet.text(.library, Name.location) { read(location: exact) }
    isFavorite = packet.text(.library, Name.favorite).map { $0 == "True" }
    isHidden = packet.text(.library, Name.hidden).map { $0 == "True" }
    tags = PhotoTags(packet, flat: packet.items(.subject), isOwn: isOwn)
    for name in texts { tags[name] = text(name) }
    // Five stars in other programs correspond to a favorite.
    if isFavorite == nil, tags.rating == 5 { isFavorite = true }
    if packet.property(.darktable, "history") != nil { editor = "darktable" }
    albums = packet.items(.library, Name.albums).compactMap { Album($0) }
    burst = packet.text(.library, Name.burst)
      .flatMap { isOwn ? $0 : MetadataText.clean($0) }.flatMap { Burst($0) }
    isPaired = packet.text(.library, Name.paired) == "True"
    for item in packet.items(.library, Name.filenames) {
      let parts = item.split(separator: " ", maxSplits: 1)
      guard parts.count == 2, let type = Int(parts[0]) else { continue }
      filenames[type] = MetadataText.clean(String(parts[1]))
    }
  }

  /// Uses the exact location if it still matches the one that other programs see.
  private mutating func read(location text: String) {
    let numbers = text.split(separator: " ").map { Double($0) }
    guard let latitude, let longitude, numbers.count == 2 || numbers.count == 3,
      let north = numbers[0], let east = numbers[1], abs(north - latitude) < 1e-6,
      abs(east - longitude) < 1e-6
    else { return }
    (self.latitude, self.longitude) = (north, east)
    if let altitude, numbers.count == 3, let height = numbers[2], abs(height - altitude) < 1e-2 {
      self.altitude = height
    }
  }

  /// The names of the properties defined by photoedit.
  fileprivate enum Name {
    static let identifier = "Identifier"
    static let favorite = "Favorite"
    static let hidden = "Hidden"
    static let location = "Location"
    static let albums = "Albums"
    static let burst = "Burst"
    static let filenames = "Filenames"
    static let paired = "Paired"
  }

  /// Returns an XMP file with these properties and no others of the same names.
  ///
  /// - Parameters:
  ///   - identifier: The asset's identifier.
  ///   - packet: An XMP file whose other properties are kept.
  package func xmp(identifier: String, keeping packet: [UInt8]? = nil) -> [UInt8] {
    let existing = packet.flatMap { $0.count <= Self.maximumBytes ? XMPPacket($0) : nil }
    return existing.flatMap { added(to: $0, identifier) } ?? added(to: .empty, identifier) ?? []
  }

  private func added(to packet: XMPPacket, _ identifier: String) -> [UInt8]? {
    var own = [
      (name: Name.identifier, value: identifier),
      (name: Name.favorite, value: isFavorite == true ? "True" : "False"),
      (name: Name.hidden, value: isHidden == true ? "True" : "False"),
    ]
    if isPaired { own.append((name: Name.paired, value: "True")) }
    if let burst { own.append((name: Name.burst, value: burst.text)) }
    if let latitude, let longitude {
      let height = altitude.flatMap { abs($0) < 1e6 ? " \($0)" : nil } ?? ""
      own.append((name: Name.location, value: "\(latitude) \(longitude)" + height))
    }
    let names = filenames.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    let lists =
      Self.list(XMPName(.library, Name.albums), albums.map(\.text))
      + Self.list(XMPName(.library, Name.filenames), names)
    let written = written
    return packet.adding(
      .init(namespace: .library, values: own), elements: elements + lists,
      without: { $0.namespace == .library || $0.isNamed(in: written) }, limit: Self.maximumBytes)
  }

  /// Returns a packet for a file of the photo or video: what other programs read, and nothing that
  /// only photoedit does.
  ///
  /// - Parameters:
  ///   - packet: A packet whose other properties are kept.
  ///   - date: The date of the metadata, in seconds since 1970.
  package func packet(keeping packet: [UInt8]?, at date: Double) -> [UInt8]? {
    let written = written
    func added(to packet: XMPPacket) -> [UInt8]? {
      packet.adding(
        .init(namespace: .xmp, values: [("MetadataDate", CaptureDate(seconds: date).iso)]),
        elements: elements, without: { $0.isNamed(in: written) }, limit: Self.maximumBytes)
    }
    let existing = packet.flatMap { $0.count <= Self.maximumBytes ? XMPPacket($0) : nil }
    return existing.flatMap(added) ?? added(to: .empty)
  }

  /// The properties that other programs read, as elements of XMP.
  var elements: String {
    var elements = ""
    func add(_ name: MetadataName, _ text: String?) {
      guard let name = name.xmp.first, let text else { return }
      elements += Self.element(name, Self.escaped(text))
    }
    for name in texts { add(name, self[name]) }
    let paths = tags.keywords.map { KeywordPath.text($0.replacing(scalar: "/", with: "|")) }
    elements += Self.list(.subject, KeywordPath.set(tags.keywords.map(KeywordPath.name)))
    elements += Self.list(.hierarchicalSubject, paths)
    elements += Self.list(.tagsList, tags.keywords)
    for name in MetadataName.people.xmp { elements += Self.list(name, tags.people) }
    add(.rating, tags.rating.map { "\($0)" })
    add(.label, tags.label.map { $0.prefix(1).uppercased() + $0.dropFirst() })
    if let date {
      for name in MetadataName.date.xmp.prefix(2) {
        elements += Self.element(name, date.localISO)
      }
    }
    for (name, text) in coordinates { elements += Self.element(XMPName(.exif, name), text) }
    for (name, text) in place?.properties ?? [] { add(name, text) }
    return elements
  }

  private var coordinates: [(name: String, text: String)] {
    guard let latitude, let longitude else { return [] }
    var parts = [
      (name: "GPSLatitude", text: Self.degrees(latitude, "N", "S")),
      (name: "GPSLongitude", text: Self.degrees(longitude, "E", "W")),
    ]
    if let altitude, abs(altitude) < 1e6 {
      parts.append(
        (name: "GPSAltitude", text: "\(Int((abs(altitude) * 1000).rounded()))/1000"))
      parts.append((name: "GPSAltitudeRef", text: altitude < 0 ? "1" : "0"))
    }
    return parts
  }

  private static func element(_ name: XMPName, _ content: String) -> String {
    let prefix = name.namespace.usualPrefix
    let content =
      name.form == .languages
      ? "<rdf:Alt><rdf:li xml:lang=\"x-default\">\(content)</rdf:li></rdf:Alt>" : content
    return "<\(prefix):\(name.name) xmlns:\(prefix)=\"\(name.namespace.rawValue)\" "
      + "xmlns:rdf=\"\(XMPNamespace.rdf.rawValue)\">\(content)</\(prefix):\(name.name)>"
  }

  /// Returns a list as an element; an empty text for an empty list.
  private static func list(_ name: XMPName, _ items: [String]) -> String {
    guard !items.isEmpty else { return "" }
    let list = items.map { "<rdf:li>\(escaped($0))</rdf:li>" }.joined()
    return element(name, "<rdf:Bag>\(list)</rdf:Bag>")
  }

  /// The names of the properties that are replaced, or removed if there is no value.
  ///
  /// Without a place, that of the file stays.
  var written: Set<XMPName> {
    let names =
      texts + [.keywords, .people, .rating, .label, .date, .location]
      + (place == nil ? [] : PlaceNames.names)
    return Set(names.flatMap(\.xmp).map { XMPName($0.namespace, $0.name) })
  }

  /// Returns text escaped for an element; XML allows no control characters except line ends and
  /// tabs.
  private static func escaped(_ text: String) -> String {
    var scalars = text.unicodeScalars
    scalars.removeAll { $0.value < 0x20 && ![0x09, 0x0A, 0x0D].contains($0.value) }
    return XMPText.escaped(String(scalars)).replacing("\r", with: "&#13;")
  }

  /// Returns a coordinate in the XMP notation, such as "48,51.5022N".
  private static func degrees(_ value: Double, _ positive: String, _ negative: String) -> String {
    let whole = abs(value).rounded(.down)
    let minutes = XMPText.decimal((abs(value) - whole) * 60)
    return "\(Int(whole)),\(minutes)" + (value < 0 ? negative : positive)
  }
}

extension SidecarMetadata.Album {
  /// Parses "3 Travel/Lisbon".
  fileprivate init?(_ text: String) {
    guard let blank = text.firstIndex(of: " "), let position = Int(text[..<blank]), position >= 0
    else { return nil }
    let path = text[text.index(after: blank)...].split(
      separator: "/", omittingEmptySubsequences: false)
    guard path.count <= Self.maximumDepth else { return nil }
    self.init(
      path: path.map {
        String($0).replacing("%2F", with: "/").replacing("%25", with: "%")
      }, position: position)
  }

  /// The maximum number of folders created around an album.
  private static let maximumDepth = 32

  fileprivate var text: String {
    "\(position) "
      + path.map { $0.replacing("%", with: "%25").replacing("/", with: "%2F") }
      .joined(separator: "/")
  }
}

extension SidecarMetadata.Burst {
  /// Parses "3 True IDENTIFIER".
  fileprivate init?(_ text: String) {
    let parts = text.split(separator: " ", maxSplits: 2)
    guard parts.count == 3, let selection = Int(parts[0]), (0...3).contains(selection) else {
      return nil
    }
    self.init(
      identifier: String(parts[2]), selection: selection, isRepresentative: parts[1] == "True")
  }

  fileprivate var text: String {
    "\(selection) \(isRepresentative ? "True" : "False") \(identifier)"
  }
}

// SPDX-License-Identifier: Apache-2.0

/// The properties of a photo in an XMP file beside it.
///
/// Any program's packet is read. One that this project wrote is complete: a property that it lacks
/// has no value, whatever the photo's own metadata contains.
package struct SidecarMetadata: Hashable, Sendable {
  /// The position of a photo in an album.
  package struct Album: Hashable, Sendable {
    /// The titles of the folders around the album, outermost first, and its own.
    package var path: [String]
    /// Counts the photos before it.
    package var position: Int

    /// Makes a position.
    package init(path: [String], position: Int) {
      self.path = path
      self.position = position
    }
  }

  /// The title.
  package var title: String?
  /// The caption.
  package var caption: String?
  /// When the photo was taken.
  package var date: CaptureDate?
  /// Degrees north; nil without a whole location.
  package var latitude: Double?
  /// Degrees east; nil without a whole location.
  package var longitude: Double?
  /// Meters above the sea.
  package var altitude: Double?
  /// Whether it is a favorite; nil when nothing is stated.
  package var isFavorite: Bool?
  /// Whether it is hidden; nil when nothing is stated.
  package var isHidden: Bool?
  /// The albums that hold it.
  package var albums: [Album] = []
  /// Whether properties that are missing have no value.
  package var isComplete = false

  /// Whether values stand in for those that the photo lacks, and do not prevail over any.
  package var isFallback = false

  /// Text without control characters; nil when nothing is left.
  package static func text(_ text: String) -> String? { MetadataText.clean(text) }

  /// Makes metadata without any value.
  package init() {}

  /// Most bytes of an XMP file that are read.
  package static let maximumBytes = 4 << 20

  /// Reads an XMP file; nil when it is none.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count <= Self.maximumBytes else { return nil }
    let packet = XMPPacket(bytes)
    guard packet.scan.isWellFormed, !packet.scan.properties.isEmpty else { return nil }
    isComplete = packet.property(.library, Name.identifier) != nil
    func text(_ namespace: XMPNamespace, _ name: String) -> String? {
      // Foreign texts could steer a terminal; our own come back as they were.
      guard isComplete else {
        return packet.text(namespace, name).flatMap { MetadataText.clean($0) }
      }
      let text = packet.text(namespace, name, limit: Self.maximumBytes)
      return text?.isEmpty == false ? text : nil
    }
    title = text(.dublinCore, "title")
    caption = text(.dublinCore, "description")
    let facts = CaptureFacts(packet)
    date = facts.date
    (latitude, longitude, altitude) = (facts.latitude, facts.longitude, facts.altitude)
    if let exact = packet.text(.library, Name.location) { take(location: exact) }
    isFavorite = packet.text(.library, Name.favorite).map { $0 == "True" }
    isHidden = packet.text(.library, Name.hidden).map { $0 == "True" }
    // There is no rating besides: five stars are what a favorite is elsewhere.
    let stars = packet.text(.xmp, "Rating").flatMap { XMPText.number($0) }
    if isFavorite == nil, stars == 5 { isFavorite = true }
    albums = packet.items(.library, Name.albums).compactMap { Album($0) }
  }

  /// Takes the exact location where it is still the one that other programs see.
  private mutating func take(location text: String) {
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

  /// The names of our own properties.
  fileprivate enum Name {
    static let identifier = "Identifier"
    static let favorite = "Favorite"
    static let hidden = "Hidden"
    static let location = "Location"
    static let albums = "Albums"
  }
}

extension SidecarMetadata.Album {
  /// Reads "3 Travel/Lisbon".
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

  /// Most folders around an album that are made.
  private static let maximumDepth = 32

  fileprivate var text: String {
    "\(position) "
      + path.map { $0.replacing("%", with: "%25").replacing("/", with: "%2F") }
      .joined(separator: "/")
  }
}

// MARK: Writing

extension SidecarMetadata {
  /// An XMP file with these properties and no others of their names.
  ///
  /// - Parameters:
  ///   - identifier: The asset's name.
  ///   - packet: An XMP file whose other properties are kept.
  package func xmp(identifier: String, keeping packet: [UInt8]? = nil) -> [UInt8] {
    let kept = packet.flatMap { $0.count <= Self.maximumBytes ? XMPPacket($0) : nil }
    return kept.flatMap { added(to: $0, identifier) } ?? added(to: .empty, identifier) ?? []
  }

  private func added(to packet: XMPPacket, _ identifier: String) -> [UInt8]? {
    var own = [
      (name: Name.identifier, value: identifier),
      (name: Name.favorite, value: isFavorite == true ? "True" : "False"),
      (name: Name.hidden, value: isHidden == true ? "True" : "False"),
    ]
    var elements = ""
    func add(_ namespace: XMPNamespace, _ name: String, _ content: String) {
      let prefix = namespace.usualPrefix
      elements +=
        "<\(prefix):\(name) xmlns:\(prefix)=\"\(namespace.rawValue)\" "
        + "xmlns:rdf=\"\(XMPNamespace.rdf.rawValue)\">\(content)</\(prefix):\(name)>"
    }
    for (name, text) in [("title", title), ("description", caption)] {
      guard let text else { continue }
      add(
        .dublinCore, name,
        "<rdf:Alt><rdf:li xml:lang=\"x-default\">\(Self.escaped(text))</rdf:li></rdf:Alt>")
    }
    if let date {
      add(.exif, "DateTimeOriginal", date.iso)
      add(.photoshop, "DateCreated", date.iso)
    }
    if let latitude, let longitude {
      add(.exif, "GPSLatitude", Self.degrees(latitude, "N", "S"))
      add(.exif, "GPSLongitude", Self.degrees(longitude, "E", "W"))
      var exact = "\(latitude) \(longitude)"
      if let altitude, abs(altitude) < 1e6 {
        add(.exif, "GPSAltitude", "\(Int((abs(altitude) * 1000).rounded()))/1000")
        add(.exif, "GPSAltitudeRef", altitude < 0 ? "1" : "0")
        exact += " \(altitude)"
      }
      own.append((name: Name.location, value: exact))
    }
    if !albums.isEmpty {
      let items = albums.map { "<rdf:li>\(Self.escaped($0.text))</rdf:li>" }.joined()
      add(.library, Name.albums, "<rdf:Bag>\(items)</rdf:Bag>")
    }
    return packet.adding(
      .init(namespace: .library, values: own), elements: elements,
      without: {
        $0.namespace == .library
          || Self.written.contains([$0.namespace?.rawValue ?? "", $0.name])
      },
      limit: Self.maximumBytes)
  }

  /// Properties that are replaced, or removed where there is no value.
  private static let written: Set<[String]> = Set(
    [
      (XMPNamespace.dublinCore, ["title", "description"]),
      (.photoshop, ["DateCreated"]), (.xmp, ["CreateDate"]),
      (
        .exif,
        [
          "DateTimeOriginal", "GPSLatitude", "GPSLatitudeRef", "GPSLongitude", "GPSLongitudeRef",
          "GPSAltitude", "GPSAltitudeRef",
        ]
      ),
    ].flatMap { namespace, names in names.map { [namespace.rawValue, $0] } })

  /// Text of an element; XML has no control characters but line ends and tabs.
  private static func escaped(_ text: String) -> String {
    var scalars = text.unicodeScalars
    scalars.removeAll { $0.value < 0x20 && ![0x09, 0x0A, 0x0D].contains($0.value) }
    return XMPText.escaped(String(scalars)).replacing("\r", with: "&#13;")
  }

  /// "48,51.5022N", as XMP writes a coordinate.
  private static func degrees(_ value: Double, _ positive: String, _ negative: String) -> String {
    let whole = abs(value).rounded(.down)
    let minutes = XMPText.decimal((abs(value) - whole) * 60)
    return "\(Int(whole)),\(minutes)" + (value < 0 ? negative : positive)
  }
}

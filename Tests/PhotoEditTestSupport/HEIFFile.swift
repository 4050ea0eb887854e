// SPDX-License-Identifier: Apache-2.0

/// Builds HEIF files from items, their properties and references.
package struct HEIFFile: Sendable {
  /// An item of the file.
  package struct Item: Sendable {
    package var identifier: Int
    package var type: String
    package var data: [UInt8]
    package var properties: [[UInt8]] = []
    package var contentType = ""
    package var contentEncoding = ""
    package var isHidden = false
    /// True if the data is stored in the metadata box.
    package var isInside = false

    package init(
      _ identifier: Int, _ type: String, _ data: [UInt8], properties: [[UInt8]] = []
    ) {
      self.identifier = identifier
      self.type = type
      self.data = data
      self.properties = properties
    }
  }

  package var brands = ["heic", "mif1", "miaf"]
  package var primary = 1
  package var items: [Item] = []
  package var references: [(type: String, from: Int, to: [Int])] = []
  /// Further boxes of the metadata.
  package var metadata: [UInt8] = []
  /// Boxes after the end of the regular file.
  package var trailer: [UInt8] = []

  package init() {}

  /// Creates a file with one coded image.
  package init(_ image: CodedPicture, properties: [[UInt8]] = []) {
    if image.settings.codec == "av1" { brands = ["avif", "mif1", "miaf"] }
    items = [Self.item(1, image, properties: properties)]
  }

  // MARK: Parts

  package static func number(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  package static func box(_ type: String, _ body: [UInt8]) -> [UInt8] {
    number(8 + body.count, 4) + Array(type.utf8) + body
  }

  package static func fullBox(_ type: String, version: Int = 0, flags: Int = 0, _ body: [UInt8])
    -> [UInt8]
  {
    box(type, number(version << 24 | flags, 4) + body)
  }

  package static func size(_ width: Int, _ height: Int) -> [UInt8] {
    fullBox("ispe", number(width, 4) + number(height, 4))
  }

  package static func auxiliary(_ type: String) -> [UInt8] {
    fullBox("auxC", Array(type.utf8) + [0])
  }

  package static func color(_ primaries: Int, _ transfer: Int, _ matrix: Int, isFullRange: Bool)
    -> [UInt8]
  {
    let numbers = [primaries, transfer, matrix].flatMap { number($0, 2) }
    return box("colr", Array("nclx".utf8) + numbers + [isFullRange ? 0x80 : 0])
  }

  /// A clean aperture property with a size in whole pixels and a center.
  package static func aperture(_ width: Int, _ height: Int, x: (Int, Int), y: (Int, Int)) -> [UInt8]
  {
    box("clap", [width, 1, height, 1, x.0, x.1, y.0, y.1].flatMap { number($0, 4) })
  }

  package static func grid(rows: Int, columns: Int, width: Int, height: Int) -> [UInt8] {
    [0, 0, UInt8(rows - 1), UInt8(columns - 1)] + number(width, 2) + number(height, 2)
  }

  /// The coded image as an item with its size and decoder configuration.
  package static func item(
    _ identifier: Int, _ image: CodedPicture, properties: [[UInt8]] = []
  ) -> Item {
    let settings = image.settings
    let own = [size(settings.width, settings.height)] + properties
    guard settings.codec == "hevc" else {
      let depth: UInt8 = (settings.bits > 8 ? 0x40 : 0) | (settings.bits > 10 ? 0x20 : 0)
      let chroma = settings.chroma.map { UInt8($0[0] << 3 | $0[1] << 2) } ?? 0x1C
      let profile: UInt8 =
        settings.bits > 10 || settings.chroma == [1, 0]
        ? 0x40 : settings.chroma == [0, 0] ? 0x20 : 0
      return Item(
        identifier, "av01", image.stream,
        properties: own + [box("av1C", [0x81, profile | 0, depth | chroma, 0])])
    }
    let units = units(of: image.stream)
    let data = units.filter { $0[0] >> 1 & 0x3F < 32 }.flatMap { number($0.count, 4) + $0 }
    return Item(identifier, "hvc1", data, properties: own + [configuration(units, settings)])
  }

  /// The units of an HEVC stream, without start codes.
  package static func units(of stream: [UInt8]) -> [[UInt8]] {
    var units: [[UInt8]] = []
    var start: Int?
    var i = 0
    while i + 3 <= stream.count {
      guard stream[i] == 0, stream[i + 1] == 0, stream[i + 2] == 1 else {
        i += 1
        continue
      }
      if let start { units.append(trimmed(stream[start..<i])) }
      start = i + 3
      i += 3
    }
    if let start { units.append(Array(stream[start...])) }
    return units
  }

  private static func trimmed(_ unit: ArraySlice<UInt8>) -> [UInt8] {
    var unit = unit
    while unit.last == 0 { unit.removeLast() }
    return Array(unit)
  }

  private static func configuration(_ units: [[UInt8]], _ settings: CodedPicture.Settings)
    -> [UInt8]
  {
    let sets = [32, 33, 34].map { type in units.filter { Int($0[0] >> 1 & 0x3F) == type } }
    // Profile and level follow three bytes of the sequence parameters, without escapes.
    var profile: [UInt8] = []
    for byte in sets[1].first ?? [] {
      if byte == 3, profile.suffix(2) == [0, 0] { continue }
      profile.append(byte)
    }
    let chroma = settings.chroma.map { 3 - $0[0] - $0[1] } ?? 0
    let depth = UInt8(settings.bits - 8)
    var body: [UInt8] = [1] + profile[3..<15] + [0xF0, 0, 0xFC, 0xFC | UInt8(chroma)]
    body += [0xF8 | depth, 0xF8 | depth, 0, 0, 0x0F, 3]
    for (type, units) in zip([32, 33, 34], sets) {
      body += [UInt8(type)] + number(units.count, 2)
      for unit in units { body += number(unit.count, 2) + unit }
    }
    return box("hvcC", body)
  }

  // MARK: The file

  /// The bytes of the file.
  package var bytes: [UInt8] {
    let type = Array(brands[0].utf8) + Self.number(0, 4) + brands.flatMap { Array($0.utf8) }
    let head = Self.box("ftyp", type)
    // The data offsets depend on the length of the box that contains them, which is fixed.
    let start = head.count + meta(dataStart: 0).count + 8
    let data = items.filter { !$0.isInside }.flatMap(\.data)
    return head + meta(dataStart: start) + Self.box("mdat", data) + trailer
  }

  private func meta(dataStart: Int) -> [UInt8] {
    let number = Self.number
    var locations = [0x44, 0x00] + number(items.count, 2)
    var (outside, inside) = (dataStart, 0)
    for item in items {
      locations += number(item.identifier, 2) + number(item.isInside ? 1 : 0, 2) + number(0, 2)
      locations += number(1, 2) + number(item.isInside ? inside : outside, 4)
      locations += number(item.data.count, 4)
      if item.isInside { inside += item.data.count } else { outside += item.data.count }
    }
    let entries = items.flatMap { item -> [UInt8] in
      var body = number(item.identifier, 2) + number(0, 2) + Array(item.type.utf8) + [0]
      if item.type == "mime" {
        body += Array(item.contentType.utf8) + [0] + Array(item.contentEncoding.utf8) + [0]
      }
      return Self.fullBox("infe", version: 2, flags: item.isHidden ? 1 : 0, body)
    }
    let relations = references.flatMap { reference in
      Self.box(
        reference.type,
        number(reference.from, 2) + number(reference.to.count, 2)
          + reference.to.flatMap { number($0, 2) })
    }
    var body = Self.fullBox("hdlr", number(0, 4) + Array("pict".utf8) + number(0, 12) + [0])
    body += Self.fullBox("pitm", number(primary, 2))
    body += Self.fullBox("iloc", version: 1, locations)
    body += Self.fullBox("iinf", number(items.count, 2) + entries)
    body += properties
    if !references.isEmpty { body += Self.fullBox("iref", relations) }
    body += metadata
    body += Self.box("idat", items.filter(\.isInside).flatMap(\.data))
    return Self.fullBox("meta", body)
  }

  private var properties: [UInt8] {
    var known: [UInt8] = []
    var associations = Self.number(items.count, 4)
    var next = 1
    for item in items {
      associations += Self.number(item.identifier, 2) + [UInt8(item.properties.count)]
      for property in item.properties {
        known += property
        associations.append(0x80 | UInt8(next))
        next += 1
      }
    }
    return Self.box("iprp", Self.box("ipco", known) + Self.fullBox("ipma", associations))
  }
}

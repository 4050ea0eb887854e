// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

/// The contents of an HEIF file, read from its boxes without decoding pixels or using a library.
///
/// Every offset is checked against the file. Time and memory are proportional to the file size.
///
/// - Source: ISO/IEC 14496-12:2022, 8.11 (meta box); ISO/IEC 23008-12:2022, 6 and 9.
struct HEIFStructure {
  /// A relation between items: tiles of a grid, alpha of an image, EXIF of an image.
  struct Reference {
    let type: FourCC
    let from: Int
    let to: [Int]
    /// The offset of its box.
    let start: Int
  }

  private(set) var boxes: [Box] = []
  /// The offset of another file appended to this one, according to the boxes; nil for nearly all
  /// files.
  private(set) var follower: Int?
  /// The end of the last box; other programs may have appended data that is in no box.
  private(set) var end = 0
  /// The identifier of the primary image.
  private(set) var primary = 0
  /// The range of that identifier in the file.
  private(set) var primaryRange = 0..<0
  /// Items in file order.
  private(set) var items: [HEIFItem] = []
  private(set) var references: [Reference] = []
  private(set) var index: [Int: Int] = [:]

  let bytes: UnsafeRawBufferPointer
  private var data = 0..<0
  /// Offsets of groups and of color information that only other decoders use.
  private var unknownBoxes: [Int] = []
  /// Bytes with the number of a property that only other decoders use.
  private var unknownProperties: [Int] = []

  /// Reads the boxes; the memory must outlive the structure.
  init(_ bytes: UnsafeRawBufferPointer) throws(BoxError) {
    self.bytes = bytes
    try readBoxes()
    if let second = boxes.indices.dropFirst().first(where: { boxes[$0].type == "ftyp" }) {
      follower = boxes[second].start
      boxes.removeSubrange(second...)
    }
    guard let meta = boxes.first(where: { $0.type == "meta" }) else {
      throw BoxError(message: "box 'meta' is missing")
    }
    try readMeta(meta)
  }

  /// Reads the boxes of the file, up to data that is in no box.
  private mutating func readBoxes() throws(BoxError) {
    var reader = BoxReader(bytes)
    do throws(BoxError) {
      while let box = try reader.nextBox() {
        guard boxes.count < HEIFBoxes.maximumBoxes else {
          throw HEIFBoxes.failure(.boxes(limit: HEIFBoxes.maximumBoxes), in: "")
        }
        boxes.append(box)
        end = box.body.upperBound
      }
    } catch {
      let type = bytes.count - end < 8 ? nil : FourCC(bytes[(end + 4)..<(end + 8)])
      guard boxes.contains(where: { $0.type == "meta" }), boxes.count < HEIFBoxes.maximumBoxes,
        type.map({ !Self.topBoxes.contains($0) }) ?? true
      else { throw error }
    }
  }

  /// The boxes that are written next to the metadata; any other with a wrong length is no box.
  private static let topBoxes: Set<FourCC> = [
    "ftyp", "meta", "mdat", "moov", "moof", "free", "skip", "wide", "uuid", "mpvd", "sefd", "idat",
    "mfra", "sidx", "styp", "udta", "jumb",
  ]

  /// Returns the item with an identifier.
  func item(_ identifier: Int) -> HEIFItem? { index[identifier].map { items[$0] } }

  /// Returns the items that an item references.
  func targets(of identifier: Int, _ type: FourCC) -> [Int] {
    references.filter { $0.from == identifier && $0.type == type }.flatMap(\.to)
  }

  /// Returns the items that reference an item.
  func sources(of identifier: Int, _ type: FourCC) -> [HEIFItem] {
    references.filter { $0.type == type && $0.to.contains(identifier) }
      .compactMap { item($0.from) }
  }

  /// Returns the bytes of the file that a decoder of some items is better given another value of, in
  /// ascending order.
  ///
  /// libheif 1.15 reads all of a file, and rejects what it does not know although the image does not
  /// need it: metadata, an auxiliary image or a thumbnail of two images (recent phones attach each
  /// to both the image and `tmap`), items without data, compressed items, groups with data of their
  /// own, and color information of other kinds. Such boxes get an unknown type. Newer versions reject
  /// an item with a property of an unknown type, which therefore has none in its place.
  func maskedBytes(for used: Set<Int>) -> [(offset: Int, value: UInt8)] {
    let needed = references.filter { reference in
      switch reference.type {
      case "dimg", "prem": true
      case "auxl":
        item(reference.from)?.auxiliaryType.map(HEIFPrimaryImage.alphaTypes.contains) == true
      default: false
      }
    }
    // Newer versions look for every image that an alpha image belongs to.
    let present = needed.reduce(into: used) {
      if used.contains($1.from) { $0.formUnion($1.to) }
    }
    let starts = Set(needed.map(\.start))
    let unused = items.filter { !present.contains($0.identifier) }.map(\.start)
    let relations = references.map(\.start).filter { !starts.contains($0) }
    // The type of a box follows its length.
    let types = (unused + relations + unknownBoxes).flatMap { start in
      (4..<8).map { (offset: start + $0, value: UInt8(ascii: "-")) }
    }
    return (types + unknownProperties.map { (offset: $0, value: 0) }).sorted {
      $0.offset < $1.offset
    }
  }

  /// Returns the byte ranges of an item in the file.
  func ranges(of item: HEIFItem) throws(BoxError) -> [Range<Int>] {
    guard let location = item.location, !location.isExternal, location.method <= 1 else {
      throw BoxError(message: "data of item \(item.identifier) is not in the file")
    }
    let whole = location.method == 0 ? 0..<bytes.count : data
    var ranges: [Range<Int>] = []
    for extent in location.extents {
      guard extent.offset <= whole.count else { throw missing(item) }
      let length = extent.length == 0 ? whole.count - extent.offset : extent.length
      guard length <= whole.count - extent.offset else { throw missing(item) }
      let start = whole.lowerBound + extent.offset
      ranges.append(start..<(start + length))
    }
    return ranges
  }

  /// Returns a copy of an item's bytes; nil if there are more than `limit`.
  func content(of item: HEIFItem, limit: Int) throws(BoxError) -> [UInt8]? {
    var content: [UInt8] = []
    for range in try ranges(of: item) {
      guard range.count <= limit - content.count else { return nil }
      content += bytes[range]
    }
    return content
  }

  private func missing(_ item: HEIFItem) -> BoxError {
    BoxError(message: "data of item \(item.identifier) (\(item.type.characters)) is truncated")
  }

  // MARK: The meta box

  private mutating func readMeta(_ meta: Box) throws(BoxError) {
    var reader = BoxReader(bytes, in: meta.body)
    try reader.skip(4)
    var parts: [FourCC: Range<Int>] = [:]
    for box in try reader.boxes() {
      if box.type == "grpl" { unknownBoxes.append(box.start) }
      if parts[box.type] == nil { parts[box.type] = box.body }
    }
    data = parts["idat"] ?? 0..<0
    guard let information = parts["iinf"], let main = parts["pitm"], let locations = parts["iloc"]
    else { throw BoxError(message: "box 'meta' lists no primary image") }
    try readItems(BoxReader(bytes, in: information))
    try readLocations(BoxReader(bytes, in: locations))
    if let properties = parts["iprp"] { try readProperties(BoxReader(bytes, in: properties)) }
    if let relations = parts["iref"] { try readReferences(BoxReader(bytes, in: relations)) }
    var primaryReader = BoxReader(bytes, in: main)
    let width = try primaryReader.versionAndFlags().version == 0 ? 2 : 4
    primaryRange = primaryReader.position..<primaryReader.position + width
    primary = try primaryReader.unsigned(width)
    guard index[primary] != nil else {
      throw BoxError(message: "primary image is item \(primary), which does not exist")
    }
  }

  private mutating func readItems(_ information: BoxReader) throws(BoxError) {
    var reader = information
    _ = try reader.unsigned(reader.versionAndFlags().version == 0 ? 2 : 4)
    for box in try reader.boxes() where box.type == "infe" {
      var entry = BoxReader(bytes, in: box.body)
      let (version, flags) = try entry.versionAndFlags()
      // Versions 0 and 1 have no type, and HEIF does not use them.
      guard version >= 2 else { continue }
      let identifier = try entry.unsigned(version == 2 ? 2 : 4)
      try entry.skip(2)
      let type = try entry.fourCC()
      _ = entry.text()
      let isMIME = type == "mime"
      guard index[identifier] == nil else {
        throw BoxError(message: "duplicate item \(identifier)")
      }
      index[identifier] = items.count
      items.append(
        HEIFItem(
          identifier: identifier, type: type, contentType: isMIME ? entry.text() : "",
          contentEncoding: isMIME ? entry.text() : "", isHidden: flags & 1 != 0, start: box.start))
    }
  }

  private mutating func readLocations(_ locations: BoxReader) throws(BoxError) {
    var reader = locations
    let version = try reader.versionAndFlags().version
    guard version <= 2 else { throw BoxError(message: "unsupported 'iloc' version \(version)") }
    let sizes = try reader.unsigned(2)
    let (offsetSize, lengthSize) = (sizes >> 12, sizes >> 8 & 15)
    let (baseSize, indexSize) = (sizes >> 4 & 15, version == 0 ? 0 : sizes & 15)
    guard [offsetSize, lengthSize, baseSize, indexSize].allSatisfy({ [0, 4, 8].contains($0) })
    else { throw BoxError(message: "'iloc' has invalid field sizes") }
    for _ in 0..<(try reader.unsigned(version < 2 ? 2 : 4)) {
      let identifier = try reader.unsigned(version < 2 ? 2 : 4)
      let method = version == 0 ? 0 : try reader.unsigned(2) & 15
      let isExternal = try reader.unsigned(2) != 0
      let base = try reader.unsigned(baseSize)
      var location = HEIFItem.Location(method: method, isExternal: isExternal, extents: [])
      for _ in 0..<(try reader.unsigned(2)) {
        try reader.skip(indexSize)
        let (offset, overflows) = base.addingReportingOverflow(try reader.unsigned(offsetSize))
        let length = try reader.unsigned(lengthSize)
        guard !overflows else { throw .truncated }
        location.extents.append((offset, length))
        // Extents with zero-width fields take no bytes, so the file size does not bound their
        // count.
        guard offsetSize + lengthSize + indexSize > 0 else { break }
      }
      if let position = index[identifier] { items[position].location = location }
    }
  }

  private mutating func readReferences(_ relations: BoxReader) throws(BoxError) {
    var reader = relations
    let width = try reader.versionAndFlags().version == 0 ? 2 : 4
    for box in try reader.boxes() {
      var entry = BoxReader(bytes, in: box.body)
      let from = try entry.unsigned(width)
      var to: [Int] = []
      for _ in 0..<(try entry.unsigned(2)) { to.append(try entry.unsigned(width)) }
      references.append(Reference(type: box.type, from: from, to: to, start: box.start))
    }
  }

  private mutating func readProperties(_ properties: BoxReader) throws(BoxError) {
    var allProperties: [HEIFProperty] = []
    for box in try properties.boxes() {
      var content = BoxReader(bytes, in: box.body)
      switch box.type {
      case "ipco":
        for box in try content.boxes() {
          let property = try HEIFProperty(box, in: bytes)
          if case .other("colr") = property { unknownBoxes.append(box.start) }
          allProperties.append(property)
        }
      case "ipma": try associate(allProperties, &content)
      default: break
      }
    }
  }

  private mutating func associate(
    _ allProperties: [HEIFProperty], _ reader: inout BoxReader
  ) throws(BoxError) {
    let (version, flags) = try reader.versionAndFlags()
    let width = flags & 1 == 0 ? 1 : 2
    for _ in 0..<(try reader.unsigned(4)) {
      let identifier = try reader.unsigned(version == 0 ? 2 : 4)
      for _ in 0..<(try reader.unsigned(1)) {
        let start = reader.position
        let number = try reader.unsigned(width) & (width == 1 ? 0x7F : 0x7FFF)
        // 0 means that there is no property.
        guard number > 0, let position = index[identifier] else { continue }
        guard number <= allProperties.count else {
          throw BoxError(
            message: "item \(identifier) has property \(number) of \(allProperties.count)")
        }
        let property = allProperties[number - 1]
        items[position].properties.append(property)
        if case .other("colr") = property { unknownProperties += start..<reader.position }
      }
    }
  }
}

extension HEIFProperty {
  /// Reads a property from its box.
  init(_ box: Box, in bytes: UnsafeRawBufferPointer) throws(BoxError) {
    var reader = BoxReader(bytes, in: box.body)
    switch box.type {
    case "ispe":
      try reader.skip(4)
      self = .size(PixelSize(width: try reader.unsigned(4), height: try reader.unsigned(4)))
    case "irot": self = .rotation(try reader.unsigned(1) & 3)
    case "imir": self = .mirror(isLeftRight: try reader.unsigned(1) & 1 != 0)
    case "clap": self = .aperture(try CleanAperture(&reader))
    case "auxC":
      try reader.skip(4)
      self = .auxiliary(reader.text())
    case "hvcC": self = .hevc(try HEVCConfiguration(&reader))
    case "av1C":
      try reader.skip(4)
      self = .av1(reader.rest)
    case "colr": self = try Self.color(&reader)
    case "clli": self = .lightLevel(try reader.unsigned(2))
    default: self = .other(box.type)
    }
  }

  private static func color(_ reader: inout BoxReader) throws(BoxError) -> HEIFProperty {
    switch try reader.fourCC() {
    case "prof", "rICC": return .profile(reader.rest)
    case "nclx":
      return .color(
        CodedColor(
          primaries: try reader.unsigned(2), transfer: try reader.unsigned(2),
          matrix: try reader.unsigned(2), isFullRange: try reader.unsigned(1) & 0x80 != 0))
    default: return .other("colr")
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditStorage

/// The primary image of an HEIF file: its properties after decoding, and the cost of decoding.
///
/// Everything that determines memory use in a decoder is checked: the sizes of the image, of its
/// tiles and of its alpha, and those in the headers of the coded pictures.
///
/// - Source: ISO/IEC 23008-12:2022, 6.6.2 (derived images); MIAF, ISO/IEC 23000-22:2019, 7.3.6.
struct HEIFPrimaryImage {
  /// The size after rotation and cropping.
  private(set) var size: PixelSize
  /// The transformations in the file, combined into one orientation.
  private(set) var orientation = Orientation.up
  private(set) var bitDepth = 0
  /// Nil if the image is derived in a way that leaves the format to the library.
  private(set) var chroma: ChromaFormat?
  private(set) var hasAlpha = false
  /// Indicates whether colors are premultiplied by alpha in the file.
  private(set) var isPremultiplied = false
  /// The color information in the file: from a box if present, otherwise from the coded picture.
  private(set) var color: CodedColor?
  /// The byte range of the ICC profile: the image's own profile, or that of the first coded picture
  /// in it if the image itself has no color information.
  private(set) var profile: Range<Int>?

  /// The maximum content light level in cd/m²; nil if the file does not state it.
  private var brightest: Double?
  private var used: HEIFDecodingLimits
  /// Indicates whether the image is rotated or cropped after decoding.
  private var isTransformed = false
  private var codedCanvas = PixelSize(width: 0, height: 0)
  private var costs: [Int: Cost] = [:]
  private var visibleSizes: [Int: PixelSize] = [:]
  private let derivations: [Int: [Int]]
  private let structure: HEIFStructure
  private let isCancelled: (@Sendable () -> Bool)?

  /// The cost of an image each time it is used in a derivation.
  private struct Cost {
    var pixels: Int
    /// Number of images in it, including itself.
    var parts: Int
    /// Levels of derivation below it.
    var height: Int
    /// The size in its box, cached.
    var size: PixelSize?
    /// The size that a decoder delivers; nil if it depends on transformations.
    var delivered: PixelSize?
  }

  /// A file with deeper derivations is not well-formed.
  private static let maximumDepth = 4
  /// Type names of auxiliary images that contain alpha.
  static let alphaTypes = [
    "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:mpeg:hevc:2015:auxid:1",
    "urn:mpeg:avc:2015:auxid:1",
  ]

  /// Inspects the primary image and all images it is derived from, each part once.
  init(
    _ structure: HEIFStructure, limits: ImageLimits, isCancelled: (@Sendable () -> Bool)? = nil
  ) throws(CodecError) {
    self.structure = structure
    used = HEIFDecodingLimits(limits: limits, fileSize: structure.bytes.count)
    self.isCancelled = isCancelled
    derivations = structure.references.filter { $0.type == "dimg" }.reduce(into: [:]) {
      $0[$1.from, default: []] += $1.to
    }
    guard let item = structure.item(structure.primary), let size = item.size else {
      throw .damaged("width or height of the primary image is missing or 0")
    }
    self.size = size
    profile = item.profile
    for case .color(let stated) in item.properties where color == nil { color = stated }
    for case .lightLevel(let level) in item.properties { brightest = Double(level) }
    _ = try inspect(item, isColor: true, depth: 0)
    let multiplied = Set(structure.targets(of: item.identifier, "prem"))
    for alpha in structure.sources(of: item.identifier, "auxl")
    where alpha.auxiliaryType.map(Self.alphaTypes.contains) == true {
      _ = try inspect(alpha, isColor: false, depth: 0)
      hasAlpha = true
      isPremultiplied = multiplied.contains(alpha.identifier)
    }
    try transform(item)
  }

  /// The dynamic range; nil if it is standard, or if a profile describes the colors.
  var dynamicRange: HighDynamicRange? {
    guard profile == nil, let color else { return nil }
    return HighDynamicRange(
      primariesCode: color.primaries, transferCode: color.transfer, brightest: brightest)
  }

  /// The items that a decoder needs.
  var usedItems: Set<Int> { Set(costs.keys) }

  /// Indicates whether a part is coded as HEVC.
  var hasHEVC: Bool {
    costs.keys.contains { ["hvc1", "hev1"].contains(structure.item($0)?.type) }
  }

  /// Indicates whether the image has luma only.
  var isMonochrome: Bool { chroma == .gray }

  /// Converts box damage to an error of the image.
  static func reading<T>(
    _ body: @autoclosure () throws(BoxError) -> T
  ) throws(CodecError) -> T {
    try translating({ CodecError.damaged($0.message) }, body)
  }

  /// Returns an upper bound of the memory for decoding; measured with libheif 1.15 and libde265
  /// 1.0.
  ///
  /// A coded picture is held as the decoder's frames and as planes of full size; in a grid, the
  /// former applies to four tiles at a time.
  func decodingBytes(bytesPerSample: Int) -> Int {
    let decoded = decodedBytes(bytesPerSample: bytesPerSample)
    return decoded * (isTransformed ? 2 : 1) + used.samplesInWork * bytesPerSample
  }

  /// Returns the memory of the decoded planes at most.
  func decodedBytes(bytesPerSample: Int) -> Int {
    let planes = (isMonochrome ? 1 : 3) + (hasAlpha ? 1 : 0)
    return codedCanvas.pixelCount * planes * bytesPerSample
  }

  private mutating func transform(_ item: HEIFItem) throws(CodecError) {
    codedCanvas = size
    for property in item.properties {
      let transformation: Orientation
      switch property {
      // The library returns the same planes if nothing is turned.
      case .rotation(let steps) where steps % 4 == 0: continue
      case .rotation(let steps): transformation = Orientation(clockwiseRotations: -steps)
      case .mirror(let isLeftRight): transformation = isLeftRight ? .upMirrored : .downMirrored
      case .aperture(let aperture):
        guard let cropped = aperture.applied(to: size) else {
          throw .damaged("clean aperture is outside the image of \(size)")
        }
        size = cropped
        isTransformed = true
        continue
      default: continue
      }
      isTransformed = true
      orientation = orientation.followed(by: transformation)
      size = transformation.applied(to: size)
    }
  }

  // MARK: Coded pictures

  /// Inspects an image and its parts; returns the number of derivation levels below it.
  ///
  /// A file can reference a part any number of times, also in nested parts; the known cost is then
  /// counted again, but nothing is read again.
  private mutating func inspect(_ item: HEIFItem, isColor: Bool, depth: Int) throws(CodecError)
    -> Int
  {
    if isCancelled?() == true { throw .cancelled }
    let cost = costs[item.identifier]
    guard depth + (cost?.height ?? 0) < Self.maximumDepth else {
      throw .damaged("image derivations are nested too deeply or cyclic")
    }
    try used.countParts(cost?.parts ?? 1)
    if let cost {
      try used.countPixels(cost.pixels)
      return cost.height
    }
    let before = used
    let height = try inspectOnce(item, isColor: isColor, depth: depth)
    costs[item.identifier] = Cost(
      pixels: used.pixels - before.pixels, parts: used.partCount - before.partCount + 1,
      height: height, size: item.size, delivered: delivered(item))
    return height
  }

  private mutating func inspectOnce(_ item: HEIFItem, isColor: Bool, depth: Int)
    throws(CodecError) -> Int
  {
    var height = 0
    guard let size = item.size, size.width > 0, size.height > 0 else {
      throw .damaged("width or height of item \(item.identifier) is missing or 0")
    }
    let sizes = item.properties.compactMap { if case .size(let size) = $0 { size } else { nil } }
    guard sizes.allSatisfy({ $0 == size }) else {
      throw .damaged("item \(item.identifier) has contradictory sizes")
    }
    try used.limits.check(size)
    switch item.type {
    case "hvc1", "hev1":
      record(try hevc(item, size), of: item, isColor: isColor)
    case "av01":
      record(try av1(item, size), of: item, isColor: isColor)
    case "grid":
      height = try inspectGrid(item, size, isColor: isColor, depth: depth)
    case "iovl", "iden":
      for target in derivations[item.identifier] ?? [] {
        let below = try inspect(try source(target), isColor: isColor, depth: depth + 1)
        height = max(height, below + 1)
      }
      guard item.type == "iovl" else { break }
      try checkCanvas(item, size)
      // Parts of any kind are composited on an RGB canvas.
      if isColor { chroma = nil }
    default:
      throw .unsupported("an HEIF image of type '\(item.type.characters)'")
    }
    guard !isColor || bitDepth > 0 else { throw .damaged("image contains no coded data") }
    return height
  }

  /// Returns the size of an inspected image as a decoder delivers it.
  private func delivered(_ item: HEIFItem) -> PixelSize? {
    if item.isTransformed { return nil }
    switch item.type {
    case "iden": return derivations[item.identifier]?.first.flatMap { costs[$0]?.delivered }
    case "grid", "iovl": return item.size
    default: return visibleSizes[item.identifier]
    }
  }

  private func source(_ identifier: Int) throws(CodecError) -> HEIFItem {
    guard let item = structure.item(identifier) else {
      throw .damaged("item \(identifier) is missing")
    }
    return item
  }

  private mutating func record(_ sequence: SequenceParameters, of item: HEIFItem, isColor: Bool) {
    visibleSizes[item.identifier] = sequence.visibleSize
    guard isColor, bitDepth == 0 else { return }
    bitDepth = sequence.bitDepth
    chroma = sequence.chroma
    // Some phones store the profile only in the tiles of a grid.
    if profile == nil, color == nil || color?.primaries == CodedColor.unspecified {
      profile = item.profile
    }
    if color == nil {
      for case .color(let stated) in item.properties where color == nil { color = stated }
    }
    guard let stated = color else {
      color = sequence.color
      return
    }
    // A box may leave values unspecified that the coded picture contains.
    guard let coded = sequence.color, stated.matrix == CodedColor.unspecified else { return }
    color?.matrix = coded.matrix
  }

  private mutating func inspectGrid(
    _ item: HEIFItem, _ size: PixelSize, isColor: Bool, depth: Int
  ) throws(CodecError) -> Int {
    let bytes = try content(item)
    let width = bytes.has([0], at: 0) && bytes.count > 1 && bytes[1] & 1 != 0 ? 4 : 2
    guard bytes.count >= 4 + 2 * width else { throw .damaged("grid is truncated") }
    let (rows, columns) = (Int(bytes[2]) + 1, Int(bytes[3]) + 1)
    let read = width == 4 ? bytes.unsigned32 : bytes.unsigned16
    let canvas = PixelSize(
      width: read(4, .big) ?? 0, height: read(4 + width, .big) ?? 0)
    guard canvas == size else {
      throw .damaged("grid has \(canvas) pixels, expected \(size)")
    }
    let tiles = derivations[item.identifier] ?? []
    guard tiles.count == rows * columns, let first = tiles.first else {
      throw .damaged("grid has \(tiles.count) tiles, expected \(rows * columns)")
    }
    let tile = try source(first).size ?? PixelSize(width: 0, height: 0)
    guard Self.covers(columns, tile.width, canvas.width),
      Self.covers(rows, tile.height, canvas.height)
    else { throw .damaged("\(columns)×\(rows) tiles of \(tile) do not cover \(canvas)") }
    var height = 0
    for identifier in tiles {
      let item = try source(identifier)
      let size = costs[identifier]?.size ?? item.size
      guard size == tile else { throw .damaged("grid tiles have different sizes") }
      let below = try inspect(item, isColor: isColor, depth: depth + 1)
      height = max(height, below + 1)
      // libheif copies a tile of another size as it is, and does not clear the rest of the image.
      guard let delivered = costs[identifier]?.delivered else {
        throw .unsupported(
          "an HEIF image with rotated, mirrored or cropped tiles, or with frames of other sizes")
      }
      guard delivered == tile else {
        throw .damaged("grid tile has \(delivered) pixels, expected \(tile)")
      }
    }
    return height
  }

  /// Returns whether adjacent tiles cover a side without any superfluous tile.
  private static func covers(_ count: Int, _ tile: Int, _ side: Int) -> Bool {
    tile > 0 && count * tile >= side && (count - 1) * tile < side
  }

  private mutating func checkCanvas(_ item: HEIFItem, _ size: PixelSize) throws(CodecError) {
    let bytes = try content(item)
    let isLong = bytes.count > 1 && bytes[1] & 1 != 0
    let width = isLong ? bytes.unsigned32(at: 10) : bytes.unsigned16(at: 10)
    let height = isLong ? bytes.unsigned32(at: 14) : bytes.unsigned16(at: 12)
    guard width == size.width, height == size.height else {
      throw .damaged("overlay canvas and image have different sizes")
    }
  }

  /// Returns the short payload of a derived image.
  private mutating func content(_ item: HEIFItem) throws(CodecError) -> [UInt8] {
    try countContent(of: item)
    let content = try Self.reading(structure.content(of: item, limit: 1 << 20))
    guard let content else { throw .damaged("image derivation data is too long") }
    return content
  }

  private mutating func countContent(of item: HEIFItem) throws(CodecError) {
    let ranges = try Self.reading(structure.ranges(of: item))
    for range in ranges { try used.countBytes(range.count) }
  }

  // MARK: Units

  private mutating func hevc(_ item: HEIFItem, _ size: PixelSize) throws(CodecError)
    -> SequenceParameters
  {
    guard let configuration = item.hevc else {
      throw .damaged("item \(item.identifier) has no decoder configuration")
    }
    var found: SequenceParameters?
    for unit in configuration.units {
      try used.countBytes(2 + unit.count)
      try record(structure.bytes[unit], size, into: &found)
    }
    try countContent(of: item)
    var images = 0
    try withContent(of: item) { (bytes) throws(CodecError) in
      var position = 0
      while position < bytes.count {
        let unit = try Self.unit(in: bytes, at: &position, lengthSize: configuration.lengthSize)
        try record(unit, size, into: &found)
        if HEVCSequence.startsImage(unit: unit) { images += 1 }
      }
    }
    guard images == 1 else {
      throw .damaged("item \(item.identifier) has \(images) coded pictures instead of one")
    }
    guard let found else {
      throw .damaged("item \(item.identifier) has no readable sequence parameters")
    }
    try used.check(found.size, size, found.chroma, isAV1: false)
    return found
  }

  private func record(
    _ unit: Slice<UnsafeRawBufferPointer>, _ size: PixelSize, into found: inout SequenceParameters?
  ) throws(CodecError) {
    guard HEVCSequence.isSequence(unit: unit) else { return }
    guard let sequence = HEVCSequence.sequence(unit: unit) else {
      throw .damaged("sequence parameters are unreadable")
    }
    guard found == nil || found == sequence else {
      throw .damaged("contradictory sequence parameters")
    }
    found = sequence
  }

  private static func unit(
    in bytes: UnsafeRawBufferPointer, at position: inout Int, lengthSize: Int
  ) throws(CodecError) -> Slice<UnsafeRawBufferPointer> {
    var reader = BoxReader(bytes, in: position..<bytes.count)
    do throws(BoxError) {
      let length = try reader.unsigned(lengthSize)
      let start = reader.position
      try reader.skip(length)
      position = reader.position
      return bytes[start..<position]
    } catch {
      throw .damaged("coded picture is truncated")
    }
  }

  private mutating func av1(_ item: HEIFItem, _ size: PixelSize) throws(CodecError)
    -> SequenceParameters
  {
    try countContent(of: item)
    var units = OBUParser()
    if let configuration = item.av1 {
      try used.countBytes(configuration.count)
      units.read(structure.bytes, in: configuration)
    }
    try withContent(of: item) { (bytes) throws(CodecError) in
      units.read(bytes, in: 0..<bytes.count)
    }
    guard let sequence = units.sequence else {
      throw .damaged("item \(item.identifier) has no readable sequence header")
    }
    guard !units.isContradictory else { throw .damaged("contradictory sequence headers") }
    // Layers of a progressive image are separate frames.
    guard (1...8).contains(units.frameCount) else {
      throw .damaged("item \(item.identifier) has \(units.frameCount) coded pictures")
    }
    try used.check(sequence.size, size, sequence.chroma, isAV1: true)
    return sequence
  }

  /// Passes the bytes of an item to a body as one buffer; copies them only if they are not
  /// contiguous.
  private func withContent(
    of item: HEIFItem, _ body: (UnsafeRawBufferPointer) throws(CodecError) -> Void
  ) throws(CodecError) {
    let ranges = try Self.reading(structure.ranges(of: item))
    if ranges.count == 1, let range = ranges.first {
      return try body(UnsafeRawBufferPointer(rebasing: structure.bytes[range]))
    }
    let content = try Self.reading(structure.content(of: item, limit: structure.bytes.count))
    guard let content else { throw .damaged("extents of an item overlap") }
    try content.withUnsafeBufferPointer { bytes throws(CodecError) in
      try body(UnsafeRawBufferPointer(bytes))
    }
  }
}

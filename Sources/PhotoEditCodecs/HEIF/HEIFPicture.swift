// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

/// The primary picture of an HEIF file: what a decoder is going to deliver, and what it costs.
///
/// Everything that a decoder reserves memory for is checked here: the sizes of the picture, of its
/// tiles and of its alpha, and those that the coded pictures themselves ask for.
///
/// - Source: ISO/IEC 23008-12:2022, 6.6.2 (derived pictures); MIAF, ISO/IEC 23000-22:2019, 7.3.6.
struct HEIFPicture {
  /// Upright and cropped.
  private(set) var size: PixelSize
  /// The transformations of the file as one turn.
  private(set) var orientation = Orientation.up
  private(set) var bitDepth = 0
  /// Nil when the picture is put together in a way that leaves it to the library.
  private(set) var chroma: ChromaFormat?
  private(set) var hasAlpha = false
  /// Whether colours are multiplied by alpha in the file.
  private(set) var isPremultiplied = false
  /// What the file says of the colours: in a box first, in the coded picture otherwise.
  private(set) var color: CodedColor?
  /// The ICC profile's place in the file: the picture's own one, or that of the first coded picture
  /// that it is made of when the picture itself says nothing of its colors.
  private(set) var profile: Range<Int>?

  private var codedPixels = 0
  /// The largest coded picture, which is a tile of a grid.
  private var largestCoded = 0
  /// Whether the picture is turned or cut after it was decoded.
  private var isTransformed = false
  private var codedCanvas = PixelSize(width: 0, height: 0)
  private var partCount = 0
  private var walkedBytes = 0
  private var costs: [Int: Cost] = [:]
  private let derivations: [Int: [Int]]
  private let structure: HEIFStructure
  private let limits: ImageLimits
  private let isCancelled: (@Sendable () -> Bool)?

  /// What a picture costs each time that something is made of it.
  private struct Cost {
    var pixels: Int
    /// Pictures that it is made of, with itself.
    var parts: Int
    /// Derivations below it.
    var height: Int
    /// What its box says, which need not be looked for again.
    var size: PixelSize?
  }

  /// Deeper derivations of derivations are no honest file.
  private static let maximumDepth = 4
  /// The largest grid, and the picture that it makes up.
  private static let maximumPartCount = 65_536 + 1
  /// How much larger than its picture a coded picture may be, for whole coding blocks.
  private static let maximumPadding = 128
  /// Names of the use of a picture as the alpha of another.
  static let alphaTypes = [
    "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:mpeg:hevc:2015:auxid:1",
    "urn:mpeg:avc:2015:auxid:1",
  ]

  /// Looks at the primary picture and everything it is made of, at each part once.
  init(
    _ structure: HEIFStructure, limits: ImageLimits, isCancelled: (@Sendable () -> Bool)? = nil
  ) throws(CodecError) {
    self.structure = structure
    self.limits = limits
    self.isCancelled = isCancelled
    derivations = structure.references.filter { $0.type == "dimg" }.reduce(into: [:]) {
      $0[$1.from, default: []] += $1.to
    }
    guard let item = structure.item(structure.primary), let size = item.size else {
      throw Self.damaged("the primary picture has no size")
    }
    self.size = size
    profile = item.profile
    for case .color(let stated) in item.properties where color == nil { color = stated }
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

  /// Whether there is brightness alone.
  var isMonochrome: Bool { chroma == .gray }

  static func damaged(_ message: String) -> CodecError {
    .damaged(message: message, realRows: nil, rows: nil)
  }

  /// Turns damage of boxes into an error of the picture.
  static func reading<T>(_ body: () throws(BoxDamage) -> T) throws(CodecError) -> T {
    do throws(BoxDamage) { return try body() } catch { throw damaged(error.message) }
  }

  /// Bytes that decoding takes, at most; measured with libheif 1.15 and libde265 1.0.
  ///
  /// A coded picture is there as the decoder's frames, as a copy of them, and as planes of full
  /// size; of a grid, four tiles at a time are.
  func decodingBytes(bytesPerSample: Int) -> Int {
    let planes = (isMonochrome ? 1 : 3) + (hasAlpha ? 1 : 0)
    let canvas = codedCanvas.pixelCount * planes * (isTransformed ? 2 : 1)
    let inWork = largestCoded * Self.bytesPerCodedPixel * (partCount > 1 ? 4 : 1)
    return (canvas + min(inWork, codedPixels * Self.bytesPerCodedPixel)) * bytesPerSample
  }

  private static let bytesPerCodedPixel = 8

  private mutating func transform(_ item: HEIFItem) throws(CodecError) {
    codedCanvas = size
    for property in item.properties {
      let turn: Orientation
      switch property {
      case .rotation(let quarterTurns): turn = Orientation(quarterTurns: -quarterTurns)
      case .mirror(let isLeftRight): turn = isLeftRight ? .upMirrored : .downMirrored
      case .aperture(let aperture):
        guard let cropped = aperture.applied(to: size) else {
          throw Self.damaged("the clean aperture does not lie in the picture of \(size)")
        }
        size = cropped
        isTransformed = true
        continue
      default: continue
      }
      isTransformed = true
      orientation = orientation.followed(by: turn)
      size = turn.applied(to: size)
    }
  }

  // MARK: What is coded

  /// Looks at a picture and what it is made of; returns how many derivations are below it.
  ///
  /// A file can name a part as often as it likes, and parts of parts; what is known of it counts
  /// once more then, and nothing is read again.
  private mutating func inspect(_ item: HEIFItem, isColor: Bool, depth: Int) throws(CodecError)
    -> Int
  {
    if isCancelled?() == true { throw .cancelled }
    let known = costs[item.identifier]
    guard depth + (known?.height ?? 0) < Self.maximumDepth else {
      throw Self.damaged("pictures are derived from each other without an end")
    }
    try countParts(known?.parts ?? 1)
    if let known {
      try countPixels(known.pixels)
      return known.height
    }
    let before = (pixels: codedPixels, parts: partCount - 1)
    let height = try inspectOnce(item, isColor: isColor, depth: depth)
    costs[item.identifier] = Cost(
      pixels: codedPixels - before.pixels, parts: partCount - before.parts, height: height,
      size: item.size)
    return height
  }

  private mutating func inspectOnce(_ item: HEIFItem, isColor: Bool, depth: Int)
    throws(CodecError) -> Int
  {
    var height = 0
    guard let size = item.size, size.width > 0, size.height > 0 else {
      throw Self.damaged("item \(item.identifier) has no size")
    }
    try limits.check(size)
    switch item.type {
    case "hvc1", "hev1":
      take(try hevc(item, size), of: item, isColor: isColor)
    case "av01":
      take(try av1(item, size), of: item, isColor: isColor)
    case "grid":
      height = try inspectGrid(item, size, isColor: isColor, depth: depth)
    case "iovl", "iden":
      for target in derivations[item.identifier] ?? [] {
        let below = try inspect(try source(target), isColor: isColor, depth: depth + 1)
        height = max(height, below + 1)
      }
      guard item.type == "iovl" else { break }
      try checkCanvas(item, size)
      // Parts of any kind are painted on a canvas of red, green and blue.
      if isColor { chroma = nil }
    default:
      throw .unsupported("an HEIF image of the kind '\(item.type.characters)'")
    }
    guard !isColor || bitDepth > 0 else { throw Self.damaged("nothing is coded in the picture") }
    return height
  }

  private func source(_ identifier: Int) throws(CodecError) -> HEIFItem {
    guard let item = structure.item(identifier) else {
      throw Self.damaged("item \(identifier) is missing")
    }
    return item
  }

  private mutating func take(_ sequence: CodedSequence, of item: HEIFItem, isColor: Bool) {
    guard isColor, bitDepth == 0 else { return }
    bitDepth = sequence.bitDepth
    chroma = sequence.chroma
    // Some phones put the profile at the tiles of a grid alone.
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
    // A box may leave open what the coded picture knows.
    guard let coded = sequence.color, stated.matrix == CodedColor.unspecified else { return }
    color?.matrix = coded.matrix
  }

  private mutating func inspectGrid(
    _ item: HEIFItem, _ size: PixelSize, isColor: Bool, depth: Int
  ) throws(CodecError) -> Int {
    let bytes = try content(item)
    let width = bytes.has([0], at: 0) && bytes.count > 1 && bytes[1] & 1 != 0 ? 4 : 2
    guard bytes.count >= 4 + 2 * width else { throw Self.damaged("the grid is cut off") }
    let (rows, columns) = (Int(bytes[2]) + 1, Int(bytes[3]) + 1)
    let read = width == 4 ? bytes.unsigned32 : bytes.unsigned16
    let canvas = PixelSize(
      width: read(4, .big) ?? 0, height: read(4 + width, .big) ?? 0)
    guard canvas == size else {
      throw Self.damaged("the grid has \(canvas) pixels, the picture \(size)")
    }
    let tiles = derivations[item.identifier] ?? []
    guard tiles.count == rows * columns, let first = tiles.first else {
      throw Self.damaged("the grid has \(tiles.count) tiles, \(rows * columns) are needed")
    }
    let tile = try source(first).size ?? PixelSize(width: 0, height: 0)
    guard Self.covers(columns, tile.width, canvas.width),
      Self.covers(rows, tile.height, canvas.height)
    else { throw Self.damaged("\(columns)×\(rows) tiles of \(tile) do not make up \(canvas)") }
    var height = 0
    for identifier in tiles {
      let item = try source(identifier)
      let size = costs[identifier]?.size ?? item.size
      guard size == tile else { throw Self.damaged("the tiles of the grid differ in size") }
      let below = try inspect(item, isColor: isColor, depth: depth + 1)
      height = max(height, below + 1)
    }
    return height
  }

  /// Whether tiles beside each other fill a side, none of them in vain.
  private static func covers(_ count: Int, _ tile: Int, _ side: Int) -> Bool {
    tile > 0 && count * tile >= side && (count - 1) * tile < side
  }

  private mutating func checkCanvas(_ item: HEIFItem, _ size: PixelSize) throws(CodecError) {
    let bytes = try content(item)
    let isLong = bytes.count > 1 && bytes[1] & 1 != 0
    let width = isLong ? bytes.unsigned32(at: 10) : bytes.unsigned16(at: 10)
    let height = isLong ? bytes.unsigned32(at: 14) : bytes.unsigned16(at: 12)
    guard width == size.width, height == size.height else {
      throw Self.damaged("the canvas of an overlay has another size than the picture")
    }
  }

  /// The few bytes of a derivation.
  private mutating func content(_ item: HEIFItem) throws(CodecError) -> [UInt8] {
    try countContent(of: item)
    let content = try Self.reading { () throws(BoxDamage) in
      try structure.content(of: item, limit: 1 << 20)
    }
    guard let content else { throw Self.damaged("the derivation of a picture is too long") }
    return content
  }

  /// Counts what is decoded, and refuses a coded picture that is not as large as the file says.
  private mutating func check(_ coded: PixelSize, _ size: PixelSize) throws(CodecError) {
    guard coded.width <= size.width + Self.maximumPadding,
      coded.height <= size.height + Self.maximumPadding
    else { throw Self.damaged("a coded picture has \(coded) pixels, the file says \(size)") }
    largestCoded = max(largestCoded, coded.pixelCount)
    // Tiles of a thumbnail are padded to several times their size, so small pictures have a floor.
    try countPixels(coded.pixelCount)
  }

  private mutating func countPixels(_ count: Int) throws(CodecError) {
    codedPixels += count
    let (allowed, overflows) = limits.maximumPixels.multipliedReportingOverflow(by: 4)
    guard overflows || codedPixels <= max(allowed, 1 << 24) else {
      throw .limitExceeded(.pixels, value: codedPixels, allowed: limits.maximumPixels)
    }
  }

  private mutating func countParts(_ count: Int) throws(CodecError) {
    partCount += count
    guard partCount <= Self.maximumPartCount else {
      throw .unsupported(
        "an HEIF image of \(partCount) parts or more, where \(Self.maximumPartCount) are allowed")
    }
  }

  /// Counts what is read of coded pictures, and refuses items that lie over each other.
  ///
  /// Every honest byte belongs to one picture; parameters that all tiles share are small.
  private mutating func countBytes(_ count: Int) throws(CodecError) {
    walkedBytes += count
    guard walkedBytes <= max(4 * structure.bytes.count, 1 << 24) else {
      throw Self.damaged("the coded pictures are larger than the file")
    }
  }

  private mutating func countContent(of item: HEIFItem) throws(CodecError) {
    let ranges = try Self.reading { () throws(BoxDamage) in try structure.ranges(of: item) }
    for range in ranges { try countBytes(range.count) }
  }

  // MARK: Units

  private mutating func hevc(_ item: HEIFItem, _ size: PixelSize) throws(CodecError)
    -> CodedSequence
  {
    guard let configuration = item.hevc else {
      throw Self.damaged("item \(item.identifier) has no decoder configuration")
    }
    var found: CodedSequence?
    for unit in configuration.units {
      try countBytes(2 + unit.count)
      try take(structure.bytes[unit], size, into: &found)
    }
    try countContent(of: item)
    var pictures = 0
    try withContent(of: item) { (bytes) throws(CodecError) in
      var position = 0
      while position < bytes.count {
        let unit = try Self.unit(in: bytes, at: &position, lengthSize: configuration.lengthSize)
        try take(unit, size, into: &found)
        if HEVCSequence.beginsPicture(unit: unit) { pictures += 1 }
      }
    }
    guard pictures == 1 else {
      throw Self.damaged("item \(item.identifier) has \(pictures) coded pictures instead of one")
    }
    guard let found else {
      throw Self.damaged("item \(item.identifier) has no readable sequence parameters")
    }
    try check(found.size, size)
    return found
  }

  private func take(
    _ unit: Slice<UnsafeRawBufferPointer>, _ size: PixelSize, into found: inout CodedSequence?
  ) throws(CodecError) {
    guard HEVCSequence.isSequence(unit: unit) else { return }
    guard let sequence = HEVCSequence.sequence(unit: unit) else {
      throw Self.damaged("the sequence parameters are not readable")
    }
    guard found == nil || found?.size == sequence.size else {
      throw Self.damaged("the sequence parameters contradict each other")
    }
    found = found ?? sequence
  }

  private static func unit(
    in bytes: UnsafeRawBufferPointer, at position: inout Int, lengthSize: Int
  ) throws(CodecError) -> Slice<UnsafeRawBufferPointer> {
    var reader = BoxReader(bytes, in: position..<bytes.count)
    do throws(BoxDamage) {
      let length = try reader.unsigned(lengthSize)
      let start = reader.position
      try reader.skip(length)
      position = reader.position
      return bytes[start..<position]
    } catch {
      throw damaged("the coded picture is cut off")
    }
  }

  private mutating func av1(_ item: HEIFItem, _ size: PixelSize) throws(CodecError)
    -> CodedSequence
  {
    try countContent(of: item)
    var units: AV1Units?
    try withContent(of: item) { (bytes) throws(CodecError) in
      units = AV1Units(bytes, in: 0..<bytes.count)
    }
    if let units = item.av1 { try countBytes(units.count) }
    let configured = item.av1.map { AV1Units(structure.bytes, in: $0) }
    guard let units, let sequence = units.sequence ?? configured?.sequence else {
      throw Self.damaged("item \(item.identifier) has no readable sequence header")
    }
    // Layers of a progressive picture are frames of their own.
    guard (1...8).contains(units.frameCount) else {
      throw Self.damaged("item \(item.identifier) has \(units.frameCount) coded pictures")
    }
    for largest in [units.largest, configured?.largest].compactMap({ $0 }) {
      try check(largest, size)
    }
    return sequence
  }

  /// Gives the bytes of an item in one piece, copied only when they are not.
  private func withContent(
    of item: HEIFItem, _ body: (UnsafeRawBufferPointer) throws(CodecError) -> Void
  ) throws(CodecError) {
    let ranges = try Self.reading { () throws(BoxDamage) in try structure.ranges(of: item) }
    if ranges.count == 1, let range = ranges.first {
      return try body(UnsafeRawBufferPointer(rebasing: structure.bytes[range]))
    }
    let content = try Self.reading { () throws(BoxDamage) in
      try structure.content(of: item, limit: structure.bytes.count)
    }
    guard let content else { throw Self.damaged("the pieces of an item lie over each other") }
    let result = content.withUnsafeBytes { bytes -> Result<Void, CodecError> in
      do throws(CodecError) { return .success(try body(bytes)) } catch { return .failure(error) }
    }
    try result.get()
  }
}

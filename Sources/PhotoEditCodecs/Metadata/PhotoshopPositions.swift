// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

/// Photoshop resources with positions or directions in the image, and their values in a rendering.
///
/// - Source: Adobe Photoshop File Formats Specification, "Image Resource IDs", "Path resource
///   format", "Grid and guides resource format".
enum PhotoshopPositions: String {
  case paths, guides
  case webAreas = "slices"
  case resolution
  case pixelShape = "pixel aspect ratio"
  case marks = "color samplers and counted points"

  /// The kind of a resource; nil if it has no positions.
  init?(_ id: Int) {
    switch id {
    case 1025, 2000...2997: self = .paths
    case 1032: self = .guides
    case 1050: self = .webAreas
    case 1005: self = .resolution
    case 1064: self = .pixelShape
    case 1038, 1073, 1080: self = .marks
    default: return nil
    }
  }

  /// Returns whether the resource describes the rendering as it is.
  func isKept(_ facts: RenderedImageProperties) -> Bool {
    switch self {
    case .resolution, .pixelShape: !facts.exchangesResolutions
    default: facts.geometry?.isIdentity == true
    }
  }

  /// Returns the content for the rendering; nil if that is unknown.
  func moved(_ bytes: [UInt8], _ facts: RenderedImageProperties) -> [UInt8]? {
    guard let geometry = facts.geometry else { return nil }
    return switch self {
    case .paths: Self.paths(bytes, geometry)
    case .guides: Self.guides(bytes, geometry, facts)
    case .webAreas, .marks: nil
    case .resolution: Self.resolution(bytes)
    case .pixelShape: Self.pixelShape(bytes)
    }
  }

  /// Returns whether the resource states nothing but the whole image, as Photoshop writes it into
  /// each file: one slice that spans it.
  func isOfWholeImage(_ bytes: [UInt8]) -> Bool {
    guard self == .webAreas else { return false }
    func number(_ offset: Int) -> Int? { bytes.unsigned32(at: offset) }
    if number(0) == 6, let name = number(20), name <= bytes.count {
      let count = 24 + 2 * name
      // Number, group and origin; of a slice with a layer, its number; the name; the type.
      let layer = number(count + 12) == 1 ? 4 : 0
      guard number(count) == 1, let ownName = number(count + 16 + layer), ownName <= bytes.count
      else { return false }
      let area = count + 20 + layer + 2 * ownName + 4
      // The area of all is stored as top, left, bottom, right; that of a slice begins with left.
      let whole = [number(8), number(4), number(16), number(12)]
      return !whole.contains(nil) && whole == (0..<4).map { number(area + 4 * $0) }
    }
    // Later versions have an object with the same members.
    let list = Array("slicesVlLs".utf8)
    guard number(0) == 7 || number(0) == 8, let start = bytes.firstOffset(of: list),
      number(start + list.count) == 1
    else { return false }
    let areas = ["Top ", "Left", "Btom", "Rght"].map { side -> [Int?] in
      let member = Array("\(side)long".utf8)
      let first = bytes.firstOffset(of: member)
      let second = first.flatMap { bytes.firstOffset(of: member, from: $0 + 1) }
      return [first, second].map { offset in offset.flatMap { number($0 + member.count) } }
    }
    return areas.allSatisfy { $0[0] != nil && $0[0] == $0[1] }
  }

  /// Moves the points of Bézier curves: three for each knot, each as y and x in parts of the image
  /// with 24 bits after the point.
  private static func paths(_ bytes: [UInt8], _ geometry: RenderingGeometry) -> [UInt8]? {
    let recordCount = 26
    guard bytes.count % recordCount == 0 else { return nil }
    let one = Double(1 << 24)
    var result = bytes
    for record in stride(from: 0, to: bytes.count, by: recordCount) {
      // Other records have lengths and rules of filling.
      guard [1, 2, 4, 5].contains(bytes.unsigned16(at: record)) else { continue }
      for point in stride(from: record + 2, to: record + recordCount, by: 8) {
        guard let y = bytes.unsigned32(at: point), let x = bytes.unsigned32(at: point + 4) else {
          return nil
        }
        let moved = geometry.point(
          Double(Int32(truncatingIfNeeded: x)) / one, Double(Int32(truncatingIfNeeded: y)) / one)
        for (offset, value) in [(point, moved.y), (point + 4, moved.x)] {
          guard let number = Int32(exactly: (value * one).rounded()) else { return nil }
          result.store32(Int(number), at: offset)
        }
      }
    }
    return result
  }

  /// Moves guides, which are in 32nds of a pixel; those outside are removed.
  private static func guides(
    _ bytes: [UInt8], _ geometry: RenderingGeometry, _ facts: RenderedImageProperties
  ) -> [UInt8]? {
    guard geometry.keepsLinesStraight, let stored = facts.storedSize,
      let count = bytes.unsigned32(at: 12), count <= (bytes.count - 16) / 5
    else { return nil }
    var guides: [UInt8] = []
    for start in stride(from: 16, to: 16 + 5 * count, by: 5) {
      guard let raw = bytes.unsigned32(at: start) else { return nil }
      let isVertical = bytes[start + 4] == 0
      let position = Double(Int32(truncatingIfNeeded: raw)) / 32
      let point = geometry.point(
        isVertical ? position / Double(stored.width) : 0,
        isVertical ? 0 : position / Double(stored.height))
      let becomesVertical = isVertical != geometry.swapsAxes
      let place =
        becomesVertical
        ? point.x * Double(facts.size.width) : point.y * Double(facts.size.height)
      guard place >= 0, place <= Double(becomesVertical ? facts.size.width : facts.size.height),
        let number = Int32(exactly: (place * 32).rounded())
      else { continue }
      var guide: [UInt8] = [0, 0, 0, 0, becomesVertical ? 0 : 1]
      guide.store32(Int(number), at: 0)
      guides += guide
    }
    var head = Array(bytes[..<16])
    head.store32(guides.count / 5, at: 12)
    return head + guides
  }

  /// Exchanges horizontal and vertical resolution, each with its units.
  private static func resolution(_ bytes: [UInt8]) -> [UInt8]? {
    bytes.count == 16 ? Array(bytes[8...] + bytes[..<8]) : nil
  }

  /// Inverts the ratio of a pixel's width to its height.
  private static func pixelShape(_ bytes: [UInt8]) -> [UInt8]? {
    guard bytes.count == 12 else { return nil }
    let bits = bytes[4...].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let ratio = Double(bitPattern: bits)
    guard ratio.isFinite, ratio > 0 else { return nil }
    let inverse = (1 / ratio).bitPattern
    return bytes[..<4] + (0..<8).map { UInt8(truncatingIfNeeded: inverse >> (56 - 8 * $0)) }
  }
}

// SPDX-License-Identifier: Apache-2.0
package import PhotoEditPixels

/// A rectangle that a file marks in its photo, such as a face, with the name of what it shows.
///
/// - Source: MWG Guidelines for Handling Image Metadata 2.0, 5.9; Microsoft's people tagging schema
///   (MPReg:Rectangle).
package struct PhotoRegion: Hashable, Sendable {
  /// The kinds of regions.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    case face = "Face"
    case pet = "Pet"
    case focus = "Focus"
    case barCode = "BarCode"
  }

  package var kind: Kind
  package var name: String?
  /// The center, from the left and the top, in parts of the width and the height.
  package var x: Double
  package var y: Double
  /// The size, in parts of the width and the height.
  package var width: Double
  package var height: Double

  /// Creates a region.
  package init(
    kind: Kind, name: String?, x: Double, y: Double, width: Double, height: Double
  ) {
    (self.kind, self.name) = (kind, name)
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }

  /// Returns the region of the displayed image for one of the stored image.
  package func displayed(_ orientation: Orientation) -> PhotoRegion {
    let matrix = orientation.matrix
    let (dx, dy) = (x - 0.5, y - 0.5)
    var region = self
    // The matrix maps displayed to stored coordinates, so its transpose is applied.
    region.x = 0.5 + Double(matrix.xx) * dx + Double(matrix.yx) * dy
    region.y = 0.5 + Double(matrix.xy) * dx + Double(matrix.yy) * dy
    if orientation.swapsAxes { (region.width, region.height) = (height, width) }
    return region
  }
}

/// The regions of a file, in parts of the stored image, and the size for which they were written.
package struct PhotoRegions: Hashable, Sendable {
  package private(set) var regions: [PhotoRegion] = []
  /// The width and the height of the image for which the regions were written; nil if not stated.
  private var appliedWidth: Double?
  private var appliedHeight: Double?

  /// The maximum number of regions read from one file.
  package static let maximumCount = 1000

  /// Creates an empty list.
  package init() {}

  /// Reads the regions of a packet; those of Microsoft only if there are no others.
  init(_ packet: XMPPacket) {
    for property in packet.scan.properties where property.form == .structure {
      if property.isNamed(.regions, "Regions") { readGroup(packet, property) }
    }
    guard regions.isEmpty else { return }
    for property in packet.scan.properties where property.form == .structure {
      if property.isNamed(.microsoftPhoto, "RegionInfo") { readRectangles(packet, property) }
    }
  }

  /// Returns the regions of the displayed image; nil if they do not fit an image of this size.
  ///
  /// - Parameters:
  ///   - size: The size of the displayed image.
  ///   - orientation: The orientation of the file.
  package func displayed(_ size: PixelSize, _ orientation: Orientation) -> [PhotoRegion]? {
    guard size.width > 0, size.height > 0 else { return nil }
    let (width, height) =
      orientation.swapsAxes ? (size.height, size.width) : (size.width, size.height)
    if let appliedWidth, let appliedHeight {
      let ratio = (appliedWidth * Double(height)) / (appliedHeight * Double(width))
      // Sides of reduced images are rounded to whole pixels.
      guard abs(ratio - 1) <= 0.01 else { return nil }
    }
    return regions.map { $0.displayed(orientation) }
  }

  private mutating func readGroup(_ packet: XMPPacket, _ property: XMPProperty) {
    guard let tree = XMPTree(packet.bytes, property.whole),
      let list = tree.first("RegionList", in: 0)
    else { return }
    if let dimensions = tree.first("AppliedToDimensions", in: 0),
      let width = tree.number("w", in: dimensions), width >= 1,
      let height = tree.number("h", in: dimensions), height >= 1
    {
      (appliedWidth, appliedHeight) = (width, height)
    }
    for item in tree.items(in: list) {
      guard let kind = PhotoRegion.Kind(rawValue: tree.text("Type", in: item) ?? "Face"),
        let area = tree.first("Area", in: item),
        tree.text("unit", in: area) ?? "normalized" == "normalized",
        let x = tree.number("x", in: area), let y = tree.number("y", in: area)
      else { continue }
      let diameter = tree.number("d", in: area)
      add(
        kind, tree.text("Name", in: item), x, y, tree.number("w", in: area) ?? diameter ?? 0,
        tree.number("h", in: area) ?? diameter ?? 0)
    }
  }

  private mutating func readRectangles(_ packet: XMPPacket, _ property: XMPProperty) {
    guard let tree = XMPTree(packet.bytes, property.whole) else { return }
    for item in tree.items(in: 0) {
      let numbers = (tree.text("Rectangle", in: item) ?? "")
        .split(separator: ",", omittingEmptySubsequences: false)
        .compactMap { XMPText.number(String($0)) }
      guard numbers.count == 4 else { continue }
      add(
        .face, tree.text("PersonDisplayName", in: item), numbers[0] + numbers[2] / 2,
        numbers[1] + numbers[3] / 2, numbers[2], numbers[3])
    }
  }

  private mutating func add(
    _ kind: PhotoRegion.Kind, _ name: String?, _ x: Double, _ y: Double, _ width: Double,
    _ height: Double
  ) {
    guard regions.count < Self.maximumCount, (0...1).contains(x), (0...1).contains(y),
      (0...1).contains(width), (0...1).contains(height)
    else { return }
    regions.append(
      PhotoRegion(
        kind: kind, name: name.flatMap { PhotoTags.name($0) }, x: x, y: y, width: width,
        height: height))
  }
}

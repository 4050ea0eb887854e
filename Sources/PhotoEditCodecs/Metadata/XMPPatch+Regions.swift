// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

extension XMPPatch {
  /// The error for regions that cannot be transformed.
  private struct Unreadable: Error {}

  /// Transforms regions of faces and other objects to match the edit.
  ///
  /// Regions with a center outside the rendering are removed.
  ///
  /// - Source: MWG Guidelines for Handling Image Metadata 2.0, 5.9; Microsoft's people tagging
  ///   schema (MPReg:Rectangle).
  func regionEdits() -> (edits: [Edit], losses: [MetadataLoss]) {
    guard !keepsPositions, !facts.strip.contains(.people) else { return ([], []) }
    var edits: [Edit] = []
    var isLost = false
    for property in packet.scan.properties {
      let isGroup = property.isNamed(.regions, "Regions")
      guard isGroup || property.isNamed(.microsoftPhoto, "RegionInfo"), property.form == .structure
      else { continue }
      do throws(Unreadable) {
        guard let geometry = facts.geometry, let tree = XMPTree(packet.bytes, property.whole)
        else { throw Unreadable() }
        edits +=
          isGroup
          ? try groupEdits(tree, geometry) : try rectangleEdits(tree, geometry, property.whole)
      } catch {
        edits.append(removal(of: property.whole))
        isLost = true
      }
    }
    let loss = MetadataLoss(
      .regions, "Regions (faces) cannot be transformed with this edit and are left out.")
    return (edits, isLost ? [loss] : [])
  }

  // MARK: Metadata Working Group

  private func groupEdits(
    _ tree: XMPTree, _ geometry: RenderingGeometry
  ) throws(Unreadable) -> [Edit] {
    var edits: [Edit] = []
    var source: (width: Double, height: Double)?
    if let dimensions = tree.first("AppliedToDimensions", in: 0) {
      guard let width = tree.number("w", in: dimensions), width >= 1,
        let height = tree.number("h", in: dimensions), height >= 1
      else { throw Unreadable() }
      source = (width, height)
      for (name, side) in [("w", facts.size.width), ("h", facts.size.height)] {
        if let range = tree.field(name, in: dimensions) { edits.append(edit(range, "\(side)")) }
      }
    }
    guard let list = tree.first("RegionList", in: 0) else { return edits }
    let items = tree.items(in: list)
    var keptCount = 0
    for item in items {
      if let changes = try areaEdits(tree, item, geometry, source) {
        edits += changes
        keptCount += 1
      } else {
        edits.append(removal(of: tree.nodes[item].whole))
      }
    }
    // A list that was empty from the start is kept: it states that there are no regions.
    return keptCount == 0 && !items.isEmpty ? [removal(of: tree.nodes[0].whole)] : edits
  }

  /// Returns the edits of one region; nil if it is to be removed.
  private func areaEdits(
    _ tree: XMPTree, _ item: Int, _ geometry: RenderingGeometry,
    _ source: (width: Double, height: Double)?
  ) throws(Unreadable) -> [Edit]? {
    guard let area = tree.first("Area", in: item) else { return [] }
    guard let x = tree.number("x", in: area), let y = tree.number("y", in: area),
      tree.text("unit", in: area) ?? "normalized" == "normalized"
    else { throw Unreadable() }
    let size = (tree.number("w", in: area) ?? 0, tree.number("h", in: area) ?? 0)
    guard let moved = moved(x, y, size.0, size.1, geometry) else { return nil }
    var values = [("x", moved.x), ("y", moved.y)]
    if tree.field("w", in: area) != nil { values.append(("w", moved.width)) }
    if tree.field("h", in: area) != nil { values.append(("h", moved.height)) }
    if let diameter = tree.number("d", in: area) {
      // A diameter is relative to the shorter side of the image.
      guard let source else { throw Unreadable() }
      let (width, height) = (Double(facts.size.width), Double(facts.size.height))
      let determinant = abs(geometry.xx * geometry.yy - geometry.xy * geometry.yx)
      let scale = (determinant * width * height / (source.width * source.height)).squareRoot()
      let shorter = min(source.width, source.height) / min(width, height)
      values.append(("d", diameter * scale * shorter))
    }
    var edits: [Edit] = []
    for (name, value) in values {
      guard value.isFinite, abs(value) <= 1e6 else { throw Unreadable() }
      if let range = tree.field(name, in: area) {
        edits.append(edit(range, XMPText.decimal(value)))
      }
    }
    return edits
  }

  // MARK: Microsoft

  private func rectangleEdits(
    _ tree: XMPTree, _ geometry: RenderingGeometry, _ whole: Range<Int>
  ) throws(Unreadable) -> [Edit] {
    let items = tree.items(in: 0)
    var edits: [Edit] = []
    var keptCount = 0
    for item in items {
      guard let range = tree.field("Rectangle", in: item),
        let text = tree.text("Rectangle", in: item)
      else {
        keptCount += 1
        continue
      }
      let components = text.split(separator: ",", omittingEmptySubsequences: false)
      let numbers = components.compactMap { XMPText.number(String($0)) }
      guard components.count == 4, numbers.count == 4 else { throw Unreadable() }
      let (width, height) = (numbers[2], numbers[3])
      if let moved = moved(
        numbers[0] + width / 2, numbers[1] + height / 2, width, height, geometry)
      {
        let values = [
          moved.x - moved.width / 2, moved.y - moved.height / 2, moved.width, moved.height,
        ]
        edits.append(edit(range, values.map { XMPText.decimal($0) }.joined(separator: ", ")))
        keptCount += 1
      } else {
        edits.append(removal(of: tree.nodes[item].whole))
      }
    }
    return keptCount == 0 && !items.isEmpty ? [removal(of: whole)] : edits
  }

  /// Returns a rectangle, given by its center, in the rendering and clipped to its edges; nil if
  /// the center is outside.
  private func moved(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ map: RenderingGeometry
  ) -> (x: Double, y: Double, width: Double, height: Double)? {
    let (cx, cy) = (map.xx * x + map.xy * y + map.x0, map.yx * x + map.yy * y + map.y0)
    guard (0...1).contains(cx), (0...1).contains(cy) else { return nil }
    let w = abs(map.xx * width) + abs(map.xy * height)
    let h = abs(map.yx * width) + abs(map.yy * height)
    let (left, right) = (max(0, cx - w / 2), min(1, cx + w / 2))
    let (top, bottom) = (max(0, cy - h / 2), min(1, cy + h / 2))
    return ((left + right) / 2, (top + bottom) / 2, right - left, bottom - top)
  }

  private func edit(_ range: Range<Int>, _ text: String) -> Edit {
    Edit(range: range, text: Array(text.utf8))
  }
}

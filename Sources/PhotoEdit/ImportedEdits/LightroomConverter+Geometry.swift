// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditPlatform

extension LightroomConverter {
  private static let edges = ["CropLeft", "CropTop", "CropRight", "CropBottom"]

  /// Translates rotation, straightening, and crop.
  ///
  /// Lightroom specifies the crop as fractions of the stored image, before tiff:Orientation is
  /// applied. The top left and bottom right corners are points of the image before straightening; a
  /// positive CropAngle rotates the image counterclockwise.
  mutating func translateGeometry() {
    let orientation = readOrientation()
    let orientedSize = orientation.applied(to: storedSize)
    guard Self.edges.contains(where: isActive) || isActive("CropAngle") else { return }
    let stored = storedSize
    let (w, h) = (Double(stored.width), Double(stored.height))
    let shares = zip(Self.edges, [0.0, 0, 1, 1]).map { name, identity in
      number(name, in: 0...1) ?? identity
    }
    let angle = number("CropAngle", in: -45...45) ?? 0
    /// Returns a point of the image after the rotation about its center.
    func rotated(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
      let (s, c) = (sin(angle * .pi / 180), cos(angle * .pi / 180))
      let (dx, dy) = (x * w - w / 2, y * h - h / 2)
      return (w / 2 + c * dx + s * dy, h / 2 - s * dx + c * dy)
    }
    let (a, b) = (rotated(shares[0], shares[1]), rotated(shares[2], shares[3]))
    let rectangle = RotatedCrop(left: a.x, top: a.y, right: b.x, bottom: b.y, angle: -angle)
      .applying(orientation, to: stored)
    let names = (Self.edges + ["CropAngle"]).filter(isActive)
    guard a.x < b.x, a.y < b.y, let filters = rectangle.filters(for: orientedSize) else {
      for name in names { refuse(name, "the crop would be empty") }
      return
    }
    for filter in filters.all {
      if let reason = result.add(filter) {
        for name in names { refuse(name, reason) }
        return
      }
    }
    let crop = filters.crop?.argumentText(["x", "y", "w", "h"]) ?? "the whole image"
    let straighten = filters.straighten?.argumentText(["angle"]) ?? crop
    let suffix = filters.includesEmptyCorners ? ", with white outside the image" : ""
    for name in names { map(name, (name == "CropAngle" ? straighten : crop) + suffix) }
  }

  private var storedSize: PixelSize {
    target.orientation.swapsAxes ? target.size.transposed : target.size
  }

  /// Returns the orientation that Lightroom gives the stored pixels and adds the rotation to it.
  private mutating func readOrientation() -> Orientation {
    guard let text = edit.orientation else { return target.orientation }
    let name = "tiff:Orientation"
    guard
      let requested = LightroomEdit.Value.text(text).number.flatMap({ Int(exactly: $0) })
        .flatMap({ Orientation(rawValue: $0) })
    else {
      result.unmapped.append(
        Setting(name: name, value: shortened(text), note: "not an orientation from 1 to 8"))
      return target.orientation
    }
    guard requested != target.orientation else { return requested }
    let rotation = Orient(target.orientation.inverse.followed(by: requested))
    if let reason = result.add(rotation) {
      result.unmapped.append(Setting(name: name, value: text, note: reason))
      return target.orientation
    }
    let stored = "the image has orientation \(target.orientation.rawValue)"
    result.mapped.append(
      Setting(
        name: name, value: text, note: rotation.argumentText(["exif"]) + ", because " + stored))
    return requested
  }
}

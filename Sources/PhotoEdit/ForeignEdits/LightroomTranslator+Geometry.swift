// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditPlatform

extension LightroomTranslator {
  private static let edges = ["CropLeft", "CropTop", "CropRight", "CropBottom"]

  /// Translates rotation, straightening, and crop.
  ///
  /// Lightroom specifies the crop as fractions of the stored image, before tiff:Orientation is
  /// applied. The top left and bottom right corners are points of the image before straightening; a
  /// positive CropAngle rotates the image counterclockwise.
  mutating func translateGeometry() {
    let orientation = takeOrientation()
    let upright = orientation.applied(to: storedSize)
    guard Self.edges.contains(where: isActive) || isActive("CropAngle") else { return }
    let stored = storedSize
    let (w, h) = (Double(stored.width), Double(stored.height))
    let shares = zip(Self.edges, [0.0, 0, 1, 1]).map { name, neutral in
      number(name, in: 0...1) ?? neutral
    }
    let angle = number("CropAngle", in: -45...45) ?? 0
    /// Returns a point of the image after the rotation about its center.
    func turned(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
      let (s, c) = (sin(angle * .pi / 180), cos(angle * .pi / 180))
      let (dx, dy) = (x * w - w / 2, y * h - h / 2)
      return (w / 2 + c * dx + s * dy, h / 2 - s * dx + c * dy)
    }
    let (a, b) = (turned(shares[0], shares[1]), turned(shares[2], shares[3]))
    let rectangle = TurnedCrop(left: a.x, top: a.y, right: b.x, bottom: b.y, angle: -angle)
      .applying(orientation, to: stored)
    let names = (Self.edges + ["CropAngle"]).filter(isActive)
    guard a.x < b.x, a.y < b.y, let filters = rectangle.filters(for: upright) else {
      for name in names { refuse(name, "the crop would be empty") }
      return
    }
    for filter in filters.all {
      if let reason = result.add(filter) {
        for name in names { refuse(name, reason) }
        return
      }
    }
    let crop = filters.crop?.words(["x", "y", "w", "h"]) ?? "the whole image"
    let straighten = filters.straighten?.words(["angle"]) ?? crop
    let beyond = filters.reachesBeyond ? ", with white outside the image" : ""
    for name in names { map(name, (name == "CropAngle" ? straighten : crop) + beyond) }
  }

  private var storedSize: PixelSize {
    target.orientation.swapsAxes ? target.size.transposed : target.size
  }

  /// Returns the orientation that Lightroom gives the stored pixels and adds the rotation to it.
  private mutating func takeOrientation() -> Orientation {
    guard let text = edit.orientation else { return target.orientation }
    let name = "tiff:Orientation"
    guard
      let wanted = LightroomEdit.Value.text(text).number.flatMap({ Int(exactly: $0) })
        .flatMap({ Orientation(rawValue: $0) })
    else {
      result.unmapped.append(
        Setting(name: name, value: shortened(text), note: "not an orientation from 1 to 8"))
      return target.orientation
    }
    guard wanted != target.orientation else { return wanted }
    let turn = Orient(target.orientation.inverse.followed(by: wanted))
    if let reason = result.add(turn) {
      result.unmapped.append(Setting(name: name, value: text, note: reason))
      return target.orientation
    }
    let stored = "the image has orientation \(target.orientation.rawValue)"
    result.mapped.append(
      Setting(name: name, value: text, note: turn.words(["exif"]) + ", because " + stored))
    return wanted
  }
}

// SPDX-License-Identifier: Apache-2.0
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

  /// Translates noise reduction and sharpening.
  mutating func translateDetail() {
    if let amount = number("LuminanceSmoothing", in: 0...100) {
      add(DenoiseWavelet(strength: amount / 50), for: [("LuminanceSmoothing", ["strength"])])
    }
    if let amount = number("Sharpness", in: 0...150) {
      let radius = plain("SharpenRadius", in: 0.5...3, default: 1)
      let settings: [(name: String, parameters: [String])] = [
        ("SharpenRadius", ["sigma"]), ("Sharpness", ["amount", "sigma"]),
      ].filter { isActive($0.name) }
      add(SharpenLuma(sigma: radius, amount: amount / 100), for: settings)
    }
  }

  /// Translates the effects that Lightroom adds to the cropped image.
  mutating func translateEffects() {
    if let amount = number("PostCropVignetteAmount", in: -100...100) {
      // Lightroom's midpoint is where half of the falloff is reached.
      let middle = 0.5 + plain("PostCropVignetteMidpoint", in: 0...100, default: 50) / 200
      let feather = plain("PostCropVignetteFeather", in: 0...100, default: 50) / 100
      // A vignette of 1 leaves the corners four tenths of their light.
      var filter = Vignette(amount: min(max(-amount / 60, -1), 1).rounded(significantDigits: 4))
      filter.model = .smooth
      filter.feather = feather
      filter.radius = max(0, middle - feather / 2)
      let roundness = plain("PostCropVignetteRoundness", in: -100...100, default: 0)
      filter.roundness = max(0, roundness / 100)
      let settings: [(name: String, parameters: [String])] = [
        ("PostCropVignetteMidpoint", ["radius"]),
        ("PostCropVignetteFeather", ["feather"]), ("PostCropVignetteRoundness", ["roundness"]),
        ("PostCropVignetteAmount", ["amount", "model"]),
      ].filter { isActive($0.name) }
      add(filter, for: settings)
    }
    if let amount = number("GrainAmount", in: 0...100) {
      var filter = Grain(amount: amount / 100 * 0.4)
      filter.size = plain("GrainSize", in: 0...100, default: 25) / 25
      filter.seed = Int(plain("GrainSeed", in: 0...2_147_483_647, default: 0))
      let settings: [(name: String, parameters: [String])] = [
        ("GrainSize", ["size"]), ("GrainSeed", ["seed"]), ("GrainAmount", ["amount"]),
      ].filter { isActive($0.name) }
      add(filter, for: settings)
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import CPhotoEditLens
import PhotoEditCodecs
package import PhotoEditFilters
import PhotoEditPixels
import PhotoEditPlatform
import PhotoEditStorage

/// The lenses of the database of Lensfun, from which corrections with plain numbers follow.
package enum LensDatabase {
  /// The Debian packages of the library and of its database.
  package static let packages = "liblensfun1 liblensfun-data-v1"

  /// The name of the library, and the version of its compiled header.
  package static let library = (name: "liblensfun", version: String(cString: pe_lens_version()))

  /// The reason why a lens is not corrected, as a clause.
  package struct Refusal: Error, Hashable {
    package let reason: String

    package init(_ reason: String) { self.reason = reason }
  }

  /// Cameras with these mounts correct their lenses in the JPEG files that they write.
  private static let correctingMounts: Set = [
    "Canon EF-M", "Canon RF", "Fujifilm G", "Fujifilm X", "Hasselblad X", "Leica L",
    "Micro 4/3 System", "Nikon CX", "Nikon Z", "Pentax Q", "Samsung NX", "Sony E",
  ]

  /// The database may be used by one thread at a time.
  private static let lock = LockedValue(())

  /// The reason why the database cannot be used; nil if it can.
  package static var refusal: String? {
    lock.withLock { _ in
      var message = [CChar](repeating: 0, count: Int(PE_LENS_MESSAGE_CAPACITY))
      return pe_lens_load(&message) == 0 ? nil : String(untilZero: message)
    }
  }

  /// Returns the correction of the lens that an image was taken with.
  package static func correction(of image: ImageSource) throws(Refusal) -> Lens {
    let (metadata, isRaw) = (image.metadata, image.header.format == .raw)
    let summary = metadata.summary
    guard let model = summary.model, let focalLength = summary.focalLength else {
      throw Refusal("camera or focal length unknown")
    }
    if !isRaw {
      if metadata.hasCorrectedLens { throw Refusal("already corrected") }
      if let stated = metadata.statedSize, !stated.hasShape(of: image.header.size) {
        throw Refusal("cropped")
      }
    }
    if let reason = refusal { throw Refusal("\(reason) (install \(packages))") }
    var profile = pe_lens_profile()
    let count = lock.withLock { _ in
      pe_lens_find(
        summary.make ?? "", model, summary.lens ?? "", focalLength, summary.fNumber ?? 0, 1000,
        &profile)
    }
    let names = withUnsafeBytes(of: profile.lens) { String(untilZero: $0) }
    let mount = withUnsafeBytes(of: profile.mount) { String(untilZero: $0) }
    switch count {
    case ..<0: throw Refusal("camera not in the database")
    case 0: throw Refusal("lens not in the database")
    case 1: break
    default: throw Refusal("several lenses fit: \(names)")
    }
    if !isRaw, correctingMounts.contains(mount) || mount.first?.isLowercase == true {
      throw Refusal("corrected by the camera; its raw files are not")
    }
    guard profile.is_shifted == 0,
      profile.has_distortion + profile.has_fringes + profile.has_vignetting > 0
    else { throw Refusal("lens not calibrated") }
    return Lens(profile, name: names)
  }
}

extension PixelSize {
  /// Returns whether an image of another size shows as much, by its sides in either order.
  fileprivate func hasShape(of other: PixelSize) -> Bool {
    let (a, b) = (Double(longEdge), Double(min(width, height)))
    let (c, d) = (Double(other.longEdge), Double(min(other.width, other.height)))
    return abs(a / b - c / d) < 0.02 * (a / b)
  }
}

extension Lens {
  /// Creates the correction of a profile in the units of the filter.
  fileprivate init(_ profile: pe_lens_profile, name: String) {
    self.init()
    self.profile = name
    // From half the diagonal of the image to half the shorter side of the calibrated sensor, and to
    // half the diagonal of that.
    let light = profile.calibration_crop / profile.crop
    let place = light * hypot(profile.calibration_aspect, 1)
    func scaled(_ values: [Double], _ factor: (Int) -> Double) -> [Double] {
      values.enumerated().map { ($1 * factor($0)).rounded(significantDigits: 6) }
    }
    if profile.has_distortion != 0 {
      let d = profile.distortion
      model = scaled([d.0, d.1, d.2, d.3, d.4]) { pow(place, Double($0)) }
    }
    if profile.has_fringes != 0 {
      let (r, b) = (profile.red, profile.blue)
      red = scaled([r.0, r.1, r.2]) { pow(place, Double($0)) }
      blue = scaled([b.0, b.1, b.2]) { pow(place, Double($0)) }
    }
    if profile.has_vignetting != 0 {
      let v = profile.vignetting
      falloff = scaled([v.0, v.1, v.2]) { pow(light, Double(2 * $0 + 2)) }
    }
  }
}

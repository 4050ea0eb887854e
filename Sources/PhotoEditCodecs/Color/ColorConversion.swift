// SPDX-License-Identifier: Apache-2.0
import CPhotoEditLCMS
package import PhotoEditPixels

/// A conversion from values of a profile to sRGB: relative colorimetric, with black point
/// compensation.
///
/// Calls Little CMS 2, which is loaded at the first use. Any number of threads may convert at the
/// same time.
package final class ColorConversion: @unchecked Sendable {
  // Safe: the transform keeps no cache, and nothing changes after `init`.
  private let transform: OpaquePointer

  /// The source channels, including alpha; CMYK has four.
  package let sourceChannels: ChannelLayout
  /// Bytes per source sample.
  package let bytesPerSample: Int
  /// The layout of converted rows.
  package let layout: RowLayout
  /// Indicates whether some source colors are outside the sRGB gamut and are clipped.
  package private(set) var exceedsSRGB = false

  /// The reason why a conversion is unavailable.
  package enum Failure: Error, Hashable {
    /// The profile cannot be used; the reason is one clause.
    case unusable(reason: String)
    /// The library cannot be loaded.
    case missingLibrary(package: String, reason: String)
    /// There is not enough memory for the tables.
    case outOfMemory
  }

  /// The color space of the source values.
  package enum Source: Sendable, Hashable {
    /// A profile for gray, RGB or CMYK.
    case profile(ICCProfile)
    /// L*, a* and b* relative to D50, encoded as in ICC version 4: 0 to 1 represent 0 to 100, and
    /// −128 to 127 with 0 at 128/255.
    case lab
  }

  /// Prepares the conversion of rows.
  ///
  /// - Parameters:
  ///   - hasAlpha: Whether straight alpha follows the colors; it is kept unchanged.
  ///   - compensatesBlack: Whether the darkest color of the source becomes black.
  package init(
    from source: Source, hasAlpha: Bool = false, bytesPerSample: Int, compensatesBlack: Bool = true
  ) throws(Failure) {
    let (space, colors) = try Self.space(of: source)
    guard let channels = ChannelLayout(rawValue: colors + (hasAlpha ? 1 : 0)) else {
      throw .unusable(reason: "CMYK with transparency is not supported")
    }
    transform = try Self.transform(
      source, space, hasAlpha, bytesPerSample, PE_LCMS_SRGB, compensatesBlack: compensatesBlack)
    sourceChannels = channels
    self.bytesPerSample = bytesPerSample
    layout = RowLayout(channels: hasAlpha ? .rgba : .rgb, bytesPerSample: 2)
    exceedsSRGB = try Self.exceedsSRGB(source, space, colors: colors)
  }

  /// Prepares the conversion of rows delivered by a decoder.
  package convenience init(
    from profile: ICCProfile, header: ImageHeader, compensatesBlack: Bool = true
  ) throws(Failure) {
    try self.init(
      from: .profile(profile),
      hasAlpha: profile.colorSpace != "CMYK" && header.layout.channels.hasAlpha,
      bytesPerSample: header.layout.bytesPerSample, compensatesBlack: compensatesBlack)
  }

  deinit { pe_lcms_free(transform) }

  /// Returns whether a row layout matches the source.
  package func accepts(_ layout: RowLayout) -> Bool {
    layout.channels == sourceChannels && layout.bytesPerSample == bytesPerSample
  }

  /// Converts adjacent pixels.
  package func convert(
    _ count: Int, from source: UnsafeRawPointer, into target: UnsafeMutableRawPointer
  ) {
    pe_lcms_convert(transform, source, target, UInt32(count))
  }

  private static func space(
    of source: Source
  ) throws(Failure) -> (space: pe_lcms_space, colors: Int) {
    guard case .profile(let profile) = source else { return (PE_LCMS_LAB, 3) }
    switch profile.colorSpace {
    case "GRAY": return (PE_LCMS_GRAY, 1)
    case "RGB ": return (PE_LCMS_RGB, 3)
    case "CMYK": return (PE_LCMS_CMYK, 4)
    default: throw .unusable(reason: "its color space is not supported")
    }
  }

  private static func transform(
    _ source: Source, _ space: pe_lcms_space, _ hasAlpha: Bool, _ bytesPerSample: Int,
    _ result: pe_lcms_result, compensatesBlack: Bool = true
  ) throws(Failure) -> OpaquePointer {
    var bytes: [UInt8] = []
    if case .profile(let profile) = source { bytes = profile.bytes }
    var created: OpaquePointer?
    var message = [CChar](repeating: 0, count: Int(PE_LCMS_MESSAGE_CAPACITY) + 1)
    let code = bytes.withUnsafeBufferPointer { bytes in
      var how = pe_lcms_source(
        profile: bytes.baseAddress, profile_count: bytes.count, space: space,
        bytes_per_sample: Int32(bytesPerSample), has_alpha: hasAlpha ? 1 : 0, result: result,
        keeps_black: compensatesBlack ? 0 : 1)
      return pe_lcms_create(&how, &created, &message)
    }
    if let created { return created }
    throw failure(code.rawValue, message)
  }

  /// Converts a code to a failure.
  static func failure(_ code: Int32, _ message: [CChar]) -> Failure {
    let reason = String(untilZero: message)
    return switch pe_lcms_code(rawValue: code) {
    case PE_LCMS_MISSING: .missingLibrary(package: "liblcms2-2", reason: reason)
    case PE_LCMS_OUT_OF_MEMORY: .outOfMemory
    default: .unusable(reason: reason)
    }
  }

  /// Checks a grid of all source colors; a tiny excess over sRGB counts as rounding.
  private static func exceedsSRGB(
    _ source: Source, _ space: pe_lcms_space, colors: Int
  ) throws(Failure) -> Bool {
    let unbounded = try transform(source, space, false, 1, PE_LCMS_SRGB_UNBOUNDED)
    defer { pe_lcms_free(unbounded) }
    let levels: [UInt8] =
      colors == 4 ? [0, 64, 128, 191, 255] : [0, 32, 64, 96, 128, 160, 192, 224, 255]
    let count = (0..<colors).reduce(1) { n, _ in n * levels.count }
    var samples: [UInt8] = []
    for index in 0..<count {
      var rest = index
      for _ in 0..<colors {
        samples.append(levels[rest % levels.count])
        rest /= levels.count
      }
    }
    var results = [Float](repeating: 0, count: 3 * count)
    pe_lcms_convert(unbounded, samples, &results, UInt32(count))
    return results.contains { !(-0.005...1.005).contains($0) }
  }

  /// Returns L*, a* and b* relative to D50 for 8-bit samples, pixel by pixel.
  ///
  /// - Parameter samples: Interleaved samples, one per color channel of the profile for each pixel.
  package static func lab(
    of samples: [UInt8], in profile: ICCProfile
  ) throws(Failure) -> [SIMD3<Double>] {
    let (space, colors) = try space(of: .profile(profile))
    let transform = try transform(.profile(profile), space, false, 1, PE_LCMS_LAB_VALUES)
    defer { pe_lcms_free(transform) }
    let count = samples.count / colors
    var values = [Double](repeating: 0, count: 3 * count)
    pe_lcms_convert(transform, samples, &values, UInt32(count))
    return (0..<count).map { SIMD3(values[3 * $0], values[3 * $0 + 1], values[3 * $0 + 2]) }
  }
}

// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

/// The color space of an image, its origin, and its handling.
public struct ImageColorSpace: Sendable {
  /// The source of the color information.
  public enum Origin: Sendable, Hashable {
    /// No information: sRGB is assumed.
    case nowhere
    /// The ICC profile.
    case profile
    /// Another source: "EXIF", or the names of PNG chunks.
    case stated(String)
  }

  /// The treatment of colors before all filters.
  public enum Handling: String, Sendable, Hashable {
    /// The rendering keeps the color space; filters work on values with the sRGB curve.
    case kept
    /// The rendering keeps the color space unless filters change colors; then it becomes sRGB.
    case convertedForFilters
    /// The rendering has the primaries of the space and the sRGB curve, regardless of filters.
    case convertedCurve
    /// The rendering is sRGB.
    case converted
  }

  /// The name of the space, such as "Display P3" or "sRGB".
  public let name: String
  /// The source of the color information.
  public let origin: Origin
  /// The treatment of the color space.
  public let handling: Handling
  /// Problems with the color information, in sentences.
  public let notices: [String]

  /// The conversion to linear light, for each channel; empty if it is the sRGB curve.
  package let transfers: [ChannelTransfer]
  /// The profile that the rendering must contain because the file has none, or a different one, for
  /// its color space.
  package let statedProfile: ICCProfile?
  /// The conversion to sRGB, if curves are not sufficient.
  package let conversion: Conversion?

  /// A conversion to sRGB, or the error that prevents it.
  package enum Conversion: Sendable {
    case ready(ColorConversion)
    case missing(CodecError)
  }

  /// A short description: "Display P3, kept".
  public var description: String {
    switch handling {
    case .kept: origin == .nowhere ? "\(name), assumed" : "\(name), kept"
    case .convertedForFilters: "\(name), kept, or converted to sRGB if colors change"
    case .convertedCurve: "\(name), converted to the sRGB curve"
    case .converted: "\(name), converted to sRGB"
    }
  }

  /// Determines the color space of an image.
  package init(_ header: ImageHeader, _ metadata: ImageMetadata) {
    let space = header.sourceColor.profileSpace
    var notices: [String] = []
    let stated = metadata.statedColor.flatMap { space == "CMYK" ? nil : $0 }
    if let bytes = metadata.icc, stated?.precedesProfile != true {
      let name = metadata.iccDescription ?? "the ICC profile"
      do throws(ICCProfile.Damage) {
        let profile = try ICCProfile(validating: bytes)
        if let unsupportedReason = profile.unsupportedReason(for: space) {
          throw ICCProfile.Damage(sentence: "The ICC profile \(unsupportedReason); it is ignored.")
        }
        self = try Self(profile, named: name, header)
        return
      } catch {
        notices.append(error.sentence)
      }
    }
    // If the profile is unusable, other color information applies.
    if let stated {
      if let profile = stated.profile(isGray: space == "GRAY"),
        let transfers = ChannelTransfer.channels(of: profile),
        transfers.allSatisfy({ $0.isReversible(bitsPerSample: header.bitsPerSample) })
      {
        self.init(
          name: stated.name, origin: .stated(stated.origin),
          handling: stated.transfer.isCoarseInDarks ? .convertedCurve : .kept, notices: notices,
          transfers: transfers.allSatisfy(\.isSRGB) ? [] : transfers,
          statedProfile: stated.rendered.profile(isGray: space == "GRAY"))
        return
      }
      notices.append("The colors defined by \(stated.origin) are impossible; sRGB is assumed.")
    }
    self.init(
      name: space == "CMYK" ? "CMYK without a profile" : "sRGB", origin: .nowhere,
      handling: space == "CMYK" ? .converted : .kept, notices: notices)
  }

  private init(
    name: String, origin: Origin, handling: Handling, notices: [String] = [],
    transfers: [ChannelTransfer] = [], statedProfile: ICCProfile? = nil,
    conversion: Conversion? = nil
  ) {
    (self.name, self.origin, self.handling, self.notices) = (name, origin, handling, notices)
    (self.transfers, self.statedProfile, self.conversion) = (transfers, statedProfile, conversion)
  }

  /// Determines the handling for a profile that fits the image.
  private init(
    _ profile: ICCProfile, named name: String, _ header: ImageHeader
  ) throws(ICCProfile.Damage) {
    if let transfers = ChannelTransfer.channels(of: profile) {
      if transfers.allSatisfy(\.isSRGB) {
        self.init(name: name, origin: .profile, handling: .kept)
        return
      }
      if transfers.allSatisfy({ $0.isReversible(bitsPerSample: header.bitsPerSample) }) {
        self.init(name: name, origin: .profile, handling: .kept, transfers: transfers)
        return
      }
    }
    let conversion: Conversion
    do throws(ColorConversion.Failure) {
      conversion = .ready(try ColorConversion(from: profile, header: header))
    } catch {
      switch error {
      case .unusable(let reason):
        throw ICCProfile.Damage(sentence: "The ICC profile cannot be used: \(reason).")
      case .missingLibrary(let package, let reason):
        conversion = .missing(.libraryMissing(header.format, package: package, reason: reason))
      case .outOfMemory: conversion = .missing(.outOfMemory)
      }
    }
    self.init(
      name: name, origin: .profile,
      handling: header.sourceColor.profileSpace == "CMYK" ? .converted : .convertedForFilters,
      conversion: conversion)
  }

  /// Returns the matrix from the image's linear light to that of sRGB, for images in which filters
  /// change only the curve; nil if the primaries are those of sRGB, or are converted in another
  /// way.
  ///
  /// Relative colorimetric: white stays white.
  ///
  /// - Parameter icc: The profile of the file.
  package func matrixToSRGB(icc: [UInt8]?) -> [[Double]]? {
    guard let own = nonSRGBColorants(icc), let sRGB = ICCProfile.sRGB?.colorants,
      let back = ColorMatrix.inverse(sRGB)
    else { return nil }
    return ColorMatrix.product(back, own)
  }

  /// Returns the matrix from the linear light used by filters to X, Y and Z relative to D65; nil if
  /// that is the linear light of sRGB.
  ///
  /// - Parameter icc: The profile of the file.
  package func matrixToD65XYZ(icc: [UInt8]?) -> [[Double]]? {
    nonSRGBColorants(icc).flatMap { ColorMatrix.underD65($0, white: ColorMatrix.d50) }
  }

  /// Returns the colorants of the profile relative to D50; nil if they are, or are converted to,
  /// those of sRGB.
  private func nonSRGBColorants(_ icc: [UInt8]?) -> [[Double]]? {
    guard conversion == nil, handling != .converted, let own = profile(icc)?.colorants,
      let sRGB = ICCProfile.sRGB?.colorants
    else { return nil }
    // sRGB profiles differ from each other by this much.
    return zip(own.joined(), sRGB.joined()).allSatisfy { abs($0 - $1) < 0.003 } ? nil : own
  }

  /// Returns the profile of the values after filtering.
  private func profile(_ icc: [UInt8]?) -> ICCProfile? {
    switch origin {
    case .nowhere: nil
    // The profile was validated when the color space of the image was determined.
    case .profile: icc.flatMap { try? ICCProfile(validating: $0) }
    case .stated: statedProfile
    }
  }
}

extension SourceColor {
  /// The data color space of matching profiles.
  var profileSpace: String {
    switch self {
    case .gray: "GRAY"
    case .rgb, .ycbcr, .palette: "RGB "
    case .cmyk, .ycck: "CMYK"
    }
  }
}

extension ICCProfile {
  /// X, Y and Z relative to D50 of the three primaries, a row each with red, green and blue; nil
  /// for profiles without three primaries.
  ///
  /// - Source: ICC.1:2022, 8.3.3 (three-component matrix-based display profiles), 10.31.
  var colorants: [[Double]]? {
    guard colorSpace == "RGB " else { return nil }
    let primaries = ["rXYZ", "gXYZ", "bXYZ"].compactMap { name -> [Double]? in
      guard let element = tag(name), element.has(Array("XYZ ".utf8), at: element.startIndex)
      else { return nil }
      let values = (0..<3).compactMap { element.unsigned32(at: element.startIndex + 8 + 4 * $0) }
      return values.count == 3
        ? values.map { Double(Int32(truncatingIfNeeded: $0)) / 65_536 } : nil
    }
    return primaries.count == 3 ? (0..<3).map { row in primaries.map { $0[row] } } : nil
  }
}

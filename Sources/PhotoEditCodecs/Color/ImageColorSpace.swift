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
  ///
  /// - Throws: `CodecError.unsupported` for high dynamic range.
  package init(_ header: ImageHeader, _ metadata: ImageMetadata) throws(CodecError) {
    let space = header.sourceColor.profileSpace
    var notices: [String] = []
    let stated = metadata.statedColor.flatMap { space == "CMYK" ? nil : $0 }
    if let stated, let refusal = stated.refusal, stated.precedesProfile || metadata.icc == nil {
      throw .unsupported(
        "\(header.format.nameWithArticle) (\(refusal.reason))")
    }
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
    self.name = name
    self.origin = origin
    self.handling = handling
    self.notices = notices
    self.transfers = transfers
    self.statedProfile = statedProfile
    self.conversion = conversion
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

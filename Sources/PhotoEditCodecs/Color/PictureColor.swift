// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

/// What the numbers of a picture mean, where that is said, and what is done about it.
public struct PictureColor: Sendable {
  /// Where a picture says what its numbers mean.
  public enum Origin: Sendable, Hashable {
    /// Nowhere: it is taken for sRGB.
    case nowhere
    /// In its ICC profile.
    case profile
    /// Elsewhere: "EXIF", or the names of PNG chunks.
    case stated(String)
  }

  /// What is done with the colours in front of all filters.
  public enum Handling: String, Sendable, Hashable {
    /// The space is that of the rendering; filters work on numbers with the curve of sRGB.
    case kept
    /// The space is that of the rendering unless filters change colours; then it becomes sRGB.
    case convertedForFilters
    /// The rendering has the lights of the space and the curve of sRGB, whatever filters do.
    case convertedCurve
    /// The rendering is sRGB.
    case converted
  }

  /// The name of the space, such as "Display P3" or "sRGB".
  public let name: String
  /// Where it is said.
  public let origin: Origin
  /// What is done with it.
  public let handling: Handling
  /// What is wrong with the statement, in sentences.
  public let notices: [String]

  /// How numbers become light, for each channel; empty where sRGB's curve does.
  package let transfers: [ChannelTransfer]
  /// The profile that the rendering must carry because the file has none, or another one, for its
  /// space.
  package let statedProfile: ICCProfile?
  /// What makes sRGB of the numbers, where curves cannot.
  package let conversion: Conversion?

  /// A way to sRGB, or why there is none.
  package enum Conversion: Sendable {
    case ready(ColorConversion)
    case missing(CodecError)
  }

  /// A few words: "Display P3, kept".
  public var description: String {
    switch handling {
    case .kept: origin == .nowhere ? "\(name) is assumed" : "\(name), kept"
    case .convertedForFilters: "\(name), kept, or converted to sRGB where colours change"
    case .convertedCurve: "\(name), converted to the curve of sRGB"
    case .converted: "\(name), converted to sRGB"
    }
  }

  /// Decides for a picture.
  ///
  /// - Throws: `CodecError.unsupported` for light far brighter than white.
  package init(_ header: ImageHeader, _ metadata: ImageMetadata) throws(CodecError) {
    let space = header.sourceColor.profileSpace
    var notices: [String] = []
    let stated = metadata.statedColor.flatMap { space == "CMYK" ? nil : $0 }
    if let stated, let refusal = stated.refusal, stated.precedesProfile || metadata.icc == nil {
      throw .unsupported(
        "\(header.format.nameWithArticle) that is not read because \(refusal.reason)")
    }
    if let bytes = metadata.icc, stated?.precedesProfile != true {
      let name = metadata.iccDescription ?? "the ICC profile"
      do throws(ICCProfile.Damage) {
        let profile = try ICCProfile(validating: bytes)
        if let obstacle = profile.obstacle(for: space) {
          throw ICCProfile.Damage(sentence: "The ICC profile \(obstacle); it is ignored.")
        }
        self = try Self(profile, named: name, header)
        return
      } catch {
        notices.append(error.sentence)
      }
    }
    // A profile of no use leaves the word to what else is said.
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
      notices.append("The colours that \(stated.origin) states are impossible; sRGB is assumed.")
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

  /// Decides for a profile that fits the picture.
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
  /// The data colour space of the profiles that fit.
  var profileSpace: String {
    switch self {
    case .gray: "GRAY"
    case .rgb, .ycbcr, .palette: "RGB "
    case .cmyk, .ycck: "CMYK"
    }
  }
}

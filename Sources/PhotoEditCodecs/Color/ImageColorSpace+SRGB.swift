// SPDX-License-Identifier: Apache-2.0

extension ImageColorSpace {
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

// SPDX-License-Identifier: Apache-2.0

/// A file format that pictures are read from.
public enum ImageFormat: String, Sendable, Hashable, CaseIterable {
  /// JPEG of ITU-T T.81, with eight bits per sample.
  case jpeg
  /// PNG of ISO/IEC 15948.
  case png
  /// HEIF of ISO/IEC 23008-12 with HEVC inside, as phones write it: HEIC.
  case heif
  /// HEIF with AV1 inside.
  case avif
  /// WebP of RFC 9649.
  case webp
  /// TIFF 6.0.
  case tiff
  /// GIF 87a and 89a; the first picture counts.
  case gif

  /// The name as people write it, with its article.
  public var nameWithArticle: String {
    switch self {
    case .jpeg: "a JPEG image"
    case .png: "a PNG image"
    case .heif: "an HEIC image"
    case .avif: "an AVIF image"
    case .webp: "a WebP image"
    case .tiff: "a TIFF image"
    case .gif: "a GIF image"
    }
  }

  /// The formats that this build reads, for messages: "jpeg, png, webp".
  package static var readable: String {
    allCases.filter(\.isReadable).map(\.rawValue).joined(separator: ", ")
  }

  /// Whether this build reads the format; see the traits of the package.
  public var isReadable: Bool {
    switch self {
    case .jpeg, .png: true
    case .heif, .avif:
      #if HEIF
        true
      #else
        false
      #endif
    case .webp:
      #if WebP
        true
      #else
        false
      #endif
    case .tiff:
      #if TIFF
        true
      #else
        false
      #endif
    case .gif:
      #if GIF
        true
      #else
        false
      #endif
    }
  }

  /// The name of the format as Apple's systems write it.
  public var uniformTypeIdentifier: String {
    switch self {
    case .jpeg: "public.jpeg"
    case .png: "public.png"
    case .heif: "public.heif"
    case .avif: "public.avif"
    case .webp: "org.webmproject.webp"
    case .tiff: "public.tiff"
    case .gif: "com.compuserve.gif"
    }
  }
}

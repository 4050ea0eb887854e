// SPDX-License-Identifier: Apache-2.0

/// An image file format that can be read.
public enum ImageFormat: String, Sendable, Hashable, CaseIterable {
  /// JPEG (ITU-T T.81) with eight bits per sample.
  case jpeg
  /// PNG (ISO/IEC 15948).
  case png
  /// HEIF (ISO/IEC 23008-12) with HEVC, as written by phones: HEIC.
  case heif
  /// HEIF with AV1.
  case avif
  /// WebP (RFC 9649).
  case webp
  /// TIFF 6.0.
  case tiff
  /// GIF 87a and 89a; only the first image is read.
  case gif

  /// The display name with its article.
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

  /// Indicates whether this build reads the format; see the package traits.
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

  /// The uniform type identifier of the format on Apple's systems.
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

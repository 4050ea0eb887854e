// SPDX-License-Identifier: Apache-2.0

/// A file format that pictures are read from.
public enum ImageFormat: String, Sendable, Hashable, CaseIterable {
  /// JPEG of ITU-T T.81, with eight bits per sample.
  case jpeg
  /// PNG of ISO/IEC 15948.
  case png

  /// The name of the format as Apple's systems write it.
  public var uniformTypeIdentifier: String {
    switch self {
    case .jpeg: "public.jpeg"
    case .png: "public.png"
    }
  }
}

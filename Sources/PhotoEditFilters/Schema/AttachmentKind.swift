// SPDX-License-Identifier: Apache-2.0

/// The kind of an attachment, by its use.
public enum AttachmentKind: String, Sendable, Hashable, CaseIterable {
  /// A one-dimensional lookup table: `.cube` with LUT_1D_SIZE.
  case lookupTable
  /// A three-dimensional lookup table: `.cube` with LUT_3D_SIZE.
  case lookupCube
  /// A lookup table stored as an image (Hald CLUT).
  case haldImage = "haldPicture"
  /// An image to composite over another one.
  case image = "picture"

  /// The file type as shown in messages.
  public var summary: String {
    switch self {
    case .lookupTable: "a .cube file with LUT_1D_SIZE"
    case .lookupCube: "a .cube file with LUT_3D_SIZE"
    case .haldImage: "a Hald CLUT image"
    case .image: "an image"
    }
  }

  /// The media type by which a graph describes a file of this kind.
  package var mediaType: String {
    switch self {
    case .lookupTable, .lookupCube: "text/x-cube"
    case .haldImage, .image: "image/png"
    }
  }
}

extension FilterDescription {
  /// The kind of file that the filter needs; nil if it needs none.
  package var attachmentKind: AttachmentKind? {
    parameters.lazy.compactMap { if case .asset(let kind) = $0.type { kind } else { nil } }.first
  }
}

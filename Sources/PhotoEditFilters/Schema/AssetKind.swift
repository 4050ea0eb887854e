// SPDX-License-Identifier: Apache-2.0

/// What an asset of a graph is, by what it is used for.
public enum AssetKind: String, Sendable, Hashable, CaseIterable {
  /// A table of one number in, one number out: `.cube` with LUT_1D_SIZE.
  case lookupTable
  /// A table of colours: `.cube` with LUT_3D_SIZE.
  case lookupCube
  /// A picture that stands for a table of colours.
  case haldPicture
  /// A picture to lay over another one.
  case picture

  /// What file it is, as messages say it.
  public var summary: String {
    switch self {
    case .lookupTable: "a .cube with LUT_1D_SIZE"
    case .lookupCube: "a .cube with LUT_3D_SIZE"
    case .haldPicture: "a Hald CLUT picture"
    case .picture: "a picture"
    }
  }
}

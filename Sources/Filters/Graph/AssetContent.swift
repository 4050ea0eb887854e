// SPDX-License-Identifier: Apache-2.0
public import Pixels

/// What the file of an asset holds.
public enum AssetContent: Sendable, Hashable {
  /// Curves for the channels.
  case table(LookupTable)
  /// A table of colours, and curves for the channels in front of it.
  case cube(LookupCube, after: LookupTable? = nil)
  /// Pixels.
  case picture(AssetPicture)
}

/// A decoded picture that is part of a recipe.
public struct AssetPicture: Sendable, Hashable {
  /// Most pixels of such a picture; it is held in memory as a whole.
  package static let maximumPixels = 1 << 25

  /// Width and height as people see it.
  public var size: PixelSize { orientation.applied(to: storedSize) }
  /// Width and height as it lies in memory.
  package let storedSize: PixelSize
  /// How it lies in memory.
  package let orientation: Orientation
  /// What its rows are made of.
  package let layout: RowLayout
  /// Its rows, one behind the other.
  package let bytes: [UInt8]

  /// Makes a picture of interleaved samples.
  package init(
    size: PixelSize, orientation: Orientation = .up, layout: RowLayout, bytes: [UInt8]
  ) {
    precondition(bytes.count == layout.bytesPerRow(width: size.width) * size.height)
    storedSize = size
    self.orientation = orientation
    self.layout = layout
    self.bytes = bytes
  }
}

extension LoweringContext {
  /// The table of an asset.
  func table(_ name: String, filter: String) throws(ParameterError) -> LookupTable {
    guard case .table(let table) = try content(name, filter: filter) else {
      throw wrongKind(name, filter: filter, .lookupTable)
    }
    return table
  }

  /// The colour table of an asset, and the curves in front of it.
  func cube(
    _ name: String, filter: String, kind: AssetKind = .lookupCube
  ) throws(ParameterError) -> (table: LookupTable?, cube: LookupCube) {
    guard case .cube(let cube, let table) = try content(name, filter: filter) else {
      throw wrongKind(name, filter: filter, kind)
    }
    return (table, cube)
  }

  /// The pixels of an asset.
  func picture(_ name: String, filter: String) throws(ParameterError) -> AssetPicture {
    guard case .picture(let picture) = try content(name, filter: filter) else {
      throw wrongKind(name, filter: filter, .picture)
    }
    return picture
  }

  private func content(_ name: String, filter: String) throws(ParameterError) -> AssetContent {
    if name.isEmpty {
      throw .conflict(filter: filter, reason: "no file is given; say file=PATH")
    }
    guard let content = assets[name] else {
      throw .conflict(filter: filter, reason: "the graph has no asset '\(name)'")
    }
    return content
  }

  private func wrongKind(_ name: String, filter: String, _ kind: AssetKind) -> ParameterError {
    .conflict(filter: filter, reason: "the asset '\(name)' is not \(kind.summary)")
  }
}

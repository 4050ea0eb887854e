// SPDX-License-Identifier: Apache-2.0
public import PhotoEditPixels

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
  /// What its numbers mean.
  package let meaning: Meaning

  /// What the numbers of a picture mean.
  package enum Meaning: Sendable, Hashable {
    /// The lights of a space, behind the curves that give the numbers the curve of sRGB; nil where
    /// they have it.
    case numbers(WorkingSpace, curves: ChannelCurves?)
    /// Nothing that curves and a matrix could tell; the same picture as sRGB.
    indirect case table(asSRGB: AssetPicture)
    /// Nothing that could be found out; the text, a clause, says why.
    case unknown(String)

    /// What is taken for sRGB.
    package static var sRGB: Meaning { .numbers(.sRGB, curves: nil) }
  }

  /// Makes a picture of interleaved samples.
  package init(
    size: PixelSize, orientation: Orientation = .up, layout: RowLayout, bytes: [UInt8],
    meaning: Meaning = .sRGB
  ) {
    precondition(bytes.count == layout.bytesPerRow(width: size.width) * size.height)
    storedSize = size
    self.orientation = orientation
    self.layout = layout
    self.bytes = bytes
    self.meaning = meaning
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

  /// The pixels of an asset, and the steps that make numbers of the working space of them.
  ///
  /// Relative colorimetric, without black point compensation; nothing is cut.
  func coloredPicture(
    _ name: String, filter: String
  ) throws(ParameterError) -> (picture: AssetPicture, conversion: [FilterOperation]) {
    let picture = try picture(name, filter: filter)
    guard let space else { return (picture, []) }
    switch picture.meaning {
    case .numbers(let own, let curves):
      var steps = curves.map { [FilterOperation.curves($0)] } ?? []
      if picture.layout.channels.colorCount == 3, let matrix = space.matrix(from: own) {
        steps += [FilterOperation.matrix(matrix)].inLight(.linear)
      }
      return (picture, steps)
    case .table(let converted):
      return (
        converted, space.matrix(from: .sRGB).map { [.matrix($0)].inLight(.linear) } ?? []
      )
    case .unknown(let reason):
      throw .conflict(filter: filter, reason: "the colors of '\(name)' are not known: \(reason)")
    }
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

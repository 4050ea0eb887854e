// SPDX-License-Identifier: Apache-2.0
public import PhotoEditPixels

/// The contents of an attachment.
public enum AttachmentContent: Sendable, Hashable {
  /// Curves for the channels.
  case table(ColorLUT1D)
  /// A cube, and curves for the channels that are applied before it.
  case cube(ColorLUT3D, after: ColorLUT1D? = nil)
  /// Pixels.
  case image(AttachmentImage)
  /// The faces of a font.
  case font(FontFile)
}

/// A decoded image attached to a graph.
public struct AttachmentImage: Sendable, Hashable {
  /// The maximum number of pixels of such an image, which is held in memory as a whole.
  package static let maximumPixels = 1 << 25

  /// Width and height with the orientation applied.
  public var size: PixelSize { orientation.applied(to: storedSize) }
  /// Width and height as stored in memory.
  package let storedSize: PixelSize
  /// The orientation of the stored pixels.
  package let orientation: Orientation
  /// The sample layout of its rows.
  package let layout: RowLayout
  /// Its rows, one after the other.
  package let bytes: [UInt8]
  /// The interpretation of its sample values.
  package let meaning: Meaning

  /// The interpretation of an image's sample values.
  package enum Meaning: Sendable, Hashable {
    /// RGB values of a color space, after the curves that give them the sRGB transfer encoding; nil
    /// if they already have it.
    case numbers(WorkingSpace, curves: ChannelCurves?)
    /// Neither curves nor a matrix can express the conversion; the same image converted to sRGB.
    indirect case table(asSRGB: AttachmentImage)
    /// The meaning is unknown; the text, a clause, gives the reason.
    case unknown(String)

    /// The default interpretation, sRGB.
    package static var sRGB: Meaning { .numbers(.sRGB, curves: nil) }
  }

  /// Creates an image from interleaved samples.
  package init(
    size: PixelSize, orientation: Orientation = .up, layout: RowLayout, bytes: [UInt8],
    meaning: Meaning = .sRGB
  ) {
    precondition(bytes.count == layout.bytesPerRow(width: size.width) * size.height)
    storedSize = size
    (self.orientation, self.layout, self.bytes) = (orientation, layout, bytes)
    self.meaning = meaning
  }
}

extension LoweringContext {
  /// Returns the table of an attachment.
  func table(_ name: String, filter: String) throws(ParameterError) -> ColorLUT1D {
    guard case .table(let table) = try content(name, filter: filter) else {
      throw wrongKind(name, filter: filter, .lookupTable)
    }
    return table
  }

  /// Returns the cube of an attachment, and the curves applied before it.
  func cube(
    _ name: String, filter: String, kind: AttachmentKind = .lookupCube
  ) throws(ParameterError) -> (table: ColorLUT1D?, cube: ColorLUT3D) {
    guard case .cube(let cube, let table) = try content(name, filter: filter) else {
      throw wrongKind(name, filter: filter, kind)
    }
    return (table, cube)
  }

  /// Returns the pixels of an attachment, and the steps that convert them to the working space.
  ///
  /// Relative colorimetric, without black point compensation; nothing is clamped.
  func coloredImage(
    _ name: String, filter: String
  ) throws(ParameterError) -> (image: AttachmentImage, conversion: [FilterOperation]) {
    try colored(try image(name, filter: filter), named: name, filter: filter)
  }

  /// Returns an image, and the steps that convert it to the working space.
  func colored(
    _ image: AttachmentImage, named name: String, filter: String
  ) throws(ParameterError) -> (image: AttachmentImage, conversion: [FilterOperation]) {
    guard let space else { return (image, []) }
    switch image.meaning {
    case .numbers(let own, let curves):
      var steps = curves.map { [FilterOperation.curves($0)] } ?? []
      if image.layout.channels.colorCount == 3, let matrix = space.matrix(from: own) {
        steps += [FilterOperation.matrix(matrix)].inEncoding(.linear)
      }
      return (image, steps)
    case .table(let converted):
      return (
        converted, space.matrix(from: .sRGB).map { [.matrix($0)].inEncoding(.linear) } ?? []
      )
    case .unknown(let reason):
      throw .conflict(filter: filter, reason: "the color space of '\(name)' is unknown: \(reason)")
    }
  }

  /// Returns the pixels of an attachment.
  func image(_ name: String, filter: String) throws(ParameterError) -> AttachmentImage {
    guard case .image(let image) = try content(name, filter: filter) else {
      throw wrongKind(name, filter: filter, .image)
    }
    return image
  }

  /// Returns the font of an attachment.
  func font(_ name: String, filter: String) throws(ParameterError) -> FontFile {
    guard case .font(let font) = try content(name, filter: filter) else {
      throw wrongKind(name, filter: filter, .font)
    }
    return font
  }

  private func content(_ name: String, filter: String) throws(ParameterError) -> AttachmentContent {
    if name.isEmpty {
      throw .conflict(filter: filter, reason: "no file given; use file=PATH")
    }
    guard let content = assets[name] else {
      throw .conflict(filter: filter, reason: "graph has no attachment '\(name)'")
    }
    return content
  }

  private func wrongKind(_ name: String, filter: String, _ kind: AttachmentKind) -> ParameterError {
    .conflict(filter: filter, reason: "attachment '\(name)' is not \(kind.summary)")
  }
}

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
  /// A font, or several in one file.
  case font

  /// The file type as shown in messages.
  public var summary: String {
    switch self {
    case .lookupTable: "a .cube file with LUT_1D_SIZE"
    case .lookupCube: "a .cube file with LUT_3D_SIZE"
    case .haldImage: "a Hald CLUT image"
    case .image: "an image"
    case .font: "a TrueType or OpenType font"
    }
  }

  /// The media type by which a graph describes a file of this kind.
  package var mediaType: String {
    switch self {
    case .lookupTable, .lookupCube: "text/x-cube"
    case .haldImage, .image: "image/png"
    case .font: "font/sfnt"
    }
  }
}

extension FilterDescription {
  /// The kind of file that the filter needs; nil if it needs none.
  package var attachmentKind: AttachmentKind? {
    parameters.lazy.compactMap { if case .asset(let kind) = $0.type { kind } else { nil } }.first
  }
}

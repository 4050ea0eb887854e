// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

public struct Text: Filter {
  /// The alignment of the lines of a text.
  public enum Alignment: String, Sendable, Hashable, CaseIterable {
    /// That of the anchor.
    case anchor
    case left, center, right
  }

  public static let schema = FilterSchema<Self>(
    "text", "Draws text, such as a title, a date or a copyright notice, over the photo.",
    aliases: ["caption", "annotate"],
    equivalents:
      "ImageMagick -annotate; ffmpeg drawtext; GEGL text; Core Image CITextImageGenerator",
    formula: "lines shaped by HarfBuzz in the order of UAX #9, outlines filled by area coverage at "
      + "unhinted positions, sRGB colors converted to the photo's, then source-over or the node's "
      + "blend mode",
    source: "Unicode Standard Annex #9; ISO/IEC 14496-22 Open Font Format; Porter and Duff 1984",
    dependency: .compositing, tolerance: "T1",
    parameters: [
      Parameter(
        text: "text", \.text, maximumBytes: 4096, identity: "",
        "Text, with line breaks and fields such as {date}, {title}, {copyright} or {camera}."),
      Parameter(
        text: "font", \.font, maximumBytes: 256,
        "Installed font, such as DejaVu Sans:bold, whose glyphs are attached to the edit; empty for "
          + "the attached font alone."),
      Parameter(asset: "asset", \.asset, kind: .font, "Attached font."),
      Parameter(
        "size", \.size, unit: .fraction, in: 0.002...0.5, ui: 0.01...0.2,
        "Size of the font, as a fraction of the image's long edge; text that does not fit is reduced."
      ),
      Parameter("color", \.color, "Color of the text, in sRGB."),
      Parameter(
        "outline", \.outline, unit: .fraction, in: 0...0.2, ui: 0...0.1,
        "Width of the line around the letters, as a fraction of their size."),
      Parameter("outlineColor", \.outlineColor, "Color of the line around the letters, in sRGB."),
      Parameter(
        "box", \.box, unit: .fraction, in: 0...1, "Opacity of the box behind the text; 0 for none."),
      Parameter("boxColor", \.boxColor, "Color of the box behind the text, in sRGB."),
      Parameter("anchor", \.anchor, "Position of the text; custom uses the parameter position."),
      Parameter(
        "position", \.position, count: 2, in: 0...1, unit: .fraction,
        "Top left corner of the text, as column and row (anchor custom)."),
      Parameter(
        "alignment", \.alignment, "Alignment of the lines; anchor takes that of the anchor."),
      Parameter(
        "margin", \.margin, unit: .fraction, in: 0...0.5, ui: 0...0.1,
        "Distance to the image edges, as a fraction of the long edge."),
      Parameter(
        text: "filled", \.filled, maximumBytes: 1 << 16,
        "Text with its fields filled in for this photo; set when an edit is stored."),
    ])

  /// The text, with fields in braces.
  public var text = ""
  public var font = "sans-serif"
  /// The name of the font among the graph's attachments.
  public var asset = ""
  public var size = 0.03
  public var color = Background.white
  public var outline = 0.04
  public var outlineColor = Background(red: 0, green: 0, blue: 0)
  public var box = 0.0
  public var boxColor = Background(red: 0, green: 0, blue: 0)
  public var anchor = Overlay.Anchor.bottomRight
  public var position: [Double] = [0, 0]
  public var alignment = Alignment.anchor
  public var margin = 0.02
  public var filled = ""

  public init() {}

  /// Creates the filter.
  public init(_ text: String, asset: String) { (self.text, self.asset, font) = (text, asset, "") }

  /// A file is used without fonts that are installed.
  public mutating func complete(given: Set<String>) {
    if given.contains("asset"), !given.contains("font"), !asset.isEmpty { font = "" }
  }

  public func validate() throws(ParameterError) { _ = try TextTemplate(text) }

  /// The text that is drawn; fields that are not filled in are empty.
  var shown: String { filled.isEmpty ? (try? TextTemplate(text))?.filled([:]) ?? "" : filled }

  public func lowered(in context: LoweringContext) throws(ParameterError) -> [FilterOperation] {
    guard shown.contains(where: { !$0.isWhitespace }) else { return [] }
    if asset.isEmpty {
      throw conflict("no font is attached; use file=PATH, or let an edit attach '\(font)'")
    }
    let fonts = try context.font(asset, filter: Self.schema.name)
    if let first = fonts.missing(in: shown).first {
      throw conflict("the attached font '\(asset)' lacks the character '\(first)'")
    }
    let long = Double(context.size.longEdge)
    let share = anchor.offset.map { SIMD2($0.x, $0.y) }
    let request = TextDrawing.Request(
      text: shown, image: context.size, size: size * long, margin: margin * long, share: share,
      position: SIMD2(position[0], position[1]), alignment: lineShare ?? share?.x ?? 0,
      color: color, outline: outline, outlineColor: outlineColor, box: box, boxColor: boxColor)
    let drawing: TextDrawing?
    do throws(TextDrawing.Refusal) {
      drawing = try fonts.withFaces { faces throws(TextDrawing.Refusal) in
        try TextDrawing.draw(request, with: faces)
      }
    } catch {
      throw conflict(error.reason)
    }
    guard let drawing else { return [] }
    let (image, conversion) = try context.colored(
      drawing.image, named: asset, filter: Self.schema.name)
    let frame = Padding(left: drawing.left, top: drawing.top, size: context.size, fill: .clear)
    return [
      .layer(Layer(.image(image), conversion + [.area(.pad(frame))], rule: .blend(.normal)))
    ]
  }

  private var lineShare: Double? {
    switch alignment {
    case .anchor: nil
    case .left: 0
    case .center: 0.5
    case .right: 1
    }
  }
}

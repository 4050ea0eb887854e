// SPDX-License-Identifier: Apache-2.0
import CPhotoEditText
import PhotoEditPixels
import PhotoEditPlatform

/// A text that is drawn: pixels with alpha, and their place in the image.
struct TextDrawing {
  /// The maximum number of lines.
  static let maximumLines = 200
  /// The maximum number of Unicode scalars.
  static let maximumCharacters = 10_000

  /// The pixels, as sRGB.
  let image: AttachmentImage
  /// The place of the first pixel in the image.
  let left: Int
  let top: Int

  /// A text and its appearance.
  struct Request: Hashable {
    var text: String
    /// The image that the text is drawn over.
    var image: PixelSize
    /// The size of the font in pixels.
    var size: Double
    /// The distance to the edges of the image in pixels.
    var margin: Double
    /// The share of the free space to the left and above; nil for a custom position.
    var share: SIMD2<Double>?
    /// The top left corner as fractions of the image, for a custom position.
    var position: SIMD2<Double>
    /// The share of the free space to the left of a line.
    var alignment: Double
    var color: Background
    /// The width of the outline as a fraction of the size.
    var outline: Double
    var outlineColor: Background
    /// The opacity of the box.
    var box: Double
    var boxColor: Background
  }

  struct Line {
    var glyphs: [pe_text_glyph] = []
    var width = 0.0
    var ascent = 0.0
    var descent = 0.0
  }

  /// The reason why a text cannot be drawn, a clause.
  struct Refusal: Error, Hashable { let reason: String }

  /// Draws a text; nil if nothing is visible.
  ///
  /// Lines that are much too wide are broken at spaces, and a text that would not fit between the
  /// margins is reduced.
  static func draw(_ request: Request, with fonts: OpenFonts) throws(Refusal) -> TextDrawing? {
    if let latest = fonts.latest, latest.request == request { return latest.result }
    let result = try Layout(request, fonts)?.draw(with: fonts)
    fonts.latest = (request, result)
    return result
  }

  /// The lines of a text at their places.
  private struct Layout {
    let request: Request
    let lines: [Line]
    let size: Double
    /// The distance between the text and the edges of its block.
    let padding: Double
    let left: Double
    let top: Double
    let width: Double
    let height: Double

    /// Shapes the lines and places the block; nil if it is empty.
    init?(_ request: Request, _ fonts: OpenFonts) throws(Refusal) {
      // Spaces at the end of a line would move it away from the edge.
      var texts: [Substring] = request.text.split(
        separator: "\n", omittingEmptySubsequences: false)
      texts = texts.map { line in
        line.lastIndex { !$0.isWhitespace }.map { line[...$0] } ?? ""
      }
      while texts.count > 1, texts.last?.isEmpty == true { texts.removeLast() }
      guard texts.count <= maximumLines, request.text.unicodeScalars.count <= maximumCharacters
      else {
        throw Refusal(
          reason: "text has more than \(maximumLines) lines or \(maximumCharacters) characters")
      }
      let (outerWidth, outerHeight) = (Double(request.image.width), Double(request.image.height))
      // In sizes of the font.
      let space = request.outline + (request.box > 0 ? 0.3 : 0)
      func inside(_ outer: Double, _ position: Double) -> Double {
        let free = request.share == nil ? outer * (1 - position) : outer - 2 * request.margin
        return max(1, free) / request.size - 2 * space
      }
      let area = SIMD2(
        inside(outerWidth, request.position.x), inside(outerHeight, request.position.y))
      var lines: [Line] = []
      for text in texts { lines.append(try Line(text, fonts)) }
      guard lines.contains(where: { !$0.glyphs.isEmpty }) else { return nil }
      if let broken = try Self.broken(texts, lines, area, fonts) { lines = broken }
      self.request = request
      self.lines = lines
      let (width, height) = (lines.width + 2 * space, lines.height + 2 * space)
      let least = SIMD2(1 / request.size, 1 / request.size)
      let factors =
        pointwiseMax(area + 2 * space, least) / pointwiseMax(SIMD2(width, height), least)
      size = request.size * min(1, factors.min())
      padding = space * size
      (self.width, self.height) = (width * size, height * size)
      func start(_ share: Double?, _ position: Double, _ outer: Double, _ inner: Double) -> Double {
        guard let share else { return position * outer }
        return request.margin + (outer - inner - 2 * request.margin) * share
      }
      left = start(request.share?.x, request.position.x, outerWidth, self.width)
      top = start(request.share?.y, request.position.y, outerHeight, self.height)
    }

    /// Breaks lines at spaces so that the text becomes as large as possible; nil if at least six
    /// tenths of its size remain without.
    ///
    /// - Parameter area: The width and height between the margins, in sizes of the font.
    private static func broken(
      _ texts: [Substring], _ lines: [Line], _ area: SIMD2<Double>, _ fonts: OpenFonts
    ) throws(Refusal) -> [Line]? {
      func factor(_ width: Double, _ height: Double) -> Double {
        min(1, area.x / max(width, 1e-6), area.y / max(height, 1e-6))
      }
      var best = (factor: factor(lines.width, lines.height), texts: texts)
      guard best.factor < 0.6 else { return nil }
      let space = try Line(" ", fonts).width
      var words: [[(text: Substring, width: Double)]] = []
      for text in texts {
        var line: [(text: Substring, width: Double)] = []
        for word in text.split(separator: " ") { line.append((word, try Line(word, fonts).width)) }
        words.append(line)
      }
      let lineHeight = lines.reduce(0) { max($0, $1.ascent + $1.descent) }
      // From the requested size down to a hundredth of it.
      for step in 0..<44 {
        let limit = area.x / pow(0.9, Double(step))
        var found: [Substring] = []
        var widest = 0.0
        for line in words {
          var (end, width) = (line.first?.text.startIndex, 0.0)
          var start = end
          for (word, own) in line {
            if width > 0, width + space + own > limit, let first = start, let last = end {
              found.append(word.base[first..<last])
              (start, width) = (word.startIndex, 0)
            }
            width += own + (width > 0 ? space : 0)
            widest = max(widest, width)
            end = word.endIndex
          }
          if let start, let end, let base = line.first?.text.base {
            found.append(base[start..<end])
          }
          if line.isEmpty { found.append("") }
        }
        let size = factor(widest, Double(found.count) * lineHeight)
        if size > best.factor { best = (size, found) }
      }
      guard best.texts != texts, best.texts.count <= maximumLines else { return nil }
      var broken: [Line] = []
      for text in best.texts { broken.append(try Line(text, fonts)) }
      return broken
    }

    /// Calls a body for each glyph with the place of its origin.
    private func forEachGlyph(
      _ body: (pe_text_glyph, _ x: Double, _ y: Double) throws(Refusal) -> Void
    ) throws(Refusal) {
      var y = top + padding
      for line in lines {
        y += line.ascent * size
        let free = width - 2 * padding - line.width * size
        let x = left + padding + free * request.alignment
        for glyph in line.glyphs { try body(glyph, x + glyph.x * size, y - glyph.y * size) }
        y += line.descent * size
      }
    }

    func draw(with fonts: OpenFonts) throws(Refusal) -> TextDrawing? {
      let line = request.outline * size
      var bounds = pe_text_bounds(left: .infinity, top: .infinity, right: 0, bottom: 0)
      func add(_ other: pe_text_bounds) {
        bounds.left = min(bounds.left, other.left)
        bounds.top = min(bounds.top, other.top)
        bounds.right = max(bounds.right, other.right)
        bounds.bottom = max(bounds.bottom, other.bottom)
      }
      let box = pe_text_bounds(left: left, top: top, right: left + width, bottom: top + height)
      if request.box > 0 { add(box) }
      try forEachGlyph { (glyph, x, y) throws(Refusal) in
        var glyph = glyph
        var found = pe_text_bounds()
        try check(pe_fonts_measure(fonts.handle, &glyph, size, x, y, line, &found))
        if found.right > found.left { add(found) }
      }
      let image = request.image
      let (first, last) = (
        (x: Int(max(0, bounds.left)), y: Int(max(0, bounds.top))),
        (
          x: Int(min(Double(image.width), bounds.right.rounded(.up))),
          y: Int(min(Double(image.height), bounds.bottom.rounded(.up)))
        )
      )
      guard last.x > first.x, last.y > first.y else { return nil }
      let area = PixelSize(width: last.x - first.x, height: last.y - first.y)
      guard area.pixelCount <= AttachmentImage.maximumPixels else {
        throw Refusal(reason: "text of \(area) pixels is too large; reduce the size")
      }
      var pixels = [UInt8](repeating: 0, count: area.pixelCount * 4)
      if request.box > 0 { fill(&pixels, area, box, from: first) }
      try pixels.withUnsafeMutableBufferPointer { buffer throws(Refusal) in
        let canvas = pe_text_canvas(
          pixels: buffer.baseAddress, width: Int32(area.width), height: Int32(area.height))
        let passes = [(line, request.outlineColor), (0, request.color)]
        for (width, color) in passes[(line > 0 ? 0 : 1)...] {
          let values = [color.red, color.green, color.blue, 255]
          try forEachGlyph { (glyph, x, y) throws(Refusal) in
            var glyph = glyph
            try check(
              pe_fonts_draw(
                fonts.handle, &glyph, size, x - Double(first.x), y - Double(first.y), width, values,
                canvas))
          }
        }
      }
      return TextDrawing(
        image: AttachmentImage(size: area, reducing: pixels), left: first.x, top: first.y)
    }

    /// Fills the box, in whole pixels.
    private func fill(
      _ pixels: inout [UInt8], _ area: PixelSize, _ box: pe_text_bounds,
      from first: (x: Int, y: Int)
    ) {
      let color = request.boxColor
      let alpha = UInt8((request.box * 255).rounded())
      func range(_ low: Double, _ high: Double, _ first: Int, _ count: Int) -> Range<Int> {
        let start = min(max(0, Int(low.rounded()) - first), count)
        return start..<min(max(start, Int(high.rounded()) - first), count)
      }
      let columns = range(box.left, box.right, first.x, area.width)
      for y in range(box.top, box.bottom, first.y, area.height) {
        for x in columns {
          let start = (y * area.width + x) * 4
          (pixels[start], pixels[start + 1]) = (color.red, color.green)
          (pixels[start + 2], pixels[start + 3]) = (color.blue, alpha)
        }
      }
    }
  }

  fileprivate static func check(_ code: pe_text_code) throws(Refusal) {
    switch code {
    case .PE_TEXT_OK: return
    case .PE_TEXT_OUT_OF_MEMORY: throw Refusal(reason: "the font needs too much memory")
    case .PE_TEXT_DAMAGED: throw Refusal(reason: "the font is damaged")
    }
  }
}

extension [TextDrawing.Line] {
  /// The width of the widest line.
  fileprivate var width: Double { reduce(0) { Swift.max($0, $1.width) } }
  /// The height of all lines.
  fileprivate var height: Double { reduce(0) { $0 + $1.ascent + $1.descent } }
}

extension TextDrawing.Line {
  /// Shapes a line.
  init(_ text: Substring, _ fonts: OpenFonts) throws(TextDrawing.Refusal) {
    var scalars: [UInt32] = []
    var faces: [UInt8] = []
    var last: Int32 = 0
    for character in text {
      let face = fonts.face(for: character, after: last)
      last = face
      for scalar in character.unicodeScalars {
        scalars.append(scalar.value)
        faces.append(UInt8(face))
      }
    }
    for face in Set(faces).union([0]) {
      var (above, below) = (0.0, 0.0)
      pe_fonts_heights(fonts.handle, Int32(face), &above, &below)
      // A damaged font may state any number.
      ascent = max(ascent, min(max(above, 0), 4))
      descent = max(descent, min(max(below, 0), 4))
    }
    var shaped: UnsafeMutablePointer<pe_text_glyph>?
    var count = 0
    try TextDrawing.check(
      pe_fonts_shape(fonts.handle, scalars, faces, scalars.count, &shaped, &count, &width))
    glyphs = Array(UnsafeBufferPointer(start: shaped, count: count))
    free(shaped)
    guard width.isFinite, (0...1e5).contains(width) else {
      throw TextDrawing.Refusal(reason: "the font is damaged")
    }
  }
}

extension AttachmentImage {
  /// Creates an image from red, green, blue and alpha, with one value for gray if all pixels are
  /// gray, so that text over a gray image leaves it gray.
  fileprivate init(size: PixelSize, reducing pixels: [UInt8]) {
    let isGray = (0..<pixels.count / 4).allSatisfy { pixel in
      let start = 4 * pixel
      let (red, green, blue) = (pixels[start], pixels[start + 1], pixels[start + 2])
      return red == green && green == blue
    }
    guard isGray else {
      self.init(size: size, layout: RowLayout(channels: .rgba), bytes: pixels)
      return
    }
    var bytes = [UInt8](repeating: 0, count: pixels.count / 2)
    for i in 0..<pixels.count / 4 {
      (bytes[2 * i], bytes[2 * i + 1]) = (pixels[4 * i], pixels[4 * i + 3])
    }
    self.init(size: size, layout: RowLayout(channels: .grayAlpha), bytes: bytes)
  }
}

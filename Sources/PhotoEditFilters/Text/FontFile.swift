// SPDX-License-Identifier: Apache-2.0
import CPhotoEditText
import PhotoEditPlatform
public import PhotoEditStorage

/// The libraries that read fonts, which are loaded when the first text is drawn.
package enum FontLibraries {
  /// The Debian packages; FreeType, HarfBuzz and FriBidi are installed with them.
  package static let packages = "libraqm0 libfontconfig1 libharfbuzz-subset0"

  /// The names and the versions of the compiled headers.
  package static var versions: [(name: String, version: String)] {
    var versions: [(name: String, version: String)] = []
    while let name = pe_text_library_name(Int32(versions.count)),
      let version = pe_text_library_version(Int32(versions.count))
    {
      versions.append((String(cString: name), String(cString: version)))
    }
    return versions
  }

  /// Loads the libraries that draw; the reason if that fails, otherwise nil.
  package static var drawingRefusal: String? { refusal(pe_text_load) }
  /// Loads the libraries that find installed fonts; the reason if that fails, otherwise nil.
  package static var findingRefusal: String? { refusal(pe_text_load_finder) }

  private static func refusal(_ load: (UnsafeMutablePointer<CChar>?) -> Int32) -> String? {
    var message = [CChar](repeating: 0, count: Int(PE_TEXT_MESSAGE_CAPACITY))
    guard load(&message) != 0 else { return nil }
    return String(untilZero: message)
  }
}

/// A font that is attached to a graph: the faces of a TrueType or OpenType file, or of a collection.
///
/// A character is drawn with the first face that has it.
public final class FontFile: Sendable, Hashable {
  /// The memory that FreeType may take for one font.
  static let maximumMemory = 96 << 20

  /// The reason why a file cannot be used.
  package enum Refusal: Error, Hashable {
    /// The libraries are not installed; the reason.
    case libraryMissing(String)
    /// The file is damaged or not a font; a clause.
    case unreadable(String)
  }

  /// SHA-256 of the file.
  public let digest: SHA256Digest
  /// The number of bytes of the file.
  package let byteCount: Int
  private let fonts: LockedValue<OpenFonts>

  /// Opens a font.
  package init(_ bytes: [UInt8]) throws(Refusal) {
    guard FontCollection.isFont(bytes) else {
      throw .unreadable("not a TrueType or OpenType font")
    }
    if let reason = FontLibraries.drawingRefusal { throw .libraryMissing(reason) }
    digest = SHA256Digest(of: bytes)
    byteCount = bytes.count
    fonts = LockedValue(try OpenFonts.open(bytes))
  }

  /// Returns whether two fonts are the same file.
  public static func == (left: FontFile, right: FontFile) -> Bool { left.digest == right.digest }

  /// Hashes the digest.
  public func hash(into hasher: inout Hasher) { hasher.combine(digest) }

  /// Runs a body that uses the faces.
  func withFaces<Result, Failure>(
    _ body: (OpenFonts) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try fonts.withLock { fonts throws(Failure) in try body(fonts) }
  }

  /// Returns the characters of a text that no face has.
  func missing(in text: String) -> [Character] {
    withFaces { fonts in Array(text.filter { fonts.face(for: $0) == nil }) }
  }

  /// Shapes a line: the glyphs from left to right with their positions, and the width, in sizes of the
  /// font.
  package func shaped(
    _ line: String
  ) throws -> (glyphs: [(index: UInt32, x: Double)], width: Double) {
    try withFaces { fonts in
      let line = try TextDrawing.Line(line[...], fonts)
      return (line.glyphs.map { ($0.index, $0.x) }, line.width)
    }
  }

  /// Indicates whether each character has a face, and each emoji a colored one.
  func isComplete(for text: String) -> Bool {
    withFaces { fonts in
      text.allSatisfy { character in
        fonts.face(for: character).map { !character.isColored || fonts.colored.contains($0) }
          ?? false
      }
    }
  }
}

/// The open faces of a font, for one thread at a time.
final class OpenFonts {
  let handle: OpaquePointer
  /// FreeType reads them whenever it needs them.
  private let bytes: UnsafeMutableBufferPointer<UInt8>
  /// The numbers of the faces whose glyphs have colors of their own.
  let colored: Set<Int32>
  /// The latest drawing, which is requested several times for each rendering.
  var latest: (request: TextDrawing.Request, result: TextDrawing?)?

  private init(_ handle: OpaquePointer, _ bytes: UnsafeMutableBufferPointer<UInt8>) {
    (self.handle, self.bytes) = (handle, bytes)
    colored = Set((0..<pe_fonts_count(handle)).filter { pe_fonts_is_colored(handle, $0) != 0 })
  }

  deinit {
    pe_fonts_close(handle)
    bytes.deallocate()
  }

  static func open(_ file: [UInt8]) throws(FontFile.Refusal) -> OpenFonts {
    let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: file.count)
    _ = bytes.initialize(from: file)
    var opened: OpaquePointer?
    let code = pe_fonts_open(bytes.baseAddress, file.count, FontFile.maximumMemory, &opened)
    if code == .PE_TEXT_OK, let opened { return OpenFonts(opened, bytes) }
    bytes.deallocate()
    throw .unreadable(
      code == .PE_TEXT_OUT_OF_MEMORY ? "the font needs too much memory" : "the font is damaged")
  }

  /// Returns the face that draws a character in a line; that of missing characters if none has it.
  ///
  /// - Parameter last: The face of the character before it, to whose word a space belongs.
  func face(for character: Character, after last: Int32) -> Int32 {
    guard character.visibleScalars.isEmpty else { return face(for: character) ?? 0 }
    let spaces = character.unicodeScalars.filter(\.properties.isWhitespace).map(\.value)
    // The spaces of emoji are as wide as they are.
    let near: [Int32] = colored.contains(last) ? [] : [last]
    return (near + Array(0..<pe_fonts_count(handle))).first { face in
      spaces.allSatisfy { pe_fonts_has(handle, face, $0) != 0 }
    } ?? last
  }

  /// Returns the face that draws a character with its marks; nil if none has all of it.
  ///
  /// An emoji is drawn with a colored face if there is one.
  func face(for character: Character) -> Int32? {
    let needed = character.visibleScalars.map(\.value)
    let having = (0..<pe_fonts_count(handle)).filter { face in
      needed.allSatisfy { pe_fonts_has(handle, face, $0) != 0 }
    }
    return (character.isColored ? having.first { colored.contains($0) } : nil) ?? having.first
  }
}

extension Character {
  /// The characters that need a glyph: neither spaces nor those that only control others.
  var visibleScalars: [Unicode.Scalar] {
    unicodeScalars.filter { scalar in
      let properties = scalar.properties
      return !properties.isDefaultIgnorableCodePoint && !properties.isWhitespace
        && properties.generalCategory != .control
    }
  }

  /// Indicates whether it is shown in colors: an emoji, unless its text form is requested.
  var isColored: Bool {
    let scalars = unicodeScalars
    if scalars.contains("\u{FE0F}") { return true }
    return !scalars.contains("\u{FE0E}")
      && scalars.first?.properties.isEmojiPresentation == true
  }
}

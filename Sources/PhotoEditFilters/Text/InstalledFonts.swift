// SPDX-License-Identifier: Apache-2.0
import CPhotoEditText
import FoundationEssentials
import PhotoEditPlatform
import PhotoEditStorage
// Swift's own normalization; Foundation's is not in FoundationEssentials.
@_spi(_Unicode) import Swift

/// The fonts that are installed, from which those of a text are taken once, when it is edited.
///
/// Only the needed glyphs are kept, so that the edit of each photo remains small.
enum InstalledFonts {
  /// The reason why a text has no fonts.
  enum Refusal: Error, Hashable {
    /// The libraries are not installed; the reason.
    case libraryMissing(String)
    /// No font of the family is installed; the font that would take its place.
    case notInstalled(nearest: String?)
    /// No installed font has a character.
    case noGlyph(Character)
    /// The font cannot be used; a clause.
    case unusable(String)
  }

  /// The names that stand for a kind of font.
  private static let generic: Set = [
    "sans-serif", "serif", "monospace", "cursive", "fantasy", "system-ui", "sans", "mono", "emoji",
  ]
  /// The maximum size of an installed font in bytes.
  private static let maximumBytes = 128 << 20
  /// The maximum number of fonts for one text.
  private static let maximumFonts = 8

  /// The characters that each text gets, so that a later change of the text rarely needs others: those
  /// of Western European languages and their punctuation.
  private static let usual: [UInt32] =
    Array(0x20...0x7E) + Array(0xA0...0xFF)
    + [0x2013, 0x2014, 0x2018, 0x2019, 0x201A, 0x201C, 0x201D, 0x201E, 0x2022, 0x2026, 0x20AC]

  /// Returns a font file with the glyphs of a text.
  ///
  /// - Parameters:
  ///   - name: The family, or a pattern of Fontconfig such as "DejaVu Sans:bold".
  ///   - first: The font that is preferred to that of the name.
  static func file(
    for text: String, named name: String, after first: [UInt8]? = nil
  ) throws(Refusal) -> [UInt8] {
    if let reason = FontLibraries.findingRefusal ?? FontLibraries.drawingRefusal {
      throw .libraryMissing(reason)
    }
    let characters = Set(text.filter { !$0.visibleScalars.isEmpty })
    let key = Key(characters: characters, name: name, first: first.map { SHA256Digest(of: $0) })
    if let known = recent.withLock({ $0.first { $0.key == key } }) { return known.file }
    let file = try found(for: String(characters.sorted()), named: name, after: first)
    recent.withLock { recent in
      recent.append((key, file))
      if recent.count > 8 { recent.removeFirst() }
    }
    return file
  }

  /// The values that a font file depends on.
  private struct Key: Hashable {
    let characters: Set<Character>
    let name: String
    let first: SHA256Digest?
  }

  /// The latest files, for previews and for the photos of a batch.
  private static let recent = LockedValue<[(key: Key, file: [UInt8])]>([])

  private static func found(
    for text: String, named name: String, after first: [UInt8]?
  ) throws(Refusal) -> [UInt8] {
    var files: [[UInt8]] = []
    if let first { files.append(first) } else { files.append(try named(name, for: text)) }
    // Many plain fonts have some emoji, without their colors.
    let emoji = Array(text.filter(\.isColored))
    if !emoji.isEmpty, let colored = try fallback(for: emoji, named: "emoji", isColored: true) {
      files.append(colored)
    }
    var missing = try missing(in: text, of: files)
    while let character = missing.first {
      guard files.count < maximumFonts,
        let next = try fallback(for: missing, named: name, isColored: false)
      else { throw .noGlyph(character) }
      files.append(next)
      let left = try self.missing(in: text, of: files)
      // A font may not have what it states.
      guard left.count < missing.count else { throw .noGlyph(character) }
      missing = left
    }
    return try joined(files)
  }

  /// Returns the font of a name, with the characters of a text.
  private static func named(_ name: String, for text: String) throws(Refusal) -> [UInt8] {
    let family = String(name.prefix { $0 != ":" })
    let list = try FontList(name, [])
    guard let entry = list.entries.first else { throw .notInstalled(nearest: nil) }
    guard generic.contains(family.lowercased()) || family.isEmpty || list.isNamed(0) else {
      throw .notInstalled(nearest: entry.family)
    }
    return try subset(entry, to: usual + text.unicodeScalars.map(\.value))
  }

  /// Returns the font that has the most of some characters; nil if none has any.
  private static func fallback(
    for characters: [Character], named name: String, isColored: Bool
  ) throws(Refusal) -> [UInt8]? {
    let scalars = characters.flatMap { $0.visibleScalars.map(\.value) }
    let list = try FontList(name, scalars, prefersColor: isColored)
    var best: (entry: FontList.Entry, count: Int)?
    for (index, entry) in list.entries.enumerated() where entry.isColored == isColored {
      let count = characters.count { character in
        character.visibleScalars.allSatisfy { list.has(index, $0.value) }
      }
      if count > best?.count ?? 0 { best = (entry, count) }
      if count == characters.count { break }
    }
    guard let best else { return nil }
    return try subset(best.entry, to: characters.flatMap { $0.unicodeScalars.map(\.value) })
  }

  private static func subset(
    _ entry: FontList.Entry, to characters: [UInt32]
  ) throws(Refusal) -> [UInt8] {
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try FileBytes.reading(entry.path, maximumBytes: maximumBytes).array
    } catch {
      throw .unusable("\(error)")
    }
    // Spaces, marks, joiners and directions belong to many characters.
    let all =
      Self.shapes(of: characters) + [
        0x20, 0xA0, 0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0x25CC, 0xFE0E, 0xFE0F,
      ]
    var result: UnsafeMutablePointer<UInt8>?
    var count = 0
    let code = pe_font_subset(
      bytes, bytes.count, entry.index, all, all.count, &result, &count)
    guard code == .PE_TEXT_OK else {
      throw .unusable("the font '\(entry.family)' is damaged (\(entry.path))")
    }
    defer { free(result) }
    return Array(UnsafeBufferPointer(start: result, count: count))
  }

  /// Returns characters with those that HarfBuzz may replace them by: composed, decomposed, and the
  /// parts of vowels that are written around others.
  private static func shapes(of characters: [UInt32]) -> [UInt32] {
    let text = String(
      String.UnicodeScalarView(characters.compactMap { Unicode.Scalar($0) }))
    let forms = Array(text._nfd) + Array(text._nfc)
    let parts = characters.flatMap { Self.parts[$0] ?? [] }
    return characters + forms.map(\.value) + parts
  }

  /// The parts of vowels of Thai, Lao and Khmer, which have no decomposition in Unicode.
  private static let parts: [UInt32: [UInt32]] = [
    0x0E33: [0x0E4D, 0x0E32], 0x0EB3: [0x0ECD, 0x0EB2], 0x17BE: [0x17C1], 0x17BF: [0x17C1],
    0x17C0: [0x17C1], 0x17C4: [0x17C1], 0x17C5: [0x17C1],
  ]

  private static func joined(_ files: [[UInt8]]) throws(Refusal) -> [UInt8] {
    guard let file = FontCollection.joining(files) else {
      throw .unusable("a collection of fonts cannot be completed with other fonts")
    }
    guard file.count <= GraphAttachment.maximumBytes else {
      throw .unusable("the fonts have more than \(GraphAttachment.maximumBytes) bytes")
    }
    return file
  }

  private static func missing(in text: String, of files: [[UInt8]]) throws(Refusal) -> [Character] {
    let file = try joined(files)
    do throws(FontFile.Refusal) {
      return try FontFile(file).missing(in: text)
    } catch {
      switch error {
      case .libraryMissing(let reason): throw .libraryMissing(reason)
      case .unreadable(let reason): throw .unusable(reason)
      }
    }
  }
}

/// Installed fonts, best first.
private final class FontList {
  struct Entry {
    let path: String
    let family: String
    let index: Int32
    let isColored: Bool
  }

  private let list: OpaquePointer
  let entries: [Entry]

  init(
    _ pattern: String, _ characters: [UInt32], prefersColor: Bool = false
  ) throws(InstalledFonts.Refusal) {
    var found: OpaquePointer?
    let code = pe_font_list_find(
      pattern, characters, characters.count, prefersColor ? 1 : 0, &found)
    guard code == .PE_TEXT_OK, let found else {
      throw .unusable("'\(pattern)' is not the name of a font")
    }
    list = found
    entries = (0..<pe_font_list_count(found)).map { index in
      let entry = pe_font_list_entry(found, index)
      return Entry(
        path: String(cString: entry.path), family: String(cString: entry.family),
        index: entry.index, isColored: entry.is_colored != 0)
    }
  }

  deinit { pe_font_list_free(list) }

  func has(_ index: Int, _ character: UInt32) -> Bool {
    pe_font_list_has(list, Int32(index), character) != 0
  }

  func isNamed(_ index: Int) -> Bool { pe_font_list_is_named(list, Int32(index)) != 0 }
}

// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// The pattern of the paths of exported files, such as "{created.year}/{album|title}/{name}".
///
/// A field in braces is replaced by a property of the asset. `{a|b}` is the first of several fields
/// that is not empty, and `{a,text}` is the text if the field is empty. A field with several
/// values, such as an album, results in several paths. Slashes in the pattern separate folders.
/// The extension follows from the file, whether the pattern ends with one or not.
public struct ExportTemplate: Sendable, Hashable {
  /// The properties of an asset that a template can contain.
  enum Field: String, Sendable, Hashable, CaseIterable {
    case year = "created.year"
    case month = "created.month"
    case day = "created.day"
    case time = "created.time"
    /// The file name at import, with its extension.
    case original
    /// The file name at import, without its extension.
    case name
    case fileExtension = "ext"
    case title
    /// The title of an album.
    case album
    /// The titles of an album and of the folders that contain it, as folders.
    case albumPath = "folder_album"
    case camera
    case country = "place.country"
    case city = "place.city"
    case keyword
    /// The identifier of the asset.
    case identifier = "id"
    /// The number of the asset in the export.
    case number = "seq"

    /// Indicates whether the value is in the metadata of the original.
    var isEmbedded: Bool { [.country, .city].contains(self) }
    var isAlbum: Bool { self == .album || self == .albumPath }
  }

  /// A field with its alternatives.
  struct Placeholder: Sendable, Hashable {
    /// The fields, of which the first that is not empty is used.
    var fields: [Field]
    /// The text for the case that all fields are empty.
    var fallback: String?
    /// The minimum number of digits of a number.
    var width = 1
  }

  enum Part: Sendable, Hashable {
    case text(String)
    case placeholder(Placeholder)
  }

  /// The pattern as written.
  public let pattern: String
  /// The parts of each path component.
  let components: [[Part]]

  /// Parses a pattern.
  ///
  /// - Throws: `LibraryError` with `changeNotSupported` for an unknown field, an unclosed brace or
  ///   an absolute path.
  public init(_ pattern: String) throws(LibraryError) {
    self.pattern = pattern
    var components: [[Part]] = [[]]
    var text = ""
    func error(_ message: String, hint: String? = nil) -> LibraryError {
      LibraryError(.changeNotSupported, "template \(pattern): \(message)", hint: hint)
    }
    func flush() {
      if !text.isEmpty { components[components.count - 1].append(.text(text)) }
      text = ""
    }
    var rest = pattern[...]
    while let character = rest.popFirst() {
      switch character {
      case "{":
        flush()
        guard let end = rest.firstIndex(of: "}") else {
          throw error("'{' without '}'", hint: "close the field with '}'")
        }
        let placeholder = try Self.placeholder(rest[..<end], error)
        components[components.count - 1].append(.placeholder(placeholder))
        rest = rest[rest.index(after: end)...]
      case "}": throw error("'}' without '{'", hint: "write fields as '{name}'")
      case "/":
        flush()
        components.append([])
      default: text.append(character)
      }
    }
    flush()
    guard !components.contains(where: \.isEmpty) else {
      throw error("has an empty path component", hint: "write a relative path, such as '{name}'")
    }
    self.components = components
  }

  private static func placeholder(
    _ text: Substring, _ error: (String, String?) -> LibraryError
  ) throws(LibraryError) -> Placeholder {
    let parts = text.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
    var placeholder = Placeholder(fields: [], fallback: parts.count > 1 ? String(parts[1]) : nil)
    for name in parts[0].split(separator: "|", omittingEmptySubsequences: false) {
      let words = name.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard let field = Field(rawValue: String(words[0])) else {
        throw error(
          "unknown field '\(name)'",
          "valid fields: \(Field.allCases.map(\.rawValue).joined(separator: ", "))")
      }
      if words.count > 1 {
        guard field == .number, let width = Int(words[1]), (1...12).contains(width) else {
          throw error("invalid width '\(words[1])'", "write a number of digits, as in {seq:4}")
        }
        placeholder.width = width
      }
      placeholder.fields.append(field)
    }
    return placeholder
  }

  var fields: Set<Field> {
    Set(
      components.joined().flatMap { part -> [Field] in
        if case .placeholder(let placeholder) = part { placeholder.fields } else { [] }
      })
  }

  // MARK: Paths

  /// Returns the paths of an asset without extension, relative to the folder of the export.
  ///
  /// - Parameter values: The values of a field; an album path has slashes between its titles.
  func paths(_ values: (Field) -> [String]) -> [String] {
    var paths = [""]
    for (index, component) in components.enumerated() {
      let isLast = index == components.count - 1
      var names = [""]
      for part in component {
        switch part {
        case .text(let text): names = names.map { $0 + Self.escaped(text) }
        case .placeholder(let placeholder):
          let found = Self.texts(placeholder, values)
          names = names.flatMap { name in found.map { name + $0 } }
        }
      }
      let safe = names.map { name in
        let parts = name.parts(at: "/", omittingEmptyParts: false)
          .map { $0.replacing(scalar: "\0", with: "/") }
        return parts.enumerated().map { position, part in
          let isName = isLast && position == parts.count - 1
          return part.isEmpty ? "_" : ExportName.safe(isName ? Self.withoutExtension(part) : part)
        }.joined(separator: "/")
      }
      paths = paths.flatMap { path in safe.map { path.isEmpty ? $0 : path + "/" + $0 } }
    }
    var seen: Set<String> = []
    return paths.filter { seen.insert($0.lowercased()).inserted }
  }

  private static func texts(
    _ placeholder: Placeholder, _ values: (Field) -> [String]
  ) -> [String] {
    for field in placeholder.fields {
      let found = values(field).filter { !$0.isEmpty }
      guard !found.isEmpty else { continue }
      return found.map { value in
        if field == .number {
          return String(repeating: "0", count: max(0, placeholder.width - value.count)) + value
        }
        return field == .albumPath ? value : escaped(value)
      }
    }
    return [escaped(placeholder.fallback ?? "")]
  }

  /// Returns text whose slashes do not separate folders.
  static func escaped(_ text: String) -> String { text.replacing(scalar: "/", with: "\0") }

  /// Removes the extension of a photo or video, which is replaced by that of the exported file.
  private static func withoutExtension(_ name: String) -> String {
    let (stem, ending) = FileSystem.splitName(name)
    return FileContent.family(ofExtension: ending) == nil ? name : stem
  }
}

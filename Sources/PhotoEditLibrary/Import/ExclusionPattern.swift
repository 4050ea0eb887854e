// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// A pattern of the files and folders that an import leaves out, as in `.gitignore`.
///
/// `*` and `?` match any text and any character of a name, `[a-z]` and `[!a-z]` one of some
/// characters; a character after `\` is literal. A pattern without a slash applies to the names
/// in all folders; a pattern with a slash applies to the paths below the named folder, and there
/// `**` matches any number of folders. With a slash at its end, it applies only to folders. The
/// contents of an excluded folder are excluded.
public struct ExclusionPattern: Sendable, Hashable {
  private enum Token: Sendable, Hashable {
    case any
    case one
    case scalar(Unicode.Scalar)
    case set([ClosedRange<Unicode.Scalar>], isInverted: Bool)
  }

  /// The pattern as it was written.
  public let text: String
  /// The tokens of each name; nil for any number of folders.
  private let names: [[Token]?]
  private let appliesToPaths: Bool
  private let appliesToFoldersOnly: Bool

  /// Reads a pattern; returns nil if it is empty, or begins with `!`, which is not supported.
  public init?(_ text: String) {
    guard !text.hasPrefix("!") else { return nil }
    self.text = text
    let names = text.parts(at: "/")
    guard !names.isEmpty else { return nil }
    self.names = names.map { $0 == "**" ? nil : Self.tokens($0) }
    appliesToFoldersOnly = text.hasSuffix("/")
    appliesToPaths = names.count > 1 || text.hasPrefix("/")
  }

  private static func tokens(_ name: String) -> [Token] {
    var rest = Substring(name).unicodeScalars
    var tokens: [Token] = []
    while let scalar = rest.popFirst() {
      switch scalar {
      case "*": if tokens.last != .any { tokens.append(.any) }
      case "?": tokens.append(.one)
      case "\\": tokens.append(.scalar(rest.popFirst() ?? scalar))
      case "[": tokens.append(set(&rest) ?? .scalar(scalar))
      default: tokens.append(.scalar(scalar))
      }
    }
    return tokens
  }

  /// Reads the characters after a bracket; nil if none closes it.
  private static func set(_ rest: inout Substring.UnicodeScalarView) -> Token? {
    var scalars = rest
    let isInverted = scalars.first == "!" || scalars.first == "^"
    if isInverted { scalars.removeFirst() }
    var ranges: [ClosedRange<Unicode.Scalar>] = []
    while let first = scalars.popFirst() {
      if first == "]", !ranges.isEmpty {
        rest = scalars
        return .set(ranges, isInverted: isInverted)
      }
      var last = first
      if scalars.first == "-", let end = scalars.dropFirst().first, end != "]" {
        scalars = scalars.dropFirst(2)
        last = end
      }
      ranges.append(min(first, last)...max(first, last))
    }
    return nil
  }

  /// Returns whether a file or a folder is excluded, regardless of the folders that contain it.
  ///
  /// - Parameter path: The path below the folder that the user named.
  func matches(_ path: String, isFolder: Bool) -> Bool {
    guard isFolder || !appliesToFoldersOnly else { return false }
    let parts = path.parts(at: "/").map { Array($0.unicodeScalars) }
    guard let last = parts.last else { return false }
    guard appliesToPaths else { return Self.matches(last, names[0]) }
    return Self.matches(parts, names, isAny: { $0 == nil }) { Self.matches($0, $1) }
  }

  private static func matches(_ name: [Unicode.Scalar], _ tokens: [Token]?) -> Bool {
    guard let tokens else { return true }
    return matches(name, tokens, isAny: { $0 == .any }) { scalar, token in
      switch token {
      case .any, .one: true
      case .scalar(let other): scalar == other
      case .set(let ranges, let isInverted):
        ranges.contains { $0.contains(scalar) } != isInverted
      }
    }
  }

  /// Compares items with a pattern, in which some elements stand for any number of items.
  ///
  /// Only the last such element is tried with more items, so the time is at most the product of
  /// both counts.
  private static func matches<Item, Element>(
    _ items: [Item], _ pattern: [Element], isAny: (Element) -> Bool,
    _ isMatch: (Item, Element) -> Bool
  ) -> Bool {
    var (item, element) = (0, 0)
    var retry: (item: Int, element: Int)?
    while item < items.count {
      if element < pattern.count, isAny(pattern[element]) {
        retry = (item, element)
        element += 1
      } else if element < pattern.count, isMatch(items[item], pattern[element]) {
        (item, element) = (item + 1, element + 1)
      } else if let last = retry {
        (item, element) = (last.item + 1, last.element + 1)
        retry = (item, last.element)
      } else {
        return false
      }
    }
    return pattern[element...].allSatisfy(isAny)
  }

  /// The reason why a file is left out.
  var reason: String { "excluded by “\(text)”" }
}

extension [ExclusionPattern] {
  /// Returns the first pattern that excludes a file or a folder.
  func first(matching path: String, isFolder: Bool) -> ExclusionPattern? {
    first { $0.matches(path, isFolder: isFolder) }
  }
}

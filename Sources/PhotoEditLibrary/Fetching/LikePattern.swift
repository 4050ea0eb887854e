// SPDX-License-Identifier: Apache-2.0

/// A LIKE pattern: `*` is any text, `?` any character, and a backslash escapes either.
///
/// A character is a Unicode scalar. The pattern and the text end at the first NUL, as in SQLite.
struct LikePattern {
  private enum Part: Equatable {
    case anyText
    case anyScalar
    case scalar(Unicode.Scalar)
  }

  private let parts: [Part]

  init(_ text: String) {
    var parts: [Part] = []
    var isEscaped = false
    for scalar in text.unicodeScalars {
      if scalar == "\0" { break }
      if isEscaped {
        parts.append(.scalar(scalar))
        isEscaped = false
        continue
      }
      switch scalar {
      case "\\": isEscaped = true
      case "*": if parts.last != .anyText { parts.append(.anyText) }
      case "?": parts.append(.anyScalar)
      default: parts.append(.scalar(scalar))
      }
    }
    if isEscaped { parts.append(.scalar("\\")) }
    self.parts = parts
  }

  /// The pattern in the syntax of SQLite's GLOB.
  var glob: String {
    var text = String.UnicodeScalarView()
    for part in parts {
      switch part {
      case .anyText: text.append("*")
      case .anyScalar: text.append("?")
      case .scalar(let scalar):
        if scalar == "*" || scalar == "?" || scalar == "[" {
          text.append(contentsOf: ["[", scalar, "]"])
        } else {
          text.append(scalar)
        }
      }
    }
    return String(text)
  }

  /// Returns whether the whole text matches; takes time up to the product of the lengths.
  func matches(_ text: String) -> Bool {
    let scalars = Array(text.unicodeScalars.prefix { $0 != "\0" })
    var (i, j) = (0, 0)
    var lastStar: (part: Int, scalar: Int)?
    while i < scalars.count {
      if j < parts.count, parts[j] == .anyText {
        lastStar = (j, i)
        j += 1
      } else if j < parts.count, parts[j] == .anyScalar || parts[j] == .scalar(scalars[i]) {
        i += 1
        j += 1
      } else if let star = lastStar {
        // Extend the match of the last star by one scalar and try again.
        lastStar = (star.part, star.scalar + 1)
        i = star.scalar + 1
        j = star.part + 1
      } else {
        return false
      }
    }
    return parts[j...].allSatisfy { $0 == .anyText }
  }
}

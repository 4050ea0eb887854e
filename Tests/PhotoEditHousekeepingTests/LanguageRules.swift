// SPDX-License-Identifier: Apache-2.0

/// The words that names, help, errors, comments and pages of the project do not use.
enum LanguageRules {
  /// A phrase and what to write instead; a star stands for any ending of the last word.
  static let bans: [String: String] = [
    // Programs and callers are not people.
    "who": "the caller, the client, the process", "whoever": "any process, the next caller",
    "whom": "the caller", "somebody": "a caller, another process", "nobody": "not, no process",
    "anybody": "any process",
    // Standard terms.
    "picture": "image, photo or frame", "pictures": "images, photos or frames",
    "ink": "CMYK component", "inks": "CMYK components", "divisor": "quantization table element",
    "divisors": "quantization table elements", "film": "motion-photo video",
    "quarter turn": "90° rotation", "quarter turns": "90° rotations", "wholly": "atomically",
    "half made": "partial", "half done": "partial", "bit by bit": "byte for byte",
    "turns a": "rotates", "turns an": "rotates", "turns the": "rotates", "turned by": "rotated by",
    "turned upright": "rotated to its orientation", "as people see it": "the current version",
    // Plain verbs.
    "anew": "again", "for ever": "permanently", "all the same": "anyway", "no say": "is ignored",
    "is none": "is not a …", "are none": "are not …", "what became of": "the result of",
    "goes on": "continues", "going on": "continuing", "gone on": "continued",
    "go on": "continue", "lies in": "is stored in", "lies at": "starts at",
    "lies behind": "follows", "lies beside": "is next to", "lie in": "are stored in",
    "lie at": "start at", "lie behind": "follow", "lie beside": "are next to",
    "stands in": "is in", "stands at": "is at", "stands behind": "follows",
    "stands beside": "is next to", "stands before": "precedes", "told": "reported, notified",
    "tells of": "reports", "tells that": "reports that", "tells which": "reports which",
    "tells what": "reports", "tells how": "reports how", "makes a": "creates, writes",
    "makes an": "creates, writes", "makes the": "creates, writes", "so many": "the limit",
    "is wanted": "is requested", "is meant": "is intended", "is announced": "is expected",
    // American spelling.
    "colour*": "color", "grey": "gray", "catalogue*": "catalog", "neighbour*": "neighbor",
    "centre*": "center", "favourite*": "favorite", "licence*": "license",
  ]

  /// The words that identifiers of the sources and the tests do not contain, in any case.
  static let identifierBans: Set<String> = [
    "picture", "pictures", "ghost", "fate", "patience", "upkeep", "tidy", "ink", "inks", "divisors",
    "foreign", "recipe", "obstacle", "obstacles", "peers", "shade", "cut", "turned", "places",
    "told",
    "tell", "tells", "say", "says", "news", "standing", "tie", "survivors", "newcomers",
    "forgotten",
    "remember", "remembers", "lights", "lose", "loses", "settle", "settled", "judge", "untold",
    "behind",
    "beyond", "ours", "wipe", "wanted", "film", "verb", "verbs", "room", "gone", "colour",
    "neighbour", "centre", "neutral", "mirrors", "upright", "slices", "lying", "stands", "beside",
  ]

  /// Names of standards and of other libraries.
  private static let namesOfOthers: Set<String> = [
    "MultiPictureIndex", "has_foreign_side_data", "CodedPicture", "WebPPicture", "WebPPictureInit",
    "WebPPictureImportRGBA", "WebPPictureImportRGB", "WebPPictureFree", "picture",
    "de265_get_next_picture", "de265_release_next_picture", "de265_get_image_colour_primaries",
    "DE265_DECODER_PARAM_SUPPRESS_FAULTY_PICTURES", "heif_reader_grow_status_size_beyond_eof",
  ]

  /// Standard terms and names that hold a banned word, and parameters in doc comments.
  private static let terms = [
    "multi-picture", "picture parameter set", "coded picture", "hevc picture", "film grain",
    "instant film",
    "vintage film", "film simulation", "colour-science", "~/pictures", "picture:",
    "/divisor", "divisor of the sums",
  ]

  /// Clauses that do not name a thing; a doc comment does not begin with them.
  private static let clauses: Set<Substring> = [
    "what", "how", "why", "where", "which", "whether", "who",
  ]

  /// The banned phrases of a line of prose, in order.
  static func phrases(in line: String) -> [String] {
    var text = line.lowercased()
    for term in terms where text.containsBytes(of: term) {
      text = text.split(separator: term).joined()
    }
    return text.split { ".,;:|()!?".contains($0) }.flatMap { clause in
      let words = clause.split { !$0.isLetter }
      return words.indices.flatMap { index in
        (byFirstWord[words[index]] ?? []).filter { phrase in
          words[index...].starts(with: phrase.split(separator: " "))
        } + endings.filter { words[index].hasPrefix($0) }.map { $0 + "*" }
      }
    }
  }

  private static let byFirstWord = Dictionary(
    grouping: bans.keys.filter { !$0.hasSuffix("*") }.sorted(),
    by: { $0.split(separator: " ")[0] })
  private static let endings = bans.keys.filter { $0.hasSuffix("*") }.map { String($0.dropLast()) }

  /// The findings in comments and messages of a Swift file.
  static func proseFindings(in file: TextFile) -> [String] {
    var previous: Substring = ""
    var isText = false
    return file.findings { line in
      let text = line.drop { $0 == " " }
      defer { previous = text }
      if line.containsBytes(of: "\"\"\"") {
        isText.toggle()
      } else if isText {
        return report(String(text))
      }
      guard text.hasPrefix("//") else { return report(literals(of: text).joined(separator: " ")) }
      let first = text.dropFirst(4).prefix { $0.isLetter }.lowercased()[...]
      if text.hasPrefix("/// "), !previous.hasPrefix("//"), clauses.contains(first) {
        return "the comment begins with a clause; say what the thing is: \(text)"
      }
      return report(withoutCode(text))
    }
  }

  /// The findings in the identifiers of a Swift or C file.
  static func identifierFindings(in file: TextFile) -> [String] {
    var isText = false
    return file.findings { line in
      if line.containsBytes(of: "\"\"\"") { isText.toggle() }
      let start = line.drop { $0 == " " }
      guard !isText, !["//", "/*", "*"].contains(where: start.hasPrefix), mayHoldBans(line)
      else { return nil }
      // Raw strings and the names of tests are prose.
      let code = line.replacing("\\\"", with: "").replacing(#/#".*?"#|`[^`]* [^`]*`/#, with: "")
        .replacing(#/ // .*/#, with: "").split(
          separator: "\"", omittingEmptySubsequences: false
        ).enumerated()
        .filter { $0.offset.isMultiple(of: 2) }.map(\.element).joined(separator: " ")
      let found = bannedIdentifiers(in: code[...]).filter { !namesOfOthers.contains($0) }
      return found.isEmpty ? nil : "rename \(found.joined(separator: ", "))"
    }
  }

  private static func bannedIdentifiers(in code: Substring) -> [String] {
    code.matches(of: #/[A-Za-z_]\w*/#).map { String($0.0) }.filter { name in
      name.matches(of: #/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/#).contains {
        identifierBans.contains($0.0.lowercased())
      }
    }
  }

  /// Whether a banned word occurs anywhere in a line; regular expressions are a hundred times
  /// slower.
  private static func mayHoldBans(_ line: Substring) -> Bool {
    let text = line.lowercased()
    return identifierBans.contains(where: text.containsBytes)
  }

  /// The findings in the identifiers of a script or a module of the page.
  static func scriptFindings(in file: TextFile) -> [String] {
    var isText = false
    return file.findings { line in
      let quotes = line.matches(of: #/\"\"\"/#).count
      if !quotes.isMultiple(of: 2) { isText.toggle() }
      let start = line.drop { $0 == " " }
      guard !isText, quotes == 0, !["//", "/*", "*", "#"].contains(where: start.hasPrefix),
        !start.hasPrefix("def test_"), mayHoldBans(line)
      else { return nil }
      let code = line.replacing(#/"[^"]*"|'[^']*'|`[^`]*`/#, with: "")
        .replacing(#/ (#|\/\/) .*/#, with: "")
      let found = bannedIdentifiers(in: code).filter { !fieldNames.contains($0) }
      return found.isEmpty ? nil : "rename \(found.joined(separator: ", "))"
    }
  }

  /// Names of JSON fields, which stay, and of the commands and modules that scripts use.
  private static let fieldNames: Set<String> = [
    "obstacle", "picture", "neutral", "peers", "haldPicture", "twoPictures", "cut", "tell",
    "colour",
  ]

  /// The findings in a page, outside of its listings.
  static func pageFindings(in file: TextFile) -> [String] {
    var isListing = false
    return file.findings { line in
      if line.drop(while: { $0 == " " }).hasPrefix("```") { isListing.toggle() }
      return isListing ? nil : report(withoutCode(line))
    }
  }

  /// The findings in the names of tests.
  static func testFindings(in file: TextFile) -> [String] {
    file.findings { line in
      guard let start = line.firstRange(of: "func `") else { return nil }
      let name = line[start.upperBound...].prefix { $0 != "`" }
      if let first = name.split(separator: " ").first, clauses.contains(first), first != "which" {
        return "the name begins with a clause: \(name)"
      }
      if name.prefixMatch(of: #/(§|[A-Z])?\d[\d.]*((, | and |…)[A-Z]\d+)*: /#) != nil {
        return "the name begins with a code: \(name)"
      }
      return report(String(name))
    }
  }

  private static func report(_ prose: String) -> String? {
    let found = phrases(in: prose)
    return found.isEmpty
      ? nil : found.map { "'\($0)': write \(bans[$0] ?? "another word")" }.joined(separator: "; ")
  }

  /// A line without what is in backticks: identifiers keep their names.
  private static func withoutCode(_ line: Substring) -> String {
    line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset.isMultiple(of: 2) }.map { String($0.element) }.joined(separator: " ")
  }

  /// The string literals of a line that hold a sentence; a single word is a name.
  private static func literals(of line: Substring) -> [String] {
    guard line.utf8.contains(UInt8(ascii: "\"")) else { return [] }
    // An interpolation is code.
    return line.replacing(#/\\\([^()]*\)/#, with: "").split(
      separator: "\"", omittingEmptySubsequences: false
    )
    .enumerated().filter { !$0.offset.isMultiple(of: 2) && $0.element.contains(" ") }
    .map { String($0.element) }
  }
}

// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditPlatform

/// A command that writes the manual pages of the program.
struct ManCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "man", "Write the manual pages.",
    discussion: """
      Writes photoedit.1, a page for each command, photoedit-filters.7 and photoedit-predicates.7 \
      in mdoc to DIR, which is created if it does not exist; existing pages are replaced. Read \
      one with 'man DIR/photoedit.1'. The pages are dated $SOURCE_DATE_EPOCH, or today.
      """,
    examples: [CommandExample("man pages", "write the pages to the folder pages")],
    writesJSON: true,
    arguments: [.positional("DIR", \.folder, "Folder for the pages.")])

  var folder = ""

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    let pages = Self.pages(date: Self.date(environment))
    try translating({ CommandFailure($0) }) { () throws(FileError) in
      if !FileSystem.isFolder(folder) { try FileSystem.createFolder(folder) }
    }
    for page in pages {
      try Publishing.write(
        Array(page.text.utf8), to: folder + "/" + page.fileName, replacesFiles: true)
    }
    guard environment.wantsJSON else {
      return environment.note("wrote \(pages.count) manual pages to \(folder)")
    }
    try environment.write(["output": .string(folder), "pages": .texts(pages.map(\.fileName))])
  }

  private static func pages(date: String) -> [ManualPage] {
    let topics = [FilterManual.page(date: date), PredicateManual.page(date: date)]
    return Program.description.manualPages(date: date, environment: variables, topics: topics)
      + topics
  }

  private static let variables = [
    (PhotoLibrary.folderVariable, "Folder of the photo library, where --library is not given."),
    ("PHOTOEDIT_STATE", "Folder for edits of photos without a sidecar; see --state-dir."),
    (PlaceIndex.variable, "File of places by which locations get names."),
    ("PHOTOEDIT_LOG", "Amount of messages: quiet, normal, verbose or debug."),
    ("PHOTOEDIT_KERNELS", "Build of the row loops: baseline, avx2 or avx512; same results."),
    ("NO_COLOR", "Disables color, like --no-color."),
  ].map { (name: $0.0, meaning: $0.1) }

  /// The date of reproducible builds, or today, as mdoc expects it.
  private static func date(_ environment: CommandEnvironment) -> String {
    let epoch = environment.variable("SOURCE_DATE_EPOCH").flatMap { Int($0) }
    var seconds = time_t(epoch ?? Int(Clock.now().date.timeIntervalSince1970))
    var fields = tm()
    gmtime_r(&seconds, &fields)
    return
      "\(Clock.monthNames[Int(fields.tm_mon)]) \(fields.tm_mday), \(Int(fields.tm_year) + 1900)"
  }
}

/// The manual page photoedit-filters(7), generated from the schemas of the filters.
enum FilterManual {
  static func page(date: String) -> ManualPage {
    var page = ManualPage(
      "photoedit-filters", section: 7, "Filters of photoedit.", date: date)
    page.heading("DESCRIPTION")
    page.paragraphs(
      """
      A filter is written as NAME or NAME:KEY=VALUE,KEY=VALUE. A parameter that is not given has \
      its default; some filters have their full effect if only their name is given. Options of \
      the node are id, in, mask, opacity and blend. 'photoedit filters NAME' also shows the \
      formula and the source of a filter.

      Vectors are written as a:b:c, the points of curves as x:y/x:y.
      """)
    let groups = FilterCatalog.groupNames + [FilterCatalog.movieGroupName]
    let filters = FilterCatalog.all + FilterCatalog.movieOperations
    for group in groups {
      page.heading(group.uppercased())
      for type in filters where FilterCatalog.group(of: type) == group {
        let filter = type.description
        page.subheading(filter.name)
        page.paragraphs(filter.summary)
        page.list(filter.parameters.map { (.name($0.name), text(of: $0)) })
      }
    }
    page.seeAlso([("photoedit", 1), ("photoedit-apply", 1), ("photoedit-filters", 1)])
    return page
  }

  private static func text(of parameter: FilterDescription.Entry) -> String {
    let summary = parameter.summary.hasSuffix(".") ? parameter.summary : parameter.summary + "."
    return summary + " Allowed: \(parameter.type.allowed(unit: parameter.unit))."
      + (parameter.default.argument.isEmpty ? "" : " Default: \(parameter.default.argument).")
  }
}

/// The manual page photoedit-predicates(7), with the keys of the library.
enum PredicateManual {
  static func page(date: String) -> ManualPage {
    var page = ManualPage(
      "photoedit-predicates", section: 7, "Conditions of photoedit for assets.", date: date)
    page.heading("DESCRIPTION")
    page.paragraphs(
      """
      The option --where takes a predicate: comparisons of keys with values, combined with \
      AND, OR, NOT and parentheses. Keywords ignore case. Quote the predicate for the shell.
      """)
    page.heading("KEYS")
    page.list(AssetKey.listing.map { (.name($0.name), types[$0.type] ?? "Value.") })
    page.heading("OPERATORS")
    page.list(operators.map { (.text($0.0), $0.1) })
    page.heading("VALUES")
    page.list(values.map { (.text($0.0), $0.1) })
    page.heading("EXAMPLES")
    for (condition, meaning) in examples {
      page.paragraphs(meaning)
      page.literal(["photoedit asset list --where \"\(condition)\""])
    }
    page.seeAlso([("photoedit", 1), ("photoedit-asset-list", 1)])
    return page
  }

  private static let types = [
    "date": "Date.", "integer": "Whole number.", "bits": "Bit set; tested with '&'.",
    "real": "Number.", "flag": "YES or NO.", "text": "Text.",
    "identifier": "Identifier; compared with '==', '!=' and 'IN' only.",
  ]

  private static let operators = [
    ("== != < <= > >=", "Compare a key with a value or with another key of the same type."),
    ("IN {A, B}", "Matches one of the values."),
    ("BETWEEN {A, B}", "Matches a range, bounds included."),
    (
      "CONTAINS BEGINSWITH ENDSWITH LIKE",
      "Compare text; in the pattern of LIKE, '*' is any text and '?' any character. '[c]' after "
        + "the operator ignores the case of A to Z."
    ),
    ("(KEY & BITS) != 0", "Matches if one of the bits is set."),
    ("AND OR NOT && || !", "Combine conditions."),
  ]

  private static let values = [
    ("12, 1.5, 1e3", "Numbers."),
    ("'text'", "Text in single or double quotes; a backslash escapes the next character."),
    ("'2026-11-22'", "A date, or a date with a time in ISO 8601; UTC without a time zone."),
    ("YES NO", "Booleans."),
    ("NULL", "A missing value, with '==' and '!=' only."),
  ]

  private static let examples = [
    ("favorite == YES AND pixelWidth >= 4000", "Large favorites:"),
    ("creationDate BETWEEN {'2024-05-01', '2024-06-01'}", "Assets of May 2024:"),
    ("mediaType == 2 AND duration > 60", "Videos longer than a minute:"),
  ]
}

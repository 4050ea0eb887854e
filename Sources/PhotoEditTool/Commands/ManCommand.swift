// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEdit
import PhotoEditCommandLine
import PhotoEditLibrary
import PhotoEditPlatform
import PhotoEditStorage

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
    return "\(Clock.monthNames[Int(fields.tm_mon)]) \(fields.tm_mday), \(fields.tm_year + 1900)"
  }
}

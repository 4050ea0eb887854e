// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditCommandLine
import PhotoEditFilters
import PhotoEditLibrary
import PhotoEditStorage

/// A command that creates an empty library.
struct LibraryCreateCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "library create", "Create an empty photo library.",
    discussion: "The folder must be empty or must not exist yet.",
    examples: [CommandExample("library create ~/Photos", "create an empty library in ~/Photos")],
    writesJSON: true, arguments: [.group(\.library, LibraryArguments.newFolder)])

  var library = LibraryArguments()

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    let folder = try library.folder(needed: environment)
    let library = try inLibrary(PhotoLibrary.create(at: URL(filePath: folder)))
    if environment.wantsJSON {
      return try environment.write([
        "library": .string(folder), "identifier": .string(library.identifier),
      ])
    }
    environment.note(
      "created \(folder); add photos with "
        + "'photoedit asset import PATH --library \(Shell.quoted(folder))'")
  }
}

/// A command that shows the properties and the size of a library.
struct LibraryInfoCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "library info", "Show contents, size and access rights of a library.",
    examples: [
      CommandExample(
        "library info Photos", "show the number of assets and albums, and the total size"),
      CommandExample("library info Photos --by month", "show a histogram of the months"),
    ],
    writesJSON: true,
    arguments: [
      .group(\.library, LibraryArguments.operandOrOption),
      .option("by", \.unit, value: "UNIT", "Add a histogram by day, month or year."),
    ])

  var library = LibraryArguments()
  var unit: Timeline.Unit?

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    let folder = try library.folderForMaintenance(environment)
    let library = try inLibrary(OpenLibraries.library(in: folder.path, environment))
    let facts = try inLibrary(library.statistics())
    let access = library.authorizationStatus(for: .readWrite)
    let timeline: Timeline?
    if let unit {
      timeline = try inLibrary(library.fetchTimeline(by: unit))
    } else {
      timeline = nil
    }
    if environment.wantsJSON {
      var json: [String: JSONValue] = [
        "library": .string(library.url.path), "identifier": .string(library.identifier),
        "assets": .whole(facts.assets), "images": .whole(facts.images),
        "videos": .whole(facts.videos), "edited": .whole(facts.edited),
        "trashed": .whole(facts.trashed), "albums": .whole(facts.albums),
        "folders": .whole(facts.folders), "bytes": .whole(facts.bytes),
        "commits": .whole(facts.commits), "access": .string("\(access)"),
      ]
      if let timeline {
        json["periods"] = .array(timeline.periods.map { .object($0.json) })
      }
      return try environment.write(json)
    }
    var lines = LabelledLines()
    lines.add("library", library.url.path)
    lines.add("identifier", library.identifier)
    lines.add(
      "assets",
      "\(facts.assets): \(facts.images) images, \(facts.videos) videos, "
        + "\(facts.edited) edited")
    lines.add("trash", "\(facts.trashed)")
    lines.add("albums", "\(facts.albums) in \(facts.folders) folders and at the top level")
    lines.add("files", "\(facts.bytes) bytes")
    lines.add("commits", "\(facts.commits)")
    lines.add("access", "\(access)")
    lines.print(in: environment)
    if let timeline { TimelineReport.writeHistogram(timeline, environment) }
  }
}

// SPDX-License-Identifier: Apache-2.0

/// A command that finds and merges duplicates.
struct AssetDuplicatesCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "asset duplicates", "Find assets with the same content, and merge them.",
    discussion: """
      Originals are compared by their bytes ('digest'), by their pixels regardless of metadata \
      ('pixels'), or by appearance ('similar': copies of other sizes, formats or qualities; \
      inspect them before merging). Each group begins with the asset to keep; the order of \
      preference is more pixels, RAW, edited, in albums, imported earlier.

      --merge adds the albums, keywords and people of the other assets to it, and what else it \
      lacks, such as a date, title or rating, and moves them to the trash; 'asset restore' brings \
      them back. Of two different values it keeps its own; each one given up is listed.
      """,
    examples: [
      CommandExample("asset duplicates", "list photos with the same pixels"),
      CommandExample("asset duplicates --by digest --merge --yes", "merge identical files"),
    ],
    writesJSON: true, stopsCleanly: true,
    arguments: [
      .group(\.library, LibraryArguments.arguments),
      .option("by", \.method, value: "METHOD", "Comparison method."),
      .flag("merge", \.merges, "Keep one asset of each group."),
      .flag("yes", short: "y", \.isConfirmed, "Confirm the merge (required)."),
    ])

  var library = LibraryArguments()
  var method = DuplicateSearch.Method.pixels
  var merges = false
  var isConfirmed = false

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    let library = try library.open(environment)
    var search = DuplicateSearch(library)
    search.isCancelled = { environment.isCancelled }
    search.progress = { environment.progress.update($0, of: $1) }
    let groups: [DuplicateSearch.Group]
    do throws(LibraryError) { groups = try search.groups(by: method) } catch {
      environment.progress.clear()
      try environment.checkCancellation()
      throw CommandFailure(error)
    }
    environment.progress.clear()
    let count = groups.reduce(0) { $0 + $1.duplicates.count }
    if merges, count > 0 {
      guard isConfirmed else {
        throw .usage(
          "this command moves \(counted(count, "asset")) to the trash", hint: "use --yes to confirm"
        )
      }
      try changing(library) { changes throws(LibraryError) in
        for group in groups { try changes.merge(group.duplicates, into: group.keeper) }
      }
    }
    for group in groups { try show(group, environment) }
    if !environment.wantsJSON {
      environment.note(
        "\(counted(groups.count, "group")), \(counted(count, "duplicate"))"
          + (merges && count > 0 ? "; moved to the trash" : ""))
    }
  }

  private func show(
    _ group: DuplicateSearch.Group, _ environment: CommandEnvironment
  ) throws(CommandFailure) {
    if environment.wantsJSON {
      return try environment.write([
        "keep": .string(group.keeper.localIdentifier),
        "duplicates": .texts(group.duplicates.map(\.localIdentifier)),
        "by": .string(method.rawValue), "merged": .bool(merges),
        "conflicts": .array(
          group.conflicts.map {
            [
              "property": .string($0.property), "kept": $0.kept, "lost": $0.lost,
              "duplicate": .string($0.duplicate.localIdentifier),
            ]
          }),
      ])
    }
    environment.print("keep       " + group.keeper.line)
    for asset in group.duplicates { environment.print("duplicate  " + asset.line) }
    for conflict in group.conflicts {
      environment.print(
        "           \(conflict.duplicate.localIdentifier.prefix(8)) has another "
          + "\(conflict.property): \(text(conflict.lost)), not \(text(conflict.kept))")
    }
  }

  private func text(_ value: JSONValue) -> String {
    (try? value.canonicalBytes()).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
}

extension DuplicateSearch.Method: ArgumentValue {}

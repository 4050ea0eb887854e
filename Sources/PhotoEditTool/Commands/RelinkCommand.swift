// SPDX-License-Identifier: Apache-2.0

/// A command that moves sidecars to their photos after these were renamed or moved.
struct RelinkCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "relink", "Move sidecars to photos that were renamed or moved.",
    discussion: """
      Searches the folders for sidecars whose photo is missing and for photos without a sidecar. A \
      sidecar belongs to the photo whose bytes or pixels it records; it is renamed to that photo \
      and moved to its folder, with the rendering and the journal. Nothing is replaced, and \
      photos are never changed. A sidecar that matches several copies of a photo stays as it is. \
      Hidden folders and linked folders are not searched.
      """,
    examples: [
      CommandExample("relink photos/", "repair the edits of renamed photos"),
      CommandExample("relink -n old/ new/", "show which edits belong to photos moved to new/"),
    ],
    writesJSON: true, stopsCleanly: true,
    arguments: [
      .positional("DIR", \.folders, "Folders with photos and sidecars."),
      .flag("dry-run", short: "n", \.isDryRun, "Show what would be done without writing anything."),
    ])

  var folders: [String] = []
  var isDryRun = false

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    var files: [String] = []
    for folder in folders {
      guard FileSystem.isFolder(folder) else {
        throw CommandFailure(.inputMissing, "\(folder): no such folder", code: "missing")
      }
      let hasSlash = folder.count > 1 && folder.hasSuffix("/")
      files += try Self.files(in: hasSlash ? String(folder.dropLast()) : folder)
    }
    var seen: Set<PathKey> = []
    files = files.filter { seen.insert(BatchPlan.identity($0)).inserted }
    let sidecars = files.compactMap { StrandedSidecar(at: $0) }
    let photos = sidecars.isEmpty ? [:] : try matches(of: sidecars, among: files, environment)
    let failed = try relink(sidecars, to: photos, environment)
    if sidecars.isEmpty { environment.note("no sidecar is without its photo") }
    if failed > 0 { throw .reported(.someFailed) }
  }

  /// Returns the photos without a sidecar that each sidecar records, by its index.
  private func matches(
    of sidecars: [StrandedSidecar], among files: [String], _ environment: CommandEnvironment
  ) throws(CommandFailure) -> [Int: [String]] {
    let candidates = files.filter { file in
      !file.hasSuffix(".aae") && !FileSystem.itemExists(SidecarStore(path: file).sidecarPath)
    }
    var matches: [Int: [String]] = [:]
    for (index, file) in candidates.enumerated() {
      try environment.checkCancellation()
      environment.progress.update(index, of: candidates.count, file)
      do throws(EditingError) {
        let digests = try StrandedSidecar.digests(of: file)
        for (number, sidecar) in sidecars.enumerated() where sidecar.records(digests) {
          matches[number, default: []].append(file)
        }
      } catch {
        environment.warn(error.description)
      }
    }
    return matches
  }

  /// Moves the sidecars with one match; returns the number of those that stay as they are.
  private func relink(
    _ sidecars: [StrandedSidecar], to photos: [Int: [String]], _ environment: CommandEnvironment
  ) throws(CommandFailure) -> Int {
    var owners: [String: Int] = [:]
    for matches in photos.values where matches.count == 1 { owners[matches[0], default: 0] += 1 }
    var failed = 0
    for (number, sidecar) in sidecars.enumerated() {
      do throws(CommandFailure) {
        let found = photos[number] ?? []
        guard let photo = found.first else {
          throw CommandFailure(
            .inputMissing, "\(sidecar.path): photo not found in the folders",
            hint: "also specify the folder to which it was moved", code: "missing")
        }
        guard found.count == 1, owners[photo] == 1 else {
          let matches = found.prefix(3).joined(separator: ", ")
          throw CommandFailure(
            .badData, "\(sidecar.path): several photos or sidecars match: \(matches)",
            hint: "rename the sidecar to NAME.EXT.aae for one of them", code: "ambiguous")
        }
        if !isDryRun { try editing(sidecar.relink(to: photo)) }
        if environment.wantsJSON {
          try environment.write([
            "input": .string(sidecar.path), "photo": .string(photo), "dryRun": .bool(isDryRun),
          ])
        } else {
          environment.note(
            "\(sidecar.path): \(isDryRun ? "would be linked" : "linked") to \(photo)")
        }
      } catch {
        environment.report(error, input: sidecar.path)
        failed += 1
      }
    }
    return failed
  }

  /// The files in a folder and its subfolders, sorted; hidden folders and links are skipped.
  private static func files(in folder: String) throws(CommandFailure) -> [String] {
    var files: [String] = []
    for name in try mapFileErrors(FileSystem.names(in: folder)).sorted() {
      let path = folder + "/" + name
      switch try mapFileErrors(FileSystem.entry(at: path)) {
      case .file: files.append(path)
      case .folder where !name.hasPrefix("."): files += try Self.files(in: path)
      default: break
      }
    }
    return files
  }
}

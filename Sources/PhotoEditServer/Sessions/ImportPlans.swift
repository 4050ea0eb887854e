// SPDX-License-Identifier: Apache-2.0

/// The files to import, as the importer would combine them into assets.
struct WebImportPlan: Sendable {
  /// Files that are imported together or left out together.
  struct Group: Sendable {
    /// The content of a group, or the reason why it is not imported.
    enum Kind: String, Sendable {
      case livePhoto, rawPair, burst, edited, photo, video
      /// Files that would be added to assets of the library.
      case completion
      case duplicate
      /// Files that describe photos or albums.
      case description
      case rejected

      var isImported: Bool { ![.duplicate, .description, .rejected].contains(self) }
    }

    let key: String
    let kind: Kind
    let files: [ImportedFile]
  }

  let groups: [Group]
  /// The folders that the importer searches.
  private let folders: [String]
  /// The folders of uploaded files, which are removed with the plan.
  private let staging: [StagingFolder]

  /// The folders of a plan before it is made.
  enum Source: Sendable {
    case root(String)
    case uploads([StagingFolder])
  }

  /// Examines the files of folders; nothing is changed.
  init(_ source: Source, _ library: PhotoLibrary, _ handle: Jobs.Handle) throws(Problem) {
    switch source {
    case .root(let path): (folders, staging) = ([path], [])
    case .uploads(let staged): (folders, staging) = (staged.map(\.path), staged)
    }
    var options = Importer.Options()
    options.isDryRun = true
    options.isCancelled = { handle.isCancelled }
    options.progress = { handle.report(Double($0) / Double(max($1, 1))) }
    let report = Importer(library, options: options).run(folders)
    if let interruption = report.interruption { throw Problem(interruption) }
    groups = Self.groups(of: report.files)
  }

  private static func groups(of files: [ImportedFile]) -> [Group] {
    // The photos of a burst are one group.
    let grouped = Dictionary(grouping: files) { file in
      PathKey(file.burstIdentifier.map { "burst " + $0 } ?? file.original ?? file.path)
    }
    let sorted = grouped.values.map { $0.sorted { $0.path < $1.path } }
      .sorted { ($0.first?.path ?? "") < ($1.first?.path ?? "") }
    return sorted.enumerated().map { index, files in
      Group(key: "g\(index + 1)", kind: kind(of: files), files: files)
    }
  }

  private static func kind(of files: [ImportedFile]) -> Group.Kind {
    let outcomes = Set(files.map(\.outcome))
    if !outcomes.contains(.imported) {
      if outcomes.contains(.attached) || outcomes.contains(.updated) { return .completion }
      if outcomes.contains(.duplicate) { return .duplicate }
      return outcomes == [.read] ? .description : .rejected
    }
    let imported = files.filter { $0.outcome == .imported }
    let types = Set(imported.compactMap(\.type))
    if Set(imported.map(\.original)).count > 1 { return .burst }
    if types.contains(.adjustmentData) { return .edited }
    if types.contains(.pairedVideo) { return .livePhoto }
    if types.contains(.alternatePhoto) { return .rawPair }
    return types.isDisjoint(with: [.video, .audio]) ? .photo : .video
  }

  /// The plan as a client receives it; files are named without the path of their folder.
  func json(named id: String) -> JSONValue {
    .object([
      "plan": .string(id),
      "groups": .array(
        groups.map { group in
          .object([
            "key": .string(group.key), "kind": .string(group.kind.rawValue),
            "files": .texts(group.files.map { name(of: $0.path) }),
            "reason": .text(group.files.lazy.compactMap(\.reason).first),
            "importable": .bool(group.kind.isImported),
            "thumbnail": .bool(stillPath(of: group) != nil),
          ])
        }),
    ])
  }

  private func name(of path: String) -> String {
    for folder in folders where path.hasPrefix(folder + "/") {
      return String(path.dropFirst(folder.count + 1))
    }
    return FileSystem.lastName(of: path)
  }

  /// Returns the path of the still that represents a group.
  func stillPath(of group: Group) -> String? {
    guard group.kind != .rejected else { return nil }
    let still = group.files.first { [.photo, .fullSizePhoto].contains($0.type) }
    let duplicate = group.kind == .duplicate ? group.files.first?.original : nil
    return still?.path ?? duplicate
  }

  /// Removes the files that were sent for the plan.
  func discard() { for folder in staging { folder.discard() } }

  /// Imports groups, as far as their files are still there.
  ///
  /// The result, or the problem of an import that ended early, names every file that was not taken.
  func run(
    _ keys: Set<String>, _ library: PhotoLibrary, _ handle: Jobs.Handle
  ) throws(Problem) -> JSONValue {
    var options = Importer.Options()
    options.selection = groups.filter { keys.contains($0.key) }.flatMap { $0.files.map(\.path) }
    options.shouldMoveFiles = !staging.isEmpty
    options.isCancelled = { handle.isCancelled }
    options.progress = { handle.report(Double($0) / Double(max($1, 1))) }
    let report = Importer(library, options: options).run(folders)
    discard()
    let result: [String: JSONValue] = [
      "assets": .whole(report.assetCount), "imported": .whole(report.count(.imported)),
      "added": .whole(report.count(.attached) + report.count(.updated)),
      "stopped": .bool(report.interruption != nil),
      "failed": .array(
        rejections(keys, report).map {
          .object(["file": .string(name(of: $0.path)), "reason": .text($0.reason)])
        }),
    ]
    if let interruption = report.interruption, interruption.code != .userCancelled {
      var problem = Problem(interruption)
      problem.members.merge(result) { own, _ in own }
      throw problem
    }
    return .object(result)
  }

  /// Returns the files that were not taken: those of the chosen groups, and those that were rejected
  /// when the plan was made.
  private func rejections(
    _ keys: Set<String>, _ report: ImportReport
  ) -> [(path: String, reason: String?)] {
    let files = Dictionary(report.files.map { (PathKey($0.path), $0) }) { $0.isOmitted ? $1 : $0 }
    return groups.flatMap { group in
      group.files.compactMap { planned in
        guard keys.contains(group.key) else {
          return planned.isRejected ? (planned.path, planned.reason) : nil
        }
        guard let file = files[PathKey(planned.path)] else {
          return (planned.path, "the file is no longer there")
        }
        if file.outcome == .duplicate, planned.outcome != .duplicate {
          return (file.path, "the library already has this file")
        }
        return file.isOmitted ? (file.path, file.reason) : nil
      }
    }
  }
}

extension ImportedFile {
  /// Indicates whether the file is a photo, a video or a part of one that was not taken.
  fileprivate var isRejected: Bool { [.keptOut, .refused].contains(outcome) }
  /// Indicates whether the file was not taken, although the library does not have its contents.
  fileprivate var isOmitted: Bool { isRejected || outcome == .skipped }
}

// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// The results of a run as edits: as if the look had been applied here.
struct ResultEdits {
  /// A result whose record and rendering were compared.
  struct Edit {
    let line: ManifestLine
    let item: ResultStore.Item
  }

  /// The outcome of one result, as named in JSON reports.
  enum Outcome: String {
    case created
    case replaced
    case unchanged
  }

  private let results: RunResults
  private let store: ResultStore
  private var looks: [SHA256Digest: Look] = [:]
  /// Indicates whether edits that were made in the meantime are replaced.
  private let replacesEdits: Bool
  /// The positions of the results.
  let positions: [Int]

  /// Opens the results of a run.
  init(
    _ results: RunResults, _ description: RunDescription, option: String, replacesEdits: Bool
  ) throws(CommandFailure) {
    self.results = results
    self.replacesEdits = replacesEdits
    store = try ResultStore(try description.localOutput(option), description)
    positions = results.positions(\.isDone)
    for digest in description.looks {
      // Its attachments are next to it; all of them are compared with their digests.
      guard try mapFileErrors(results.index.files.entry(RunFolder.look(digest))) == .file else {
        throw CommandFailure(
          .badData, "\(results.index.folder.look(digest)): is missing or not a file", code: "run")
      }
      let look = try Look(results.index.folder.look(digest))
      guard look.digest == digest else {
        throw CommandFailure(
          .badData,
          "\(results.index.folder.look(digest)): content does not match the digest in its name",
          code: "run")
      }
      looks[digest] = look
    }
  }

  /// Returns a result.
  ///
  /// - Parameter readsRendering: Whether the rendering is compared with its digest.
  func edit(_ position: Int, readsRendering: Bool = true) throws(CommandFailure) -> Edit {
    let line = try results.index.line(position)
    return Edit(
      line: line,
      item: try store.item(
        try results.result(position), of: line, readsRendering: readsRendering))
  }

  /// Stages a result for a commit; the caller commits the output.
  ///
  /// - Parameter name: The name of the photo in messages.
  /// - Returns: The output, or nil if the photo already has this edit.
  func stage(
    _ edit: Edit, in store: any EditingStore, named name: String, isDryRun: Bool = false
  ) throws(CommandFailure) -> (output: EditingOutput?, outcome: Outcome) {
    guard let look = looks[edit.item.look] else {
      throw CommandFailure(.badData, "\(name): its look is not part of the run", code: "run")
    }
    if !isDryRun { store.finishInterruptedChange() }
    let state = try editing(store.state())
    if let record = state.record {
      if record.current == edit.item.rendering,
        let graph = record.storedGraph, graph.hasSameEffect(as: look.graph)
      {
        return (nil, .unchanged)
      }
      guard replacesEdits else {
        throw CommandFailure(
          .busy, "\(name): has been edited in the meantime",
          hint: "use --replace to replace its edit", code: "edited")
      }
    }
    guard !state.isMovie, state.movies.original == nil else {
      throw CommandFailure(
        .badData, "\(name): the result has no video, but the photo has one", code: "movie")
    }
    if isDryRun { return (nil, state.record == nil ? .created : .replaced) }
    var editor = PhotoEditor(store)
    (editor.date, editor.utcOffset) = Clock.now()
    editor.options.assetFiles = { [files = look.files] in files[$0] }
    let session = try editing(editor.begin(.base))
    guard session.input.version == .original else {
      throw CommandFailure(
        .badData, "\(name): its edit is based on another program's rendering",
        hint: "revert it first", code: "otherBase")
    }
    let output = try editing(
      session.stage(edit.item.path, digest: edit.item.rendering, of: look.graph))
    return (output, state.record == nil ? .created : .replaced)
  }

  /// Saves a result as the edit of a file beneath a folder.
  private func save(
    _ edit: Edit, to name: String, in target: OpenFolder, _ sweptFolders: inout Set<String>
  ) throws(CommandFailure) -> Outcome {
    let path = target.path(of: name)
    guard try mapFileErrors(target.digest(of: name)) == edit.item.original else {
      throw CommandFailure(
        .badData, "\(path): is not the original that was rendered", code: "changed")
    }
    let parent = try mapFileErrors(target.parent(of: name))
    // By its descriptor, the folder remains the one that was found beneath the target.
    return try parent.withPathByDescriptor { folder throws(CommandFailure) in
      do throws(CommandFailure) {
        let sidecar = SidecarStore(path: folder + "/" + FileSystem.lastName(of: name))
        let (output, outcome) = try stage(edit, in: sidecar, named: path)
        if let output {
          defer { output.staging.discard() }
          _ = try editing(sidecar.performCommit(output))
        } else if sweptFolders.insert(parent.path).inserted {
          // A commit would remove what a killed process left there.
          StagingFolder.removeStaleStaging(in: folder)
        }
        return outcome
      } catch {
        throw error.naming(parent.path, insteadOf: folder)
      }
    }
  }

  /// Saves all results as edits of files in a folder.
  ///
  /// - Returns: The failures, which were reported.
  func save(
    in folder: String, _ environment: CommandEnvironment
  ) throws(CommandFailure) -> [CommandFailure] {
    let target = try mapFileErrors(OpenFolder(folder))
    var failures: [CommandFailure] = []
    var sweptFolders: Set<String> = []
    for (number, position) in positions.enumerated() {
      environment.progress.update(number, of: positions.count)
      try environment.checkCancellation()
      do throws(CommandFailure) {
        let edit = try edit(position)
        let name = edit.line.isRelative ? edit.line.source : edit.line.id
        let path = target.path(of: name)
        let outcome = try save(edit, to: name, in: target, &sweptFolders)
        if environment.wantsJSON {
          try environment.write([
            "input": .string(path), "id": .string(edit.line.id),
            "outcome": .string(outcome.rawValue),
          ])
        }
      } catch {
        environment.report(error)
        failures.append(error)
      }
    }
    environment.progress.clear()
    return failures
  }
}

// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// The import of a run's results into a library, as edits of the assets they were made from.
struct RunImport {
  let library: PhotoLibrary
  let edits: ResultEdits
  let isDryRun: Bool
  let environment: CommandEnvironment

  /// The maximum number of assets that are changed together.
  private static let blockCount = 500
  /// The maximum memory of their originals and renderings, unless there is only one.
  private static let blockBytes = 64 << 20

  private struct Pending {
    let asset: Asset
    let output: EditingOutput
    let outcome: ResultEdits.Outcome
    let id: String
  }

  /// Imports all results; reports each, and returns the failures.
  func run() throws(CommandFailure) -> [CommandFailure] {
    var failures: [CommandFailure] = []
    var block: [Pending] = []
    var bytes = 0
    for (number, position) in edits.positions.enumerated() {
      environment.progress.update(number, of: edits.positions.count)
      try environment.checkCancellation()
      do throws(CommandFailure) {
        let edit = try edits.edit(position)
        guard let asset = try asset(of: edit) else {
          throw CommandFailure(
            .inputMissing, "\(edit.line.id): the library has no asset with its original",
            hint: "use --add-originals to import the originals first", code: "noOriginal")
        }
        let (output, outcome) = try edits.stage(
          edit, in: try inLibrary(library.editingStore(for: asset)), named: edit.line.id,
          isDryRun: isDryRun)
        guard let output else {
          try report(edit.line.id, asset, outcome)
          continue
        }
        block.append(Pending(asset: asset, output: output, outcome: outcome, id: edit.line.id))
        // The memory of the original and of the rendering, approximately.
        let size = FileVersion(output.renderedContentURL.path)?.size ?? 0
        bytes = bytes.addingSaturated(size.multipliedSaturated(by: 2))
      } catch {
        environment.report(error)
        failures.append(error)
      }
      if block.count == Self.blockCount || bytes > Self.blockBytes {
        failures += try commit(block)
        (block, bytes) = ([], 0)
      }
    }
    failures += try commit(block)
    environment.progress.clear()
    return failures
  }

  /// Returns the asset with the original of a result: the one that the manifest names if possible.
  private func asset(of edit: ResultEdits.Edit) throws(CommandFailure) -> Asset? {
    try translating({ CommandFailure($0) }) { () throws(LibraryError) in
      let named = try library.fetchAssets(withLocalIdentifiers: [edit.line.id]).first
      if let named, try library.original(of: named)?.digest == edit.item.original { return named }
      guard let identifier = try library.identifier(ofOriginal: edit.item.original) else {
        return nil
      }
      return try library.fetchAssets(withLocalIdentifiers: [identifier]).first
    }
  }

  /// Commits a block; if it fails, commits its edits one by one.
  private func commit(_ block: [Pending]) throws(CommandFailure) -> [CommandFailure] {
    guard !block.isEmpty else { return [] }
    do throws(CommandFailure) {
      try changing(library) { changes throws(LibraryError) in
        for pending in block {
          try changes.change(pending.asset).setContentEditingOutput(pending.output)
        }
      }
    } catch {
      guard block.count > 1 else {
        environment.report(error)
        return [error]
      }
      var failures: [CommandFailure] = []
      for pending in block {
        try environment.checkCancellation()
        failures += try commit([pending])
      }
      return failures
    }
    for pending in block { try report(pending.id, pending.asset, pending.outcome) }
    return []
  }

  private func report(
    _ id: String, _ asset: Asset, _ outcome: ResultEdits.Outcome
  ) throws(CommandFailure) {
    if environment.wantsJSON {
      try environment.write([
        "id": .string(id), "asset": .string(asset.localIdentifier),
        "outcome": .string(outcome.rawValue), "dryRun": .bool(isDryRun),
      ])
    } else if outcome != .unchanged {
      environment.print(asset.localIdentifier + "  " + id)
    }
  }

  /// Returns the local originals of results that the library does not have.
  ///
  /// The run names them with any path, so only a file with the recorded digest counts.
  func missingOriginals(in root: String) throws(CommandFailure) -> [String] {
    var paths: [String] = []
    for position in edits.positions {
      try environment.checkCancellation()
      let edit = try edits.edit(position, readsRendering: false)
      guard try asset(of: edit) == nil, let path = edit.line.localSource(in: root),
        (try? FileBytes.digest(of: path)) == edit.item.original
      else { continue }
      paths.append(path)
    }
    return paths
  }
}

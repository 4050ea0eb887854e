// SPDX-License-Identifier: Apache-2.0
import CommandLineKit
import Filters
import FoundationEssentials
import PhotoEdit
import PhotoEditMovies
import Storage

/// Passes a movie through as QuickTime and records that as an edit with an empty graph.
struct MoviePass {
  var input: String
  var edit: EditArguments

  /// Whether a file's first bytes are those of a movie.
  static func isMovie(_ input: String) throws(CommandFailure) -> Bool {
    let head = try filing { () throws(FileError) in
      let file = try OpenFile(reading: input)
      guard try file.regularSize() > 0 else { return [UInt8]() }
      var head = [UInt8](repeating: 0, count: MovieContainer.detectionLength)
      let count = try head.withUnsafeMutableBufferPointer { buffer throws(FileError) in
        try file.read(into: UnsafeMutableRawBufferPointer(buffer))
      }
      return Array(head.prefix(count))
    }
    return MovieContainer.detect(head) != nil
  }

  func run(_ clock: Stopwatch, _ environment: CommandEnvironment) throws(CommandFailure) {
    let name = FileSystem.splitName(FileSystem.lastName(of: input)).stem + ".edited.mov"
    let store = SidecarStore(
      path: input, rendering: edit.output.path(name: name),
      replacesForeignFiles: edit.output.replacesFiles, contentExtension: "mov")
    try editing { () throws(EditingError) in try store.checkPlace() }
    let state = try editing { () throws(EditingError) in try store.state() }
    if edit.isDryRun {
      environment.note("dry run: nothing is written")
      return
    }
    let staging = try editing { () throws(EditingError) in try store.makeStagingFolder() }
    defer { staging.discard() }
    let staged = staging.file("movie.mov")
    let cancellation = environment.cancellation
    let report: MovieReport
    do throws(MovieError) {
      report = try MoviePassThrough.run(from: input, to: staged) { cancellation.isCancelled }
    } catch {
      throw CommandFailure(error, input: input)
    }
    let after = try editing { () throws(EditingError) in
      let record = EditRecord(
        base: nil, current: report.digest,
        adjustment: try AdjustmentData(
          formatIdentifier: edit.formatIdentifier, formatVersion: FilterGraph.formatVersion,
          data: Data(FilterGraph().canonicalBytes())),
        date: Clock.now().date, editor: "org.photoedit", recipe: nil)
      return try store.perform(
        .edit(staged: staged, record, state.isEdited ? .resumed : .first),
        expecting: state.revision)
    }
    for loss in report.losses { environment.warn("\(input): lost \(loss)") }
    guard environment.wantsJSON else {
      environment.note(
        "wrote \(after.current.path) (\(report.bytes) bytes, \(report.method.rawValue))")
      return
    }
    try environment.write([
      "input": .string(input), "output": .string(after.current.path),
      "sidecar": .string(store.sidecarPath), "base": "original",
      "resumed": .bool(state.isEdited), "formatIdentifier": .string(edit.formatIdentifier),
      "formatVersion": .string(FilterGraph.formatVersion), "path": .string(report.method.rawValue),
      "bytes": .whole(report.bytes), "digest": .string(report.digest.description),
      "losses": .array(report.losses.map { .object(["kind": "movie", "detail": .string($0)]) }),
      "milliseconds": .number(clock.milliseconds),
    ])
  }
}

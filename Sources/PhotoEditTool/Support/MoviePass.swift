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
  /// Whether the movie is recorded as an edit.
  var hasSidecar = true

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
    guard !edit.output.isStandardOutput else {
      throw CommandFailure(
        .badData, "\(input): a movie cannot be written to standard output",
        hint: "name a file with -o",
        code: "movie")
    }
    if !hasSidecar { return try runAlone(clock, environment) }
    let store = edit.store(input, isMovie: true)
    try editing { () throws(EditingError) in try store.checkPlace() }
    let state = try editing { () throws(EditingError) in try store.state() }
    if edit.isDryRun {
      environment.note("dry run: nothing is written")
      return
    }
    let staging = try editing { () throws(EditingError) in try store.makeStagingFolder() }
    defer { staging.discard() }
    let staged = staging.file("movie.mov")
    let report = try passThrough(to: staged, environment)
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
    try tell(
      report, output: after.current.path, isResumed: state.isEdited, clock, environment)
  }

  private func passThrough(
    to staged: String, _ environment: CommandEnvironment
  ) throws(CommandFailure) -> MovieReport {
    let cancellation = environment.cancellation
    do throws(MovieError) {
      return try MoviePassThrough.run(from: input, to: staged) { cancellation.isCancelled }
    } catch {
      throw CommandFailure(error, input: input)
    }
  }

  private func tell(
    _ report: MovieReport, output: String, isResumed: Bool, _ clock: Stopwatch,
    _ environment: CommandEnvironment
  ) throws(CommandFailure) {
    for loss in report.losses { environment.warn("\(input): lost \(loss)") }
    guard environment.wantsJSON else {
      environment.note("wrote \(output) (\(report.bytes) bytes, \(report.method.rawValue))")
      return
    }
    try environment.write([
      "input": .string(input), "output": .string(output),
      "sidecar": hasSidecar ? .string(input + ".aae") : .null, "base": "original",
      "resumed": .bool(isResumed), "formatIdentifier": .string(edit.formatIdentifier),
      "formatVersion": .string(FilterGraph.formatVersion), "path": .string(report.method.rawValue),
      "bytes": .whole(report.bytes), "digest": .string(report.digest.description),
      "losses": .array(report.losses.map { .object(["kind": "movie", "detail": .string($0)]) }),
      "milliseconds": .number(clock.milliseconds),
    ])
  }

  /// Writes the movie and records nothing.
  private func runAlone(
    _ clock: Stopwatch, _ environment: CommandEnvironment
  ) throws(CommandFailure) {
    let output = edit.placeAlone(of: input, isMovie: true)
    let replacesFiles = edit.output.replacesFiles
    try Publishing.check(output, replacesFiles: replacesFiles, notOver: input)
    if edit.isDryRun { return environment.note("dry run: nothing is written") }
    let staging = try filing { () throws(FileError) in
      try StagingFolder(in: FileSystem.folder(of: output))
    }
    defer { staging.discard() }
    let report = try passThrough(to: staging.file("movie.mov"), environment)
    try filing { () throws(FileError) in
      FileSystem.setDefaultMode(staging.file("movie.mov"))
      if replacesFiles {
        try FileSystem.rename(staging.file("movie.mov"), to: output)
      } else {
        try FileSystem.renameExclusively(staging.file("movie.mov"), to: output)
      }
      try FileSystem.syncFolder(FileSystem.folder(of: output))
    }
    try tell(report, output: output, isResumed: false, clock, environment)
  }
}

// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform

/// The options for a report on the inputs of a batch, for a page with its results, and for repeating
/// what failed.
struct BatchReportArguments: Sendable {
  private var path: String?
  private var retried: String?
  private(set) var sheet: String?

  static let arguments: [Argument<Self>] =
    repeating + [
      .option(
        "sheet", \.sheet, value: "FILE",
        "Also write a page that shows the photos before and after (see 'photoedit sheet').")
    ]

  /// The options of commands that write no page.
  static let repeating: [Argument<Self>] = [
    .option(
      "report", \.path, value: "FILE",
      "Append a line of JSON for each input to FILE, as --json prints it."),
    .option(
      "retry-failed", \.retried, value: "FILE",
      "Process the inputs that failed or were not started according to a report."),
  ]

  /// Returns the inputs of the batch: the given ones, or those to repeat.
  func inputs(_ given: [String]) throws(CommandFailure) -> [String] {
    guard let retried else {
      guard !given.isEmpty else { throw .usage("missing INPUT: Photos or videos.") }
      return given
    }
    guard given.isEmpty else {
      throw .usage("--retry-failed: cannot be combined with inputs", hint: "omit the inputs")
    }
    return try Self.unfinished(in: retried)
  }

  /// Returns an environment that also writes to the report, which is created or continued.
  ///
  /// - Parameter inputs: The inputs of the batch; their report is no more readable than they are.
  func environment(
    _ environment: CommandEnvironment, on inputs: [String]
  ) throws(CommandFailure) -> CommandEnvironment {
    guard let path else { return environment }
    if FileSystem.itemExists(path) { _ = try Self.lines(of: path) }
    return try reporting(to: path, environment, on: inputs)
  }

  /// Runs a batch and returns the lines of its report, even if the batch fails.
  ///
  /// Without `--report`, the report is a file without a name.
  func recorded(
    _ environment: CommandEnvironment, on inputs: [String],
    _ batch: (CommandEnvironment) throws(CommandFailure) -> Void
  ) throws(CommandFailure) -> (lines: [JSONValue], failure: CommandFailure?) {
    let folder = environment.variable("TMPDIR").flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    let hidden = try mapFileErrors(StagedFile(for: folder + "/photoedit-report"))
    let path = self.path ?? "/proc/self/fd/\(hidden.file.descriptor)"
    let known = FileSystem.itemExists(path) ? try Self.lines(of: path).count : 0
    var failure: CommandFailure?
    do throws(CommandFailure) { try batch(reporting(to: path, environment, on: inputs)) } catch {
      failure = error
    }
    return (Array(try Self.lines(of: path).dropFirst(known)), failure)
  }

  private func reporting(
    to path: String, _ environment: CommandEnvironment, on inputs: [String]
  ) throws(CommandFailure) -> CommandEnvironment {
    let descriptor = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      throw CommandFailure(FileError(errno: errno, "cannot open", path: path))
    }
    // An asset of a library, whose folder only its owner can access, is no file of that name.
    FileSystem.restrict(descriptor, like: inputs.filter { $0 != "-" })
    // A process that was killed left an incomplete line, to which none may be appended.
    let end = lseek(descriptor, 0, SEEK_END)
    var last = UInt8(ascii: "\n")
    if end > 0, pread(descriptor, &last, 1, end - 1) == 1, last != UInt8(ascii: "\n"),
      write(descriptor, "\n", 1) != 1
    {
      let code = errno
      close(descriptor)
      throw CommandFailure(FileError(errno: code, "cannot write", path: path))
    }
    return environment.reporting(to: descriptor)
  }

  /// Reports that lines of the report could not be written.
  func check(_ environment: CommandEnvironment) throws(CommandFailure) {
    guard let path, let code = environment.reportFailure else { return }
    throw CommandFailure(FileError(errno: code, "cannot write", path: path))
  }

  /// Returns the inputs whose last line is a failure, or says that they were not started.
  private static func unfinished(in path: String) throws(CommandFailure) -> [String] {
    var order: [String] = []
    var isUnfinished: [String: Bool] = [:]
    for line in try lines(of: path) {
      guard let input = line["input"]?.stringValue, input != "-" else { continue }
      if isUnfinished[input] == nil { order.append(input) }
      isUnfinished[input] =
        line["error"] != nil || line["outcome"]?.stringValue == EditOutcome.notStarted.rawValue
    }
    return order.filter { isUnfinished[$0] == true }
  }

  /// Reads a report.
  ///
  /// A line that was written when the process was killed or the computer crashed may be incomplete,
  /// and the next process starts a new one. It is skipped; every other line of a report is JSON.
  private static func lines(of path: String) throws(CommandFailure) -> [JSONValue] {
    let bytes = try translating({ CommandFailure($0) }) { () throws(FileError) in
      let file = try OpenFile(reading: path)
      guard try file.regularSize() > 0 else { return [UInt8]() }
      return try FileBytes.reading(path, maximumBytes: 1 << 30).array
    }
    var lines: [JSONValue] = []
    for (index, part) in bytes.split(separator: UInt8(ascii: "\n")).enumerated() {
      let value = try? JSONValue(parsing: Array(part), limits: resultLimits)
      if let value, value["schemaVersion"]?.integerValue == 1 {
        lines.append(value)
      } else if value != nil || part.first != UInt8(ascii: "{") || index > 0 && lines.isEmpty {
        throw CommandFailure(
          .badData, "\(path): line \(index + 1) is not a valid report line",
          hint: "choose another file", code: "notAReport")
      }
    }
    return lines
  }
}

// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPlatform
import PhotoEditTestSupport

/// The `photoedit` program itself, run as a user runs it.
enum Tool {
  /// The result of a run.
  struct Result {
    /// Everything on standard output.
    let outputBytes: [UInt8]
    /// Everything on standard error.
    let errorBytes: [UInt8]
    /// The exit code, or 128 plus the signal number if a signal ended the program.
    let exitCode: Int32

    /// Standard output as text.
    var output: String { String(decoding: outputBytes, as: UTF8.self) }
    /// Standard error as text.
    var errors: String { String(decoding: errorBytes, as: UTF8.self) }

    /// Standard output as JSON, one value per line.
    func jsonLines() throws -> [JSONValue] {
      try outputBytes.split(separator: 10).map { try JSONValue(parsing: Array($0)) }
    }
  }

  /// The reason the program could not be started; never a usage error of the program.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// The time limit of a run, after which it is ended and fails.
  static let timeLimit = TestWait.duration

  /// Runs the program to its end.
  ///
  /// - Parameters:
  ///   - arguments: The arguments after the program's name.
  ///   - folder: The working directory.
  ///   - input: The contents of standard input; empty by default.
  ///   - environment: Additional variables; no PHOTOEDIT_… variable is inherited.
  static func run(
    _ arguments: [String], in folder: String, input: [UInt8] = [],
    environment: [String: String] = [:]
  ) throws -> Result {
    try run(BuiltProgram.path, arguments, in: folder, input: input, environment: environment)
  }

  /// Runs a script in the system shell, which finds the program by name.
  static func runScript(
    _ script: String, in folder: String, environment: [String: String] = [:]
  ) throws -> Result {
    try run(
      "/bin/sh", ["-e", "-c", script], in: folder,
      environment: ["PATH": searchPath].merging(environment) { $1 })
  }

  private static var searchPath: String {
    "\(BuiltProgram.folder):\(inherited["PATH"] ?? "/usr/bin:/bin")"
  }

  private static func run(
    _ program: String, _ arguments: [String], in folder: String, input: [UInt8] = [],
    environment: [String: String]
  ) throws -> Result {
    let deadline = ContinuousClock.now.advanced(by: timeLimit)
    let process = try self.start(program, arguments, in: folder, environment: environment)
    let streams = process.exchange(input, until: deadline)
    let isLate = ContinuousClock.now >= deadline
    if isLate { process.kill() }
    let exitCode = process.wait()
    guard !isLate else {
      throw Failure(description: "\(program) \(arguments) did not end within \(timeLimit)")
    }
    return Result(
      outputBytes: streams.output, errorBytes: streams.error, exitCode: exitCode)
  }

  /// Starts the program; the caller communicates with it and ends it.
  static func start(
    _ arguments: [String], in folder: String, environment: [String: String] = [:]
  ) throws -> ChildProcess {
    try start(BuiltProgram.path, arguments, in: folder, environment: environment)
  }

  /// Starts a script in the system shell; the caller communicates with it and ends it.
  static func startScript(_ script: String, in folder: String) throws -> ChildProcess {
    try start("/bin/sh", ["-e", "-c", script], in: folder, environment: ["PATH": searchPath])
  }

  private static func start(
    _ program: String, _ arguments: [String], in folder: String, environment: [String: String]
  ) throws -> ChildProcess {
    guard access(BuiltProgram.path, X_OK) == 0 else {
      throw Failure(
        description: "there is no program \(BuiltProgram.path); build the product photoedit")
    }
    return try ChildProcess(
      program, arguments, folder: folder, variables: inherited.merging(environment) { $1 })
  }

  /// Variables that locate libraries and folders; others would make runs depend on the user.
  private static var inherited: [String: String] {
    var variables: [String: String] = ["LC_ALL": "C.UTF-8"]
    for name in ["PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH", "ASAN_OPTIONS", "TSAN_OPTIONS"] {
      if let value = getenv(name) { variables[name] = String(cString: value) }
    }
    return variables
  }
}

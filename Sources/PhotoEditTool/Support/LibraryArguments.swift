// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// The options that specify the library of a command.
struct LibraryArguments: Sendable {
  var path: String?
  var operand: String?
  var stateDirectory: String?

  static let arguments: [Argument<Self>] = [
    .option(
      "library", short: "L", \.path, value: "DIR",
      "Photo library (default: $PHOTOEDIT_LIBRARY).")
  ]

  /// The same for the library commands, which also take the library as an argument.
  static let operandOrOption = operand("Photo library (default: $PHOTOEDIT_LIBRARY).")

  /// The same for the command that creates the library.
  static let newFolder = operand("Folder for the new library (default: $PHOTOEDIT_LIBRARY).")

  private static func operand(_ help: String) -> [Argument<Self>] {
    [.positional("LIBRARY", \.operand, help)]
      + [.option("library", short: "L", \.path, value: "DIR", "Same as LIBRARY.")]
  }

  /// The same option for commands that also work on files.
  static let inputs: [Argument<Self>] = [
    .option(
      "library", short: "L", \.path, value: "DIR",
      "Treat each INPUT as an asset identifier (or unique prefix) in this library.")
  ]

  /// The same options for commands that use the edits of files.
  static let editing: [Argument<Self>] =
    inputs + [
      .option(
        "state-dir", \.stateDirectory, value: "DIR",
        "Folder for edits (default: $PHOTOEDIT_STATE); an edit next to the photo is preferred.")
    ]

  /// Returns the folder of the library; nil if none is specified.
  func folder(_ environment: CommandEnvironment) -> String? {
    let named = operand ?? path ?? environment.variable(PhotoLibrary.folderVariable)
    return named?.isEmpty == false ? named : nil
  }

  /// Returns the folder of the library, for commands that require one.
  func folder(needed environment: CommandEnvironment) throws(CommandFailure) -> String {
    guard let folder = folder(environment) else {
      throw .usage(
        "no library specified", hint: "use --library DIR or set \(PhotoLibrary.folderVariable)")
    }
    if let operand, let path, operand != path {
      throw .usage("two libraries specified: '\(operand)' and '\(path)'", hint: "omit --library")
    }
    return folder
  }

  /// Opens the library, whose policy must be readable: with an unreadable one, nothing is allowed,
  /// and the library would appear empty.
  func open(_ environment: CommandEnvironment) throws(CommandFailure) -> PhotoLibrary {
    let folder = try folder(needed: environment)
    return try translating({ CommandFailure($0) }) { () throws(LibraryError) in
      let library = try OpenLibraries.library(in: folder, environment)
      if let problem = PhotoLibrary.policyProblem(at: library.url) { throw problem }
      return library
    }
  }

  /// Returns the folder of the library for maintenance commands, regardless of its policy.
  func folderForMaintenance(_ environment: CommandEnvironment) throws(CommandFailure) -> URL {
    let folder = URL(filePath: try folder(needed: environment))
    if let problem = PhotoLibrary.policyProblem(at: folder) {
      environment.warn(problem.description)
    }
    return folder
  }

  /// Returns whether an input of a command that also works on files is an asset.
  ///
  /// With `--library`, every input is an asset. With the environment variable only, an input is an
  /// asset unless it names an existing file.
  func isAsset(_ input: String, _ environment: CommandEnvironment) -> Bool {
    if path != nil { return true }
    guard input != "-", folder(environment) != nil else { return false }
    return !FileSystem.itemExists(input)
  }

  /// Returns the target of a command, which is an asset or a file, after completing an interrupted
  /// change of it.
  ///
  /// - Parameter isDryRun: Whether nothing may be written, so that the change is not completed.
  func target(
    _ input: String, _ environment: CommandEnvironment, isDryRun: Bool = false,
    file: (String) -> SidecarStore
  ) throws(CommandFailure) -> EditTarget {
    guard isAsset(input, environment) else {
      let store = file(input).stored(in: try stateFolder(input, environment))
      if !isDryRun { store.finishInterruptedChange() }
      return EditTarget(store)
    }
    let library = try open(environment)
    let asset = try library.asset(named: input)
    return EditTarget(
      try inLibrary(library.editingStore(for: asset)),
      input: input)
  }

  /// Returns the folder of a photo's edit in a state directory; nil if the edit is next to the
  /// photo.
  func stateFolder(
    _ input: String, _ environment: CommandEnvironment
  ) throws(CommandFailure) -> String? {
    let named = stateDirectory ?? environment.variable(StateDirectory.variable)
    guard let named, !named.isEmpty, FileSystem.itemExists(input),
      !FileSystem.itemExists(SidecarStore(path: input).sidecarPath)
    else { return nil }
    return try translating(
      { CommandFailure($0 as EditingError) }, StateDirectory.folder(for: input, in: named))
  }
}

/// Evaluates an expression and rethrows its library error as a command failure.
func inLibrary<Result>(
  _ body: @autoclosure () throws(LibraryError) -> Result
) throws(CommandFailure) -> Result {
  try translating({ CommandFailure($0) }, body)
}

/// Performs changes in a library atomically.
func changing<Value>(
  _ library: PhotoLibrary, _ block: (ChangeContext) throws(LibraryError) -> Value
) throws(CommandFailure) -> Value {
  try inLibrary(library.performChangesAndWait(block))
}

/// The libraries that a command uses, open until it ends.
enum OpenLibraries {
  /// A library and the command that opened it; a process may run several commands at once.
  private struct Opened: Sendable {
    let library: PhotoLibrary
    let command: ObjectIdentifier
  }

  private static let open = LockedValue<[Opened]>([])

  /// The identity of a command, which its parts and inputs share.
  private static func command(of environment: CommandEnvironment) -> ObjectIdentifier {
    ObjectIdentifier(environment.cancellation)
  }

  /// Returns the library in a folder, the same object for every input of a command.
  ///
  /// Warns if opening it has changed its database.
  static func library(
    in folder: String, _ environment: CommandEnvironment
  ) throws(LibraryError) -> PhotoLibrary {
    let library = try PhotoLibrary.shared(at: URL(filePath: folder))
    let command = command(of: environment)
    let isNew = open.withLock { open in
      if open.contains(where: { $0.library === library && $0.command == command }) { return false }
      open.append(Opened(library: library, command: command))
      return true
    }
    if isNew, let migration = library.migration { environment.warn("\(folder): \(migration)") }
    return library
  }

  /// Closes the libraries of a command after updating the manifests next to the photos.
  ///
  /// The manifests are updated once for a command and not after each input, so that they are
  /// written and synced together.
  /// The update is left to the next program that writes if the command was canceled.
  static func close(of environment: CommandEnvironment) {
    let command = command(of: environment)
    let libraries = open.withLock { open in
      defer { open.removeAll { $0.command == command } }
      return open.filter { $0.command == command }
    }
    guard !environment.isCancelled, !libraries.isEmpty else { return }
    for opened in libraries { opened.library.finishChanges() }
    // Dispatch releases a queue on another thread, and blocks permanently if no thread is
    // available.
    if !ThreadGroup.areAvailable(1) { open.withLock { $0 += libraries } }
  }
}

// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEdit
import PhotoEditCommandLine
import PhotoEditLibrary
import PhotoEditStorage

/// Which library a command works in.
struct LibraryArguments: Sendable {
  var path: String?
  var stateDirectory: String?

  static let arguments: [Argument<Self>] = [
    .option(
      "library", short: "L", \.path, value: "DIR",
      "The photo library; else the one that PHOTOEDIT_LIBRARY names.")
  ]

  /// The same for verbs that also work on files.
  static let editing: [Argument<Self>] = [
    .option(
      "library", short: "L", \.path, value: "DIR",
      "Takes inputs for assets of a photo library, by identifiers or what they begin with."),
    .option(
      "state-dir", \.stateDirectory, value: "DIR",
      "Keeps edits of files in DIR, else in PHOTOEDIT_STATE; an edit beside the photo goes first."),
  ]

  /// The folder of the library; nil when nobody names one.
  func folder(_ environment: CommandEnvironment) -> String? {
    let named = path ?? environment.variable(PhotoLibrary.folderVariable)
    return named?.isEmpty == false ? named : nil
  }

  /// The folder of the library, for commands that cannot do without.
  func folder(needed environment: CommandEnvironment) throws(CommandFailure) -> String {
    guard let folder = folder(environment) else {
      throw .usage(
        "no library is named", hint: "give --library DIR or set \(PhotoLibrary.folderVariable)")
    }
    return folder
  }

  /// Opens the library, whose policy must be readable: while it is not, nothing is allowed, and the
  /// library would be taken for an empty one.
  func open(_ environment: CommandEnvironment) throws(CommandFailure) -> PhotoLibrary {
    let folder = try folder(needed: environment)
    return try inLibrary { () throws(LibraryError) in
      let library = try OpenLibraries.library(in: folder, environment)
      if let problem = PhotoLibrary.policyProblem(at: library.url) { throw problem }
      return library
    }
  }

  /// The folder of the library, for commands that look after it, whatever its policy says.
  func folderForUpkeep(_ environment: CommandEnvironment) throws(CommandFailure) -> URL {
    let folder = URL(filePath: try folder(needed: environment))
    if let problem = PhotoLibrary.policyProblem(at: folder) {
      environment.warn(problem.description)
    }
    return folder
  }
}

extension LibraryArguments {
  /// Whether an input of a verb that also works on files is an asset.
  ///
  /// With `--library` every input is. With the variable alone, those are that name no file.
  func isAsset(_ input: String, _ environment: CommandEnvironment) -> Bool {
    if path != nil { return true }
    guard input != "-", folder(environment) != nil else { return false }
    return !FileSystem.isThere(input)
  }

  /// What a verb works on, when its input is an asset, or else a file.
  func target(
    _ input: String, _ environment: CommandEnvironment, file: (String) -> SidecarStore
  ) throws(CommandFailure) -> EditTarget {
    guard isAsset(input, environment) else {
      return EditTarget(file(input).kept(in: try stateFolder(input, environment)))
    }
    let library = try open(environment)
    let asset = try library.asset(named: input)
    return EditTarget(
      try inLibrary(library.editingStore(for: asset)),
      input: input)
  }

  /// Where a photo's edit is kept when it is not beside the photo.
  func stateFolder(
    _ input: String, _ environment: CommandEnvironment
  ) throws(CommandFailure) -> String? {
    let named = stateDirectory ?? environment.variable(StateDirectory.variable)
    guard let named, !named.isEmpty, FileSystem.isThere(input),
      !FileSystem.isThere(SidecarStore(path: input).sidecarPath)
    else { return nil }
    return try translating({ CommandFailure($0) }) { () throws(EditingError) in
      try StateDirectory.folder(for: input, in: named)
    }
  }
}

/// Runs a body that fails with an error of a library.
func inLibrary<Result>(
  _ body: () throws(LibraryError) -> Result
) throws(CommandFailure) -> Result {
  try translating({ CommandFailure($0) }, body)
}

/// Evaluates an expression that fails with an error of a library.
func inLibrary<Result>(
  _ body: @autoclosure () throws(LibraryError) -> Result
) throws(CommandFailure) -> Result {
  try translating({ CommandFailure($0) }, body)
}

/// Makes changes in a library; all of them or none.
func changing<Value>(
  _ library: PhotoLibrary, _ block: (ChangeContext) throws(LibraryError) -> Value
) throws(CommandFailure) -> Value {
  try inLibrary(library.performChangesAndWait(block))
}

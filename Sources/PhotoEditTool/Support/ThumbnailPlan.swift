// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// The steps for all inputs of one call, determined before any of them is processed.
///
/// Inputs are processed in any order and in parallel, so no two may share a path.
struct ThumbnailPlan: Sendable {
  /// An image that gets a thumbnail.
  struct Step: Sendable {
    /// The file to read; "-" is standard input.
    var source: String
    /// The photo, if the file to read is a rendering of it; otherwise nil.
    var original: String?
    /// The path of the thumbnail; "-" is standard output.
    var outputPath: String
  }

  /// The steps by the index of the input.
  let steps: [Result<Step, CommandFailure>]

  init(
    _ inputs: [String], _ output: OutputArguments, _ library: LibraryArguments,
    _ environment: CommandEnvironment, format: ThumbnailFormat
  ) throws(CommandFailure) {
    let ending = "." + format.fileExtension
    let areAssets = inputs.map { library.isAsset($0, environment) }
    if areAssets.contains(true), output.output == nil {
      throw .usage("no output specified for library assets", hint: "use -o DIR or -o FILE")
    }
    var names = ExportName()
    var steps: [Result<Step, CommandFailure>] = []
    var owners: [PathKey: String] = [:]
    let sources = Set(zip(inputs, areAssets).filter { !$1 }.map { BatchPlan.identity($0.0) })
    for (input, isAsset) in zip(inputs, areAssets) {
      do throws(CommandFailure) {
        let step =
          isAsset
          ? try Self.asset(input, output, library, &names, ending, environment)
          : Step(source: input, outputPath: Self.outputPath(of: input, output, ending))
        if step.outputPath != "-" {
          let identity = BatchPlan.identity(step.outputPath)
          if sources.contains(identity) { throw .isInput(input, step.outputPath, "thumbnail") }
          if let owner = owners[identity] {
            throw .sharedOutput(input, step.outputPath, with: owner, "thumbnail")
          }
          owners[identity] = input
        }
        steps.append(.success(step))
      } catch {
        steps.append(.failure(error))
      }
    }
    self.steps = steps
  }

  /// The folders to which thumbnails are written.
  var folders: Set<PathKey> {
    Set(
      steps.compactMap { step in
        guard case .success(let step) = step, step.outputPath != "-" else { return nil }
        return PathKey(FileSystem.folder(of: step.outputPath))
      })
  }

  private static func outputPath(
    of input: String, _ output: OutputArguments, _ ending: String
  ) -> String {
    if input == "-" && !output.isSpecified { return "-" }
    let stem = input == "-" ? "stdin" : FileSystem.splitName(FileSystem.lastName(of: input)).stem
    if let outputPath = output.path(name: stem + ending) { return outputPath }
    let name = stem + ".thumb" + ending
    return input.has("/") ? FileSystem.folder(of: input) + "/" + name : name
  }

  private static func asset(
    _ name: String, _ output: OutputArguments, _ arguments: LibraryArguments,
    _ names: inout ExportName, _ ending: String, _ environment: CommandEnvironment
  ) throws(CommandFailure) -> Step {
    let library = try arguments.open(environment)
    let asset = try library.asset(named: name)
    let files = try inLibrary(library.files(of: asset))
    // The current version, or else the original.
    let preferredTypes: [AssetResourceType] = [.fullSizePhoto, .fullSizeVideo, .photo, .video]
    let file = preferredTypes.lazy.compactMap { type in files.first { $0.type == type } }.first
    guard let file else {
      throw CommandFailure(
        .badData, "\(name): has neither an image nor a video", code: "requestNotSupportedForAsset")
    }
    let stem = names.reserve(asset.originalFilename) { [$0 + ending] }
    let original = files.first { [.photo, .video].contains($0.type) }
    return Step(
      source: file.path, original: original?.path,
      outputPath: output.path(name: stem + ending) ?? "-")
  }
}

/// The folders to which one call writes many small files, each of them atomically.
///
/// Every file is synced, then renamed into place; the folders are synced together at the end.
struct ThumbnailFolders: Sendable {
  private var stagings: [PathKey: StagingFolder] = [:]

  /// Creates a staging folder in each folder; if that fails, the error is reported with the file to
  /// be written there.
  init(_ folders: Set<PathKey>) {
    for folder in folders {
      do throws(FileError) { stagings[folder] = try StagingFolder(in: folder.path) } catch {}
    }
  }

  /// Writes a file atomically.
  ///
  /// - Parameters:
  ///   - number: Distinguishes the file from others that are written at the same time.
  ///   - input: A file that is never replaced.
  ///   - original: The photo, whose read permissions the file does not exceed.
  func write(
    _ bytes: [UInt8], to path: String, number: Int, replacesFiles: Bool, notOver input: String?,
    like original: String?
  ) throws(CommandFailure) {
    try Publishing.check(path, replacesFiles: replacesFiles, notOver: input)
    let folder = FileSystem.folder(of: path)
    try translating({ CommandFailure($0) }) { () throws(FileError) in
      // If there is no staging folder, creating it here reports the reason.
      let staging =
        if let known = stagings[PathKey(folder)] { known } else { try StagingFolder(in: folder) }
      let staged = staging.file("\(number)")
      let file = try OpenFile(creating: staged)
      try file.write(bytes)
      try file.sync()
      try FileSystem.publish(staged, as: path, replacing: replacesFiles, like: original)
    }
  }

  /// Syncs the folders and removes unfinished files.
  func finish() throws(CommandFailure) {
    for (folder, staging) in stagings {
      staging.discard()
      try mapFileErrors(FileSystem.syncFolder(folder.path))
    }
  }
}

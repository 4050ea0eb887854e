// SPDX-License-Identifier: Apache-2.0
import PhotoEditCommandLine
import PhotoEditLibrary
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

  /// Plans the steps for the inputs.
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
    var owners: [String: String] = [:]
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
  var folders: Set<String> {
    Set(
      steps.compactMap { step in
        guard case .success(let step) = step, step.outputPath != "-" else { return nil }
        return FileSystem.folder(of: step.outputPath)
      })
  }

  private static func outputPath(
    of input: String, _ output: OutputArguments, _ ending: String
  ) -> String {
    if input == "-" && !output.isSpecified { return "-" }
    let stem = input == "-" ? "stdin" : FileSystem.splitName(FileSystem.lastName(of: input)).stem
    if let outputPath = output.path(name: stem + ending) { return outputPath }
    let name = stem + ".thumb" + ending
    return input.contains("/") ? FileSystem.folder(of: input) + "/" + name : name
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

// SPDX-License-Identifier: Apache-2.0
import PhotoEditCommandLine
import PhotoEditLibrary
import PhotoEditStorage

/// What each input of one call is and where its thumbnail goes, decided before any is touched.
///
/// Inputs are worked on in any order and at once, so no two may share a place.
struct ThumbnailPlan: Sendable {
  /// A picture that gets a thumbnail.
  struct Step: Sendable {
    /// The file that is read; "-" is standard input.
    var source: String
    /// The photo itself, where the file that is read is a rendering of it; nil otherwise.
    var original: String?
    /// The place; "-" is standard output.
    var place: String
  }

  /// By the position of the input.
  let steps: [Result<Step, CommandFailure>]

  /// Looks at the inputs.
  init(
    _ inputs: [String], _ output: OutputArguments, _ library: LibraryArguments,
    _ environment: CommandEnvironment
  ) throws(CommandFailure) {
    let areAssets = inputs.map { library.isAsset($0, environment) }
    if areAssets.contains(true), output.output == nil {
      throw .usage("no place for thumbnails of a library's photos", hint: "give -o DIR or -o FILE")
    }
    var names = ExportName()
    var steps: [Result<Step, CommandFailure>] = []
    var owners: [String: String] = [:]
    let sources = Set(zip(inputs, areAssets).filter { !$1 }.map { BatchPlan.identity($0.0) })
    for (input, isAsset) in zip(inputs, areAssets) {
      do throws(CommandFailure) {
        let step =
          isAsset
          ? try Self.asset(input, output, library, &names, environment)
          : Step(source: input, place: Self.place(of: input, output))
        if step.place != "-" {
          let identity = BatchPlan.identity(step.place)
          if sources.contains(identity) { throw .isInput(input, step.place, "thumbnail") }
          if let owner = owners[identity] {
            throw .sharedPlace(input, step.place, with: owner, "thumbnail")
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

  /// The folders into which thumbnails go.
  var folders: Set<String> {
    Set(
      steps.compactMap { step in
        guard case .success(let step) = step, step.place != "-" else { return nil }
        return FileSystem.folder(of: step.place)
      })
  }

  private static func place(of input: String, _ output: OutputArguments) -> String {
    if input == "-" && !output.isGiven { return "-" }
    let stem = input == "-" ? "stdin" : FileSystem.splitName(FileSystem.lastName(of: input)).stem
    if let place = output.path(name: stem + ".jpg") { return place }
    let name = stem + ".thumb.jpg"
    return input.contains("/") ? FileSystem.folder(of: input) + "/" + name : name
  }

  private static func asset(
    _ name: String, _ output: OutputArguments, _ arguments: LibraryArguments,
    _ names: inout ExportName, _ environment: CommandEnvironment
  ) throws(CommandFailure) -> Step {
    let library = try arguments.open(environment)
    let asset = try library.asset(named: name)
    let files = try inLibrary(library.files(of: asset))
    // What people see now, or else what came into the library.
    let wanted: [AssetResourceType] = [.fullSizePhoto, .fullSizeVideo, .photo, .video]
    let file = wanted.lazy.compactMap { type in files.first { $0.type == type } }.first
    guard let file else {
      throw CommandFailure(
        .badData, "\(name): has neither a picture nor a movie", code: "requestNotSupportedForAsset")
    }
    let stem = names.reserve(asset.originalFilename) { [$0 + ".jpg"] }
    let original = files.first { [.photo, .video].contains($0.type) }
    return Step(
      source: file.path, original: original?.path, place: output.path(name: stem + ".jpg") ?? "-")
  }
}

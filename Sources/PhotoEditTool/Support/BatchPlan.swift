// SPDX-License-Identifier: Apache-2.0
import PhotoEdit
import PhotoEditCommandLine
import PhotoEditStorage

/// The steps for all inputs of one call, determined before any of them is processed.
///
/// Inputs are processed in any order and in parallel, so no two may be the same photo or share a
/// path.
struct BatchPlan: Sendable {
  enum Step: Sendable {
    case edit
    /// The input is the rendering of another input, which is edited itself.
    case skip(renderingOf: String)
    case refuse(CommandFailure)
  }

  let steps: [Step]

  /// Plans the steps for the inputs.
  ///
  /// - Parameter outputPath: Returns the path for an input's rendering; nil if it is not known.
  init(_ inputs: [String], outputPath: (String) -> String?) {
    let files = inputs.map { $0 == "-" ? nil : Self.identity($0) }
    let known = Set(files.compactMap { $0 })
    var owners = SidecarIndex()
    let photos = zip(inputs, files).map { $1 == nil ? nil : owners.photo(forEditFile: $0) }
    let originals = Set(zip(files, photos).compactMap { $1 == nil ? $0 : nil })
    // The input for each path, as a file or as the path of its rendering.
    var firsts: [String: String] = [:]
    var targets: [String: String] = [:]
    var steps: [Step] = []
    for (index, input) in inputs.enumerated() {
      guard let file = files[index] else {
        steps.append(.edit)
        continue
      }
      if let first = firsts[file] {
        steps.append(.refuse(.repeated(input, first: first)))
        continue
      }
      firsts[file] = input
      if let photo = photos[index] {
        steps.append(
          known.contains(Self.identity(photo))
            ? .skip(renderingOf: photo) : .refuse(.isRendering(input, of: photo)))
        continue
      }
      guard let outputPath = outputPath(input), outputPath != "-" else {
        steps.append(.edit)
        continue
      }
      let target = Self.identity(outputPath)
      if let other = targets[target] ?? owners.photo(forEditFile: outputPath, otherThan: input) {
        steps.append(.refuse(.sharedOutput(input, outputPath, with: other, "rendering")))
      } else if target != file, originals.contains(target) {
        steps.append(.refuse(.isInput(input, outputPath, "rendering")))
      } else {
        targets[target] = input
        steps.append(.edit)
      }
    }
    self.steps = steps
  }

  /// Returns the same text for every name of a path.
  ///
  /// The folder is resolved but the name is not: a link next to a photo is a separate photo.
  static func identity(_ path: String) -> String {
    do throws(FileError) {
      return try FileSystem.resolved(FileSystem.folder(of: path)) + "/"
        + FileSystem.lastName(of: path)
    } catch {
      return path
    }
  }
}

extension CommandFailure {
  fileprivate static func repeated(_ input: String, first: String) -> CommandFailure {
    CommandFailure(
      .cannotCreate, "\(input): same photo as \(first)",
      hint: "specify each photo once; to apply a filter twice, repeat --filter",
      code: "repeatedInput")
  }

  fileprivate static func isRendering(_ input: String, of photo: String) -> CommandFailure {
    CommandFailure(
      .badData, "\(input): belongs to the edit of \(photo)",
      hint: "edit \(photo) instead, or render this file with 'photoedit render'",
      code: "isRendering")
  }

  /// Returns the failure for a result whose path is that of an input.
  ///
  /// - Parameter what: The kind of result, such as "rendering".
  static func isInput(_ input: String, _ outputPath: String, _ what: String) -> CommandFailure {
    CommandFailure(
      .cannotCreate, "\(input): its \(what) would overwrite \(outputPath), which is also an input",
      hint: "choose another path with -o", code: "sharedOutput")
  }

  /// Returns the failure for a result whose path is that of another result.
  ///
  /// - Parameter what: The kind of result, such as "rendering".
  static func sharedOutput(
    _ input: String, _ outputPath: String, with other: String, _ what: String
  ) -> CommandFailure {
    CommandFailure(
      .cannotCreate,
      "\(input): its \(what) and that of \(other) would both be written to \(outputPath)",
      hint: "process it separately and choose another path with -o", code: "sharedOutput")
  }
}

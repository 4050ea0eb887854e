// SPDX-License-Identifier: Apache-2.0
import PhotoEdit
import PhotoEditCommandLine
import PhotoEditStorage

/// What becomes of each input of one call, decided before any of them is touched.
///
/// Inputs are worked on in any order and at once, so no two may be one photo or share a place.
struct BatchPlan: Sendable {
  enum Step: Sendable {
    case edit
    /// It is the rendering of another input, which is edited itself.
    case skip(renderingOf: String)
    case refuse(CommandFailure)
  }

  let steps: [Step]

  /// Looks at the inputs.
  ///
  /// - Parameter place: Where an input's rendering will go; nil where nobody knows.
  init(_ inputs: [String], place: (String) -> String?) {
    let files = inputs.map { $0 == "-" ? nil : Self.identity($0) }
    let known = Set(files.compactMap { $0 })
    var owners = RenderingOwners()
    let photos = zip(inputs, files).map { $1 == nil ? nil : owners.photo(whoseEditHas: $0) }
    let originals = Set(zip(files, photos).compactMap { $1 == nil ? $0 : nil })
    // Each place with the input that has it: as its file, or for its rendering.
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
      guard let place = place(input), place != "-" else {
        steps.append(.edit)
        continue
      }
      let target = Self.identity(place)
      if let other = targets[target] ?? owners.photo(whoseEditHas: place, otherThan: input) {
        steps.append(.refuse(.sharedPlace(input, place, with: other, "rendering")))
      } else if target != file, originals.contains(target) {
        steps.append(.refuse(.isInput(input, place, "rendering")))
      } else {
        targets[target] = input
        steps.append(.edit)
      }
    }
    self.steps = steps
  }

  /// One text for every name of a place.
  ///
  /// The folder is resolved and the name is not: a link beside a photo is a photo of its own.
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
      .cannotCreate, "\(input): is the same photo as \(first), which this call edits",
      hint: "name each photo once; give --filter twice to apply it twice", code: "repeatedInput")
  }

  fileprivate static func isRendering(_ input: String, of photo: String) -> CommandFailure {
    CommandFailure(
      .badData, "\(input): belongs to the edit of \(photo)",
      hint: "edit \(photo) instead, or use 'render' to make another picture from this one",
      code: "isRendering")
  }

  /// A result whose place is that of an input.
  ///
  /// - Parameter what: What is made of the input, such as "rendering".
  static func isInput(_ input: String, _ place: String, _ what: String) -> CommandFailure {
    CommandFailure(
      .cannotCreate, "\(input): its \(what) would replace \(place), which is an input too",
      hint: "choose another place with -o", code: "sharedOutput")
  }

  /// A result whose place is that of another one.
  ///
  /// - Parameter what: What is made of the input, such as "rendering".
  static func sharedPlace(
    _ input: String, _ place: String, with other: String, _ what: String
  ) -> CommandFailure {
    CommandFailure(
      .cannotCreate, "\(input): its \(what) would go to \(place), which is that of \(other)",
      hint: "make it by itself and choose another name with -o", code: "sharedOutput")
  }
}

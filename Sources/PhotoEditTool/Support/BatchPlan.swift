// SPDX-License-Identifier: Apache-2.0

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

  private let steps: [Step]
  private let outputFolders: Set<PathKey>

  /// Plans the steps for the inputs.
  ///
  /// - Parameters:
  ///   - acceptsRenderings: Whether the rendering of a photo that is not an input may be one.
  ///   - outputPath: Returns the path for an input's rendering; nil if it is not known.
  init(
    _ inputs: [String], acceptsRenderings: Bool = false, outputPath: (String) -> String?
  ) {
    let files = inputs.map { $0 == "-" ? nil : Self.identity($0) }
    let known = Set(files.compactMap { $0 })
    var owners = SidecarIndex()
    let photos = zip(inputs, files).map { $1 == nil ? nil : owners.photo(forEditFile: $0) }
    let originals = Set(zip(files, photos).compactMap { $1 == nil ? $0 : nil })
    // The input for each path, as a file or as the path of its rendering.
    var firsts: [PathKey: String] = [:]
    var targets: [PathKey: String] = [:]
    var steps: [Step] = []
    for (index, input) in inputs.enumerated() {
      guard let file = files[index] else {
        steps.append(.edit)
        continue
      }
      if let first = firsts[file] {
        steps.append(
          .refuse(
            CommandFailure(
              .cannotCreate, "\(input): same photo as \(first)",
              hint: "specify each photo once; to apply a filter twice, repeat --filter",
              code: "repeatedInput")))
        continue
      }
      firsts[file] = input
      if let photo = photos[index] {
        let isKnown = known.contains(Self.identity(photo))
        if isKnown || !acceptsRenderings {
          steps.append(
            isKnown ? .skip(renderingOf: photo) : .refuse(.isRendering(input, of: photo)))
          continue
        }
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
    outputFolders = Set(targets.keys.map { PathKey(FileSystem.folder(of: $0.path)) })
  }

  /// Returns whether an input is left out, and reports it.
  ///
  /// - Throws: The failure of an input that is refused.
  func leavesOut(
    _ index: Int, _ input: String, _ environment: CommandEnvironment
  ) throws(CommandFailure) -> Bool {
    switch steps[index] {
    case .edit: return false
    case .refuse(let failure): throw failure
    case .skip(let photo):
      environment.tally.add(EditOutcome.skipped.rawValue)
      let isWritten = try environment.deliver([
        "input": .string(input), "skipped": true,
        "outcome": .string(EditOutcome.skipped.rawValue), "renderingOf": .string(photo),
      ])
      if !isWritten {
        environment.noteResult("\(input): skipped; it belongs to the edit of \(photo)")
      }
      return true
    }
  }

  /// Removes what processes that were killed left in the folders of the renderings.
  func sweepOutputFolders() {
    for folder in outputFolders { StagingFolder.removeStaleStaging(in: folder.path) }
  }

  /// Returns the same key for every name of a path.
  ///
  /// The folder is resolved but the name is not: a link next to a photo is a separate photo.
  static func identity(_ path: String) -> PathKey {
    let folder = try? FileSystem.resolved(FileSystem.folder(of: path))
    return PathKey(folder.map { $0 + "/" + FileSystem.lastName(of: path) } ?? path)
  }
}

extension CommandFailure {
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

/// A lookup of the photos to whose edits files belong, by the sidecars next to the files.
struct SidecarIndex {
  /// The photos with a sidecar, for each folder that was listed.
  private var photos: [PathKey: [String]] = [:]

  /// Returns the photo whose current rendering or base is the given file; nil if no sidecar next to
  /// the file names it.
  ///
  /// Only sidecars of photos whose name, without its extension, is a prefix of the file's name are
  /// read, such as "photo.jpg" for "photo.edited.jpg": a folder may contain ten thousand.
  mutating func photo(forEditFile path: String, otherThan known: String? = nil) -> String? {
    guard FileSystem.itemExists(path) else { return nil }
    let (folder, name) = (FileSystem.folder(of: path), FileSystem.lastName(of: path))
    let identity = BatchPlan.identity(path)
    for photo in photos(in: folder) where PathKey(photo) != PathKey(name) {
      guard name.utf8.starts(with: FileSystem.splitName(photo).stem.utf8) else { continue }
      let photoPath = path.utf8.contains(UInt8(ascii: "/")) ? folder + "/" + photo : photo
      if let known, BatchPlan.identity(known) == BatchPlan.identity(photoPath) { continue }
      guard FileSystem.itemExists(photoPath) else { continue }
      let contents = Self.contents(ofEditOf: photoPath)
      if contents.contains(where: { BatchPlan.identity($0) == identity }) { return photoPath }
    }
    return nil
  }

  private mutating func photos(in folder: String) -> [String] {
    if let known = photos[PathKey(folder)] { return known }
    // A folder that cannot be listed is treated as empty.
    let found = ((try? FileSystem.names(in: folder)) ?? []).filter { $0.hasSuffix(".aae") }
      .map { String($0.dropLast(4)) }
    photos[PathKey(folder)] = found
    return found
  }

  /// Returns the rendering and the base of a photo's edit.
  private static func contents(ofEditOf photo: String) -> [String] {
    // An error in a sidecar is reported when its photo is edited.
    guard let state = try? SidecarStore(path: photo).state(), state.isEdited, !state.isThirdParty
    else { return [] }
    // The base of a first edit is the photo itself.
    return [state.current.path, state.base?.path].compactMap { $0 }.filter { $0 != photo }
  }
}

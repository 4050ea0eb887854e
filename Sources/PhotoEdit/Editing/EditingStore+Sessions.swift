// SPDX-License-Identifier: Apache-2.0
package import FoundationEssentials
import PhotoEditCodecs
import PhotoEditStorage

/// The rules of a session that do not depend on the kind of store; these calls block.
extension EditingStore {
  /// Chooses the version for the editor, reads it, and checks that it matches the record.
  ///
  /// - Parameters:
  ///   - known: The stored state, if it was already read.
  ///   - keepsFile: Whether the file of a video must outlast later commits; a still is read into
  ///     memory.
  package func openInput(
    _ options: EditingInputRequestOptions, of known: EditState? = nil, keepsFile: Bool = true,
    cancellation: Cancellation = Cancellation()
  ) throws(EditingError) -> EditingInput {
    func report(_ share: Double) throws(EditingError) {
      let shouldContinue = !cancellation.isCancelled && options.progressHandler?(share) != false
      guard shouldContinue, !cancellation.isCancelled else { throw .cancelled }
    }
    let state = if let known { known } else { try state() }
    var selection = InputVersionSelection(state, canHandle: options.canHandleAdjustmentData)
    try report(0)
    var snapshot: StagingFolder?
    let sourcePath = selection.content.path
    // A record may name the original itself as the rendering; it does not get a hard link either.
    let isOriginal =
      selection.version == .original
      || FileSystem.isSameFile(sourcePath, selection.state.original.path)
    let isOwnedByStore = !isOriginal || !selection.state.isOriginalExternal
    let hasMovie = selection.state.isMovie || selection.movie != nil
    if keepsFile, hasMovie, isOwnedByStore, let folder = try? makeStagingFolder() {
      // Without a writable folder, no commit next to the photo is possible, so the file itself is
      // used.
      selection = try reportingConcurrentEdits(selection) { before throws(EditingError) in
        var after = before
        if before.state.isMovie {
          let path = folder.file("input." + before.fileExtension)
          after.content = try snap(before.content, of: before, to: path)
        }
        if let movie = before.movie {
          after.movie = try snap(movie, of: before, to: folder.file("paired.mov"))
        }
        return after
      }
      snapshot = folder
    }
    let content = try reportingConcurrentEdits(selection) { selection throws(EditingError) in
      try open(selection, at: sourcePath, options)
    }
    try report(0.9)
    try report(1)
    return EditingInput(selection, content, assetName: assetName, snapshot: snapshot) {
      () throws(FileError) in
      // A store without a writable folder gets its copies elsewhere.
      if let folder = try? makeStagingFolder() { return folder }
      return try StagingFolder(in: FileSystem.temporaryFolder)
    }
  }

  /// Reads the input of a session; reports a concurrent commit by another process as such, not as a
  /// changed or missing file.
  private func reportingConcurrentEdits<Result>(
    _ selection: InputVersionSelection,
    _ read: (InputVersionSelection) throws(EditingError) -> Result
  ) throws(EditingError) -> Result {
    do throws(EditingError) {
      return try read(selection)
    } catch {
      guard [.invalidResource, .missingResource].contains(error.code),
        selection.version != .original
      else { throw error }
      let (before, now) = (selection.state, try state())
      guard now.revision == before.revision, now.current == before.current, now.base == before.base
      else { throw .editedByAnotherProcess(assetName) }
      throw error
    }
  }

  /// Examines the files of a state; repeats if another process commits in the meantime.
  ///
  /// - Parameter inspect: Examines the files and returns whether they match the record.
  package func consistentState<Facts>(
    _ inspect: (EditState) -> (facts: Facts, isAsRecorded: Bool)
  ) throws(EditingError) -> (state: EditState, facts: Facts) {
    var state = try state()
    for _ in 0..<SidecarStore.maximumAttempts {
      let (facts, isAsRecorded) = inspect(state)
      if isAsRecorded { return (state, facts) }
      let now = try self.state()
      if now == state { return (state, facts) }
      state = now
    }
    throw .editedByAnotherProcess(assetName)
  }

  /// Gives a file another name that outlasts later commits.
  private func snap(
    _ content: EditState.Content, of selection: InputVersionSelection, to path: String
  ) throws(EditingError) -> EditState.Content {
    do throws(FileError) {
      if selection.state.isThirdParty {
        // Another program may write its files in place, which would also change a hard link.
        try FileSystem.copy(content.path, to: path)
      } else {
        try FileSystem.duplicate(content.path, to: path)
      }
    } catch {
      if error.kind == .missing, let digest = content.digest {
        throw .missingContent(content.path, recorded: digest)
      }
      throw EditingError(error)
    }
    return EditState.Content(path: path, digest: content.digest)
  }

  /// - Parameter sourcePath: The path of the file to use in messages.
  private func open(
    _ selection: InputVersionSelection, at sourcePath: String, _ options: EditingInputRequestOptions
  ) throws(EditingError) -> OpenedContent {
    let path = selection.content.path
    if selection.state.isMovie {
      // Videos may be larger than memory: one pass for the digest, then only the header is read.
      var digest: SHA256Digest?
      if selection.content.digest != nil {
        digest = try check(selection, at: sourcePath) { () throws(FileError) in
          try FileBytes.digest(of: path)
        }
      }
      return OpenedContent(media: .movie, movie: try describeMovie(at: path), digest: digest)
    }
    let (image, digest) = try readImage(selection, at: sourcePath, limits: options)
    guard let movie = selection.movie else {
      return OpenedContent(media: .photo, image: image, digest: digest)
    }
    if let recorded = movie.digest {
      let found = try mapFileErrors(FileBytes.digest(of: movie.path))
      guard found == recorded else { throw .changedContent(movie.path, recorded: recorded) }
    }
    return OpenedContent(
      media: .livePhoto, image: image, movie: try describeMovie(at: movie.path),
      digest: digest)
  }

  /// Reads the version and checks that it matches the record.
  private func readImage(
    _ selection: InputVersionSelection, at sourcePath: String,
    limits options: EditingInputRequestOptions
  ) throws(EditingError) -> (ImageSource, SHA256Digest) {
    var bytes = FileBytes([])
    let digest = try check(selection, at: sourcePath) { () throws(FileError) in
      bytes = try FileBytes.reading(selection.content.path)
      return bytes.digest()
    }
    let image = try translating(
      { EditingError($0 as RenderError, path: sourcePath) },
      ImageSource(bytes, limits: options.limits))
    return (image, digest)
  }

  private func check(
    _ selection: InputVersionSelection, at sourcePath: String,
    _ read: () throws(FileError) -> SHA256Digest
  ) throws(EditingError) -> SHA256Digest {
    let content = selection.content
    let digest: SHA256Digest
    do throws(FileError) {
      digest = try read()
    } catch {
      if error.kind == .missing, selection.version != .original, let digest = content.digest {
        throw .missingContent(sourcePath, recorded: digest)
      }
      throw EditingError(error)
    }
    if let recorded = content.digest, recorded != digest {
      if selection.version == .original {
        let state = selection.state
        if state.isOriginalExternal, let pixels = state.originalPixels,
          PixelDigest.digest(of: content.path) == pixels
        {
          return digest
        }
        throw state.isOriginalExternal
          ? .changedOriginal(sourcePath, recorded: recorded, found: digest, isMovie: state.isMovie)
          : .damagedOriginal(sourcePath, recorded: recorded, found: digest)
      }
      throw .changedContent(sourcePath, recorded: recorded)
    }
    return digest
  }

  /// Creates the output for a session's result.
  ///
  /// - Parameter isPrivate: Whether only photoedit knows it.
  package func openOutput(
    for input: EditingInput, isPrivate: Bool = false
  ) throws(EditingError) -> EditingOutput {
    try check(input)
    return EditingOutput(input: input, staging: try makeStagingFolder(), isPrivate: isPrivate)
  }

  /// Rejects the session of another photo; names are compared as bytes, without normalization.
  private func check(_ input: EditingInput) throws(EditingError) {
    guard input.assetName.utf8.elementsEqual(assetName.utf8) else {
      throw .otherAsset(expected: assetName, found: input.assetName)
    }
  }

  /// Checks an output and commits it.
  package func performCommit(
    _ output: EditingOutput, date: Date = Date(), cancellation: Cancellation = Cancellation()
  ) throws(EditingError) -> EditState {
    let checked = try output.checked(for: assetName)
    do throws(EditingError) {
      // The change applies to the state that the session began with, or is rejected.
      guard let state = output.input?.state else { throw .editedByAnotherProcess(assetName) }
      let record = checked.record(after: state.record, date: date, client: client)
      if cancellation.isCancelled { throw .cancelled }
      let after = try perform(
        .edit(
          staged: checked.path, record, checked.kind, input: checked.input,
          movie: checked.movie?.path, content: checked.rendering),
        expecting: state.revision)
      output.staging.discard()
      return after
    } catch {
      output.release()
      throw error
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package import FoundationEssentials
import PhotoEditCodecs
import PhotoEditPixels
import PhotoEditRendering
package import PhotoEditStorage

/// The rules of a session that do not depend on the kind of store; these calls block.
extension EditingStore {
  /// Chooses the version for the editor, reads it, and checks that it matches the record.
  ///
  /// - Parameters:
  ///   - known: The stored state, if it was already read.
  ///   - keepsFile: Whether the file must outlast later commits; false if only the bytes are used.
  package func openInput(
    _ options: EditingInputRequestOptions, of known: EditState? = nil, keepsFile: Bool = true,
    cancellation: Cancellation = Cancellation()
  ) throws(EditingError) -> EditingInput {
    func report(_ share: Double) throws(EditingError) {
      let goesOn = !cancellation.isCancelled && options.progressHandler?(share) != false
      guard goesOn, !cancellation.isCancelled else { throw .cancelled }
    }
    let state = if let known { known } else { try state() }
    var negotiation = Negotiation(state, canHandle: options.canHandleAdjustmentData)
    try report(0)
    var snapshot: StagingFolder?
    let place = negotiation.content.path
    // A record may name the original itself as the rendering; it does not get a hard link either.
    let isOriginal =
      negotiation.version == .original
      || FileSystem.isSameFile(place, negotiation.state.original.path)
    let isOurs = !isOriginal || !negotiation.state.isOriginalForeign
    if keepsFile, isOurs, let folder = try? makeStagingFolder() {
      // Without a writable folder, no commit next to the photo is possible, so the file itself is
      // used.
      let name = FileSystem.splitName(FileSystem.lastName(of: place)).fileExtension
      let rendered = negotiation.state.isMovie ? "mov" : "jpg"
      let ending = negotiation.version == .original ? name : rendered
      negotiation = try unlessEditedElsewhere(negotiation) { before throws(EditingError) in
        var after = before
        after.content = try snap(before.content, of: before, to: folder.file("input." + ending))
        if let movie = before.movie {
          after.movie = try snap(movie, of: before, to: folder.file("paired.mov"))
        }
        return after
      }
      snapshot = folder
    }
    let content = try unlessEditedElsewhere(negotiation) { negotiation throws(EditingError) in
      try open(negotiation, at: place, options)
    }
    try report(0.9)
    try report(1)
    return EditingInput(negotiation, content, assetName: assetName, snapshot: snapshot)
  }

  /// Reads the input of a session; reports a concurrent commit by another process as such, not as a
  /// changed or missing file.
  private func unlessEditedElsewhere<Result>(
    _ negotiation: Negotiation, _ read: (Negotiation) throws(EditingError) -> Result
  ) throws(EditingError) -> Result {
    do throws(EditingError) {
      return try read(negotiation)
    } catch {
      guard [.invalidResource, .missingResource].contains(error.code),
        negotiation.version != .original
      else { throw error }
      let (before, now) = (negotiation.state, try state())
      guard now.revision == before.revision, now.current == before.current, now.base == before.base
      else { throw .editedElsewhere(assetName) }
      throw error
    }
  }

  /// Examines the files of a state; repeats if another process commits in the meantime.
  ///
  /// - Parameter look: Examines the files and returns whether they match the record.
  package func consistentState<Facts>(
    _ look: (EditState) -> (facts: Facts, isAsRecorded: Bool)
  ) throws(EditingError) -> (state: EditState, facts: Facts) {
    var state = try state()
    for _ in 0..<SidecarStore.maximumAttempts {
      let (facts, isAsRecorded) = look(state)
      if isAsRecorded { return (state, facts) }
      let now = try self.state()
      if now == state { return (state, facts) }
      state = now
    }
    throw .editedElsewhere(assetName)
  }

  /// Gives a file another name that outlasts later commits.
  private func snap(
    _ content: EditState.Content, of negotiation: Negotiation, to path: String
  ) throws(EditingError) -> EditState.Content {
    do throws(FileError) {
      if negotiation.state.isForeign {
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

  /// - Parameter place: The path of the file to use in messages.
  private func open(
    _ negotiation: Negotiation, at place: String, _ options: EditingInputRequestOptions
  ) throws(EditingError) -> OpenedContent {
    let path = negotiation.content.path
    if negotiation.state.isMovie {
      // Videos may be larger than memory: one pass for the digest, then only the header is read.
      var digest: Digest?
      if negotiation.content.digest != nil {
        digest = try check(negotiation, at: place) { () throws(FileError) in
          try FileBytes.digest(of: path)
        }
      }
      return OpenedContent(media: .movie, movie: try describeMovie(at: path), digest: digest)
    }
    let (picture, digest) = try readPicture(negotiation, at: place, limits: options)
    guard let movie = negotiation.movie else {
      return OpenedContent(media: .photo, picture: picture, digest: digest)
    }
    if let recorded = movie.digest {
      let found = try filing { () throws(FileError) in try FileBytes.digest(of: movie.path) }
      guard found == recorded else { throw .changedContent(movie.path, recorded: recorded) }
    }
    return OpenedContent(
      media: .livePhoto, picture: picture, movie: try describeMovie(at: movie.path),
      digest: digest)
  }

  /// Reads the version and checks that it matches the record.
  private func readPicture(
    _ negotiation: Negotiation, at place: String, limits options: EditingInputRequestOptions
  ) throws(EditingError) -> (Picture, Digest) {
    var bytes = FileBytes([])
    let digest = try check(negotiation, at: place) { () throws(FileError) in
      bytes = try FileBytes.reading(negotiation.content.path)
      return bytes.digest()
    }
    do throws(RenderError) {
      return (try Picture(bytes, limits: options.limits), digest)
    } catch {
      throw EditingError(error, path: place)
    }
  }

  private func check(
    _ negotiation: Negotiation, at place: String, _ read: () throws(FileError) -> Digest
  ) throws(EditingError) -> Digest {
    let content = negotiation.content
    let digest: Digest
    do throws(FileError) {
      digest = try read()
    } catch {
      if error.kind == .missing, negotiation.version != .original, let digest = content.digest {
        throw .missingContent(place, recorded: digest)
      }
      throw EditingError(error)
    }
    if let recorded = content.digest, recorded != digest {
      if negotiation.version == .original {
        let state = negotiation.state
        if state.isOriginalForeign, let pixels = state.originalPixels,
          PixelDigest.digest(of: content.path) == pixels
        {
          return digest
        }
        throw state.isOriginalForeign
          ? .changedOriginal(place, recorded: recorded, found: digest, isMovie: state.isMovie)
          : .damagedOriginal(place, recorded: recorded, found: digest)
      }
      throw .changedContent(place, recorded: recorded)
    }
    return digest
  }

  /// Creates the output for a session's result.
  package func openOutput(for input: EditingInput) throws(EditingError) -> EditingOutput {
    try check(input)
    return EditingOutput(input: input, staging: try makeStagingFolder())
  }

  /// Refuses the session of another photo; names are compared as bytes, without normalization.
  private func check(_ input: EditingInput) throws(EditingError) {
    guard input.assetName.utf8.elementsEqual(assetName.utf8) else {
      throw .otherAsset(expected: assetName, found: input.assetName)
    }
  }

  /// Checks an output and commits it.
  package func performCommit(
    _ output: EditingOutput, date: Date = Date(), editor: String = "org.photoedit",
    cancellation: Cancellation = Cancellation()
  ) throws(EditingError) -> EditState {
    let checked = try output.checked(for: assetName)
    do throws(EditingError) {
      // The change applies to the state that the session began with, or is refused.
      guard let state = output.input?.state else { throw .editedElsewhere(assetName) }
      let record = checked.record(after: state.record, date: date, editor: editor)
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

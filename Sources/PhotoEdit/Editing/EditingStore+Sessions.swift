// SPDX-License-Identifier: Apache-2.0
import Codecs
package import FoundationEssentials
import Pixels
import Rendering
import Storage

/// The rules of a session that do not depend on where photos are stored; blocking calls.
extension EditingStore {
  /// Decides which version the editor gets, reads it, and checks that it is what was recorded.
  ///
  /// - Parameter keepsFile: Whether the file must outlast later commits; not for those who use
  ///   nothing but the bytes.
  package func openInput(
    _ options: EditingInputRequestOptions, keepsFile: Bool = true,
    cancellation: Cancellation = Cancellation()
  ) throws(EditingError) -> EditingInput {
    func report(_ share: Double) throws(EditingError) {
      let goesOn = !cancellation.isCancelled && options.progressHandler?(share) != false
      guard goesOn, !cancellation.isCancelled else { throw .cancelled }
    }
    var negotiation = Negotiation(try state(), canHandle: options.canHandleAdjustmentData)
    try report(0)
    var snapshot: StagingFolder?
    let place = negotiation.content.path
    let isOurs = negotiation.version != .original || !negotiation.state.isOriginalForeign
    if keepsFile, isOurs, let folder = try? makeStagingFolder() {
      // Without a writable folder nobody can commit beside it, so the file itself will do.
      let name = FileSystem.splitName(FileSystem.lastName(of: place)).fileExtension
      let path = folder.file(negotiation.version == .original ? "input." + name : "input.jpg")
      try snap(negotiation, to: path)
      negotiation.content.path = path
      snapshot = folder
    }
    let picture = try read(negotiation, at: place, limits: options)
    try report(0.9)
    try report(1)
    return EditingInput(
      negotiation, picture: picture, assetName: assetName, snapshot: snapshot,
      path: negotiation.content.path)
  }

  private func snap(_ negotiation: Negotiation, to path: String) throws(EditingError) {
    do throws(FileError) {
      if negotiation.state.isForeign {
        // Another program may write its files in place, and a second name would show on them.
        try FileSystem.copy(negotiation.content.path, to: path)
      } else {
        try FileSystem.duplicate(negotiation.content.path, to: path)
      }
    } catch {
      if error.kind == .missing, let digest = negotiation.content.digest {
        throw .missingContent(negotiation.content.path, recorded: digest)
      }
      throw EditingError(error)
    }
  }

  /// - Parameter place: Where people know the file.
  private func read(
    _ negotiation: Negotiation, at place: String, limits options: EditingInputRequestOptions
  ) throws(EditingError) -> Picture {
    let content = negotiation.content
    let bytes: FileBytes
    do throws(FileError) {
      bytes = try FileBytes.reading(content.path)
    } catch {
      if error.kind == .missing, negotiation.version != .original, let digest = content.digest {
        throw .missingContent(place, recorded: digest)
      }
      throw EditingError(error)
    }
    let digest = bytes.digest()
    if let recorded = content.digest, recorded != digest {
      if negotiation.version == .original {
        throw negotiation.state.isOriginalForeign
          ? .changedOriginal(place, recorded: recorded, found: digest)
          : .damagedOriginal(place, recorded: recorded, found: digest)
      }
      throw .changedContent(place, recorded: recorded)
    }
    do throws(RenderError) {
      return try Picture(bytes, limits: options.limits)
    } catch {
      throw EditingError(error, path: place)
    }
  }

  /// Makes the place for a session's result.
  package func openOutput(for input: EditingInput) throws(EditingError) -> EditingOutput {
    try check(input)
    return EditingOutput(input: input, staging: try makeStagingFolder())
  }

  /// Refuses the session of another photo; names are bytes, whatever they look like.
  private func check(_ input: EditingInput) throws(EditingError) {
    guard input.assetName.utf8.elementsEqual(assetName.utf8) else {
      throw .otherAsset(expected: assetName, found: input.assetName)
    }
  }

  /// Checks an output and commits it.
  ///
  /// - Parameters:
  ///   - recipe: How the rendering was made, when it was made here and need not be checked again.
  package func performCommit(
    _ output: EditingOutput, recipe: RenderRecipe? = nil, date: Date = Date(),
    editor: String = "org.photoedit", cancellation: Cancellation = Cancellation()
  ) throws(EditingError) -> EditState {
    let checked = try output.checked(for: assetName, recipe: recipe)
    do throws(EditingError) {
      let state = try state()
      guard state.revision == checked.revision else { throw .editedElsewhere(assetName) }
      let record = checked.record(after: state.record, date: date, editor: editor)
      if cancellation.isCancelled { throw .cancelled }
      let after = try perform(
        .edit(staged: checked.path, record, checked.kind, input: checked.input),
        expecting: state.revision)
      output.staging.discard()
      return after
    } catch {
      output.release()
      throw error
    }
  }
}

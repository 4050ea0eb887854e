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
    _ options: EditingInputRequestOptions, keepsFile: Bool = true
  ) throws(EditingError) -> EditingInput {
    let negotiation = Negotiation(try state(), canHandle: options.canHandleAdjustmentData)
    try Self.report(0, to: options)
    let picture = try read(negotiation, limits: options)
    try Self.report(0.9, to: options)
    var path = negotiation.content.path
    var snapshot: StagingFolder?
    if keepsFile, negotiation.version != .original, let folder = try? makeStagingFolder() {
      // Without a writable folder nobody can commit beside it, so the file itself will do.
      path = folder.file("input.jpg")
      try filing { () throws(FileError) in
        try FileSystem.duplicate(negotiation.content.path, to: path)
      }
      snapshot = folder
    }
    try Self.report(1, to: options)
    return EditingInput(
      negotiation, picture: picture, assetName: assetName, snapshot: snapshot, path: path)
  }

  private static func report(
    _ share: Double, to options: EditingInputRequestOptions
  ) throws(EditingError) {
    if Task.isCancelled || options.progressHandler?(share) == false { throw .cancelled }
  }

  private func read(
    _ negotiation: Negotiation, limits options: EditingInputRequestOptions
  ) throws(EditingError) -> Picture {
    let content = negotiation.content
    let bytes: FileBytes
    do throws(FileError) {
      bytes = try FileBytes.reading(content.path)
    } catch {
      if error.kind == .missing, negotiation.version != .original, let digest = content.digest {
        throw .missingContent(content.path, recorded: digest)
      }
      throw EditingError(error)
    }
    let digest = bytes.digest()
    if let recorded = content.digest, recorded != digest {
      if negotiation.version == .original {
        throw .changedOriginal(content.path, recorded: recorded, found: digest)
      }
      throw .changedContent(content.path, recorded: recorded)
    }
    do throws(RenderError) {
      return try Picture(bytes, limits: options.limits, digest: digest)
    } catch {
      throw EditingError(error, path: content.path)
    }
  }

  /// Makes the place for a session's result.
  package func openOutput(for input: EditingInput) throws(EditingError) -> EditingOutput {
    guard input.assetName == assetName else {
      throw .otherAsset(expected: assetName, found: input.assetName)
    }
    return EditingOutput(input: input, staging: try makeStagingFolder())
  }

  /// Checks an output and commits it.
  ///
  /// - Parameters:
  ///   - recipe: How the rendering was made, when it was made here and need not be checked again.
  package func performCommit(
    _ output: EditingOutput, recipe: RenderRecipe? = nil, date: Date = Date(),
    editor: String = "org.photoedit"
  ) throws(EditingError) -> EditState {
    guard output.input.assetName == assetName else {
      throw .otherAsset(expected: assetName, found: output.input.assetName)
    }
    guard output.claim() else { throw .usedOutput }
    do throws(EditingError) {
      guard let adjustment = output.adjustmentData else { throw .missingAdjustmentData }
      try adjustment.check()
      let path = output.staging.file("rendered.jpg")
      let digest = try RenderedContent.check(path, isTrusted: recipe != nil)
      let state = try state()
      guard state.revision == output.input.revision else { throw .editedElsewhere(assetName) }
      let record = EditRecord(
        base: EditRecord.base(after: state.record, output.input.kind), current: digest,
        adjustment: adjustment,
        date: Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down)),
        editor: editor, recipe: recipe)
      return try perform(
        .edit(staged: path, record, output.input.kind), expecting: output.input.revision)
    } catch {
      output.release()
      throw error
    }
  }
}

/// The check of a rendering that somebody else wrote.
enum RenderedContent {
  /// Makes sure that a file is an upright, undamaged JPEG, judged by content.
  ///
  /// - Returns: Its digest.
  static func check(_ path: String, isTrusted: Bool) throws(EditingError) -> Digest {
    let bytes: FileBytes
    do throws(FileError) {
      bytes = try FileBytes.reading(path)
    } catch {
      if error.kind == .missing { throw .missingRendering(path) }
      if error.kind == .empty { throw .damagedRendering(path, .empty) }
      throw EditingError(error)
    }
    if isTrusted { return bytes.digest() }
    let format: ImageFormat
    do throws(CodecError) {
      let decoder = try ImageDecoders.open(bytes)
      format = decoder.header.format
      if format == .jpeg { try decoder.readToEnd() }
    } catch {
      switch error {
      case .notAnImage(let found), .unsupported(let found):
        throw .wrongRendering(path, found: found)
      default: throw .damagedRendering(path, error)
      }
    }
    guard format == .jpeg else {
      throw .wrongRendering(path, found: format.uniformTypeIdentifier)
    }
    let orientation: Orientation
    do throws(MetadataError) {
      orientation = try ImageMetadata.read(bytes).orientation
    } catch {
      throw EditingError(.metadata(error), path: path)
    }
    guard orientation == .up else {
      throw .sidewaysRendering(path, orientation: orientation.rawValue)
    }
    return bytes.digest()
  }
}

// SPDX-License-Identifier: Apache-2.0
package import FoundationEssentials
import PhotoEditCodecs
import PhotoEditStorage

/// An output that is complete for a commit and whose only commit is claimed.
package struct ValidatedOutput: Sendable {
  /// The rendering, in its staging folder.
  package let path: String
  /// The contents of the rendering; nil for a video, which the store checks, and for a rendering
  /// that photoedit made for a session of its own and that is unchanged.
  package let rendering: FileBytes?
  /// The SHA-256 of the rendering.
  package let digest: SHA256Digest
  /// The video paired with the rendering, if any, in its staging folder.
  package let movie: (path: String, digest: SHA256Digest)?
  /// The revision of the photo when the session began; nil for a photo created in the same commit.
  package let revision: String?
  /// The relation of the session to the stored edit.
  package let kind: SessionKind
  /// The digest of the image that was rendered.
  package let input: SHA256Digest?
  private let adjustment: AdjustmentData
  private let editor: String?
  private let renderSettings: RenderSettings?
  private let assets: [SHA256Digest: Data]

  fileprivate init(
    _ output: EditingOutput, _ adjustment: AdjustmentData
  ) throws(EditingError) {
    path = output.contentPath
    var own = output.ownRendering
    // The times of a file are a hint: where others know the file, only its bytes are proof.
    let isUnchanged = output.isPrivate || output.media == .movie
    if isUnchanged, let own, FileVersion(path) == own.version {
      (rendering, digest) = (nil, own.digest)
    } else if output.media == .movie {
      (rendering, digest) = (nil, try RenderedContent.digest(of: path))
    } else {
      let bytes = try RenderedContent.read(path)
      if bytes.digest() != own?.digest {
        try RenderedContent.check(bytes, at: path)
        own = nil
      }
      (rendering, digest) = (bytes, bytes.digest())
    }
    if let paired = output.pairedVideoURL?.path, FileSystem.itemExists(paired) {
      movie = (paired, try RenderedContent.digest(of: paired))
    } else {
      movie = nil
    }
    revision = output.input?.state.revision
    kind = output.input?.kind ?? .first
    input = output.input?.digest
    self.adjustment = adjustment
    editor = output.editor
    renderSettings = own?.renderSettings
    assets = output.assets
  }

  /// Returns the record that the commit writes in place of the previous one.
  ///
  /// - Parameter client: The program that edits if the output does not name it.
  package func record(after before: EditRecord?, date: Date, client: String) -> EditRecord {
    // An editor that did not state its name must not appear under that of photoedit.
    let isUnnamed =
      client == EditRecord.photoedit && adjustment.formatIdentifier != FilterGraph.formatIdentifier
    let name = editor ?? (isUnnamed ? adjustment.formatIdentifier : client)
    var record = EditRecord(
      base: EditRecord.base(after: before, kind), current: digest, adjustment: adjustment,
      date: Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down)),
      editor: name, renderSettings: renderSettings, assets: assets)
    record.consumeVideo(after: before)
    record.currentMovie = movie?.digest
    return record
  }
}

extension EditingOutput {
  /// Claims the output's only commit and checks that the output is complete.
  ///
  /// A caller that does not complete the commit must release the claim with `release`.
  package func checked(for name: String) throws(EditingError) -> ValidatedOutput {
    guard assetName.utf8.elementsEqual(name.utf8) else {
      throw .otherAsset(expected: name, found: assetName)
    }
    guard claim() else { throw .usedOutput }
    do throws(EditingError) {
      guard let adjustment = adjustmentData else { throw .missingAdjustmentData }
      try adjustment.check()
      if let editor { try AdjustmentData.check(editor, "editor") }
      return try ValidatedOutput(self, adjustment)
    } catch {
      release()
      throw error
    }
  }
}

/// The check of a rendering that was written by the caller.
enum RenderedContent {
  /// Returns the digest of a video that was written by the caller.
  static func digest(of path: String) throws(EditingError) -> SHA256Digest {
    do throws(FileError) {
      return try FileBytes.digest(of: path)
    } catch {
      if error.kind == .missing { throw .missingRendering(path) }
      throw EditingError(error)
    }
  }

  /// Reads an image that the caller may have written.
  static func read(_ path: String) throws(EditingError) -> FileBytes {
    do throws(FileError) {
      return try FileBytes.reading(path)
    } catch {
      if error.kind == .missing { throw .missingRendering(path) }
      if error.kind == .empty { throw .damagedRendering(path, .empty) }
      throw EditingError(error)
    }
  }

  /// Checks by content that a file is an undamaged JPEG with the orientation `up`.
  static func check(_ bytes: FileBytes, at path: String) throws(EditingError) {
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
    let orientation = try translating(
      { EditingError($0 as MetadataError, path: path) }, ImageMetadata.read(bytes)
    ).orientation
    guard orientation == .up else {
      throw .sidewaysRendering(path, orientation: orientation.rawValue)
    }
  }
}

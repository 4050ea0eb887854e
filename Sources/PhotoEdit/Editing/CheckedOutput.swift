// SPDX-License-Identifier: Apache-2.0
import Codecs
package import FoundationEssentials
import Pixels
import Rendering
package import Storage

/// An output that has everything a commit needs; the one commit that it has is claimed.
package struct CheckedOutput: Sendable {
  /// The rendering, in its staging folder.
  package let path: String
  /// What is in it.
  package let rendering: FileBytes
  /// What the photo was when the session began; nil for one that is made in the same commit.
  package let revision: String?
  /// How the session related to what was stored.
  package let kind: SessionKind
  /// The picture that the rendering was made from.
  package let input: Digest?
  private let adjustment: AdjustmentData
  private let recipe: RenderRecipe?
  private let assets: [Digest: Data]

  fileprivate init(
    _ output: EditingOutput, _ adjustment: AdjustmentData, recipe: RenderRecipe?
  ) throws(EditingError) {
    path = output.staging.file("rendered.jpg")
    rendering = try RenderedContent.check(path, isTrusted: recipe != nil)
    revision = output.input?.revision
    kind = output.input?.kind ?? .first
    input = output.input?.picture.digest
    self.adjustment = adjustment
    self.recipe = recipe
    assets = output.assets
  }

  /// The record that the commit writes over another one.
  package func record(after before: EditRecord?, date: Date, editor: String) -> EditRecord {
    EditRecord(
      base: EditRecord.base(after: before, kind), current: rendering.digest(),
      adjustment: adjustment,
      date: Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down)),
      editor: editor, recipe: recipe, assets: assets)
  }
}

extension EditingOutput {
  /// Claims the output's only commit and makes sure that it is whole.
  ///
  /// Whoever does not go through with the commit gives the claim back by `release`.
  package func checked(
    for name: String, recipe: RenderRecipe? = nil
  ) throws(EditingError) -> CheckedOutput {
    guard assetName.utf8.elementsEqual(name.utf8) else {
      throw .otherAsset(expected: name, found: assetName)
    }
    guard claim() else { throw .usedOutput }
    do throws(EditingError) {
      guard let adjustment = adjustmentData else { throw .missingAdjustmentData }
      try adjustment.check()
      return try CheckedOutput(self, adjustment, recipe: recipe)
    } catch {
      release()
      throw error
    }
  }
}

/// The check of a rendering that somebody else wrote.
enum RenderedContent {
  /// Makes sure that a file is an upright, undamaged JPEG, judged by content.
  ///
  static func check(_ path: String, isTrusted: Bool) throws(EditingError) -> FileBytes {
    let bytes: FileBytes
    do throws(FileError) {
      bytes = try FileBytes.reading(path)
    } catch {
      if error.kind == .missing { throw .missingRendering(path) }
      if error.kind == .empty { throw .damagedRendering(path, .empty) }
      throw EditingError(error)
    }
    if isTrusted { return bytes }
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
    return bytes
  }
}

// SPDX-License-Identifier: Apache-2.0
import Codecs
public import FoundationEssentials
public import Pixels
package import Rendering
import Storage

/// What an editing session begins with: one version of the photo, and the record if it was asked for.
///
/// The file stays as it is as long as this object lives, whatever is committed meanwhile.
public final class EditingInput: Sendable {
  /// The version that is handed out.
  public enum Version: String, Sendable, Hashable {
    /// The photo as it came.
    case original
    /// What the most recent edit began with.
    case base
    /// What the most recent edit made.
    case current
  }

  /// The picture at full size; to be read only.
  public let fullSizeImageURL: URL
  /// The record to be changed and applied anew; nil when the picture has everything baked in.
  public let adjustmentData: AdjustmentData?
  /// Which version the picture is.
  public let version: Version
  /// How the session relates to what is stored.
  public let kind: SessionKind
  /// Size of the picture as people see it.
  public let size: PixelSize
  /// How the stored pixels lie.
  public let orientation: Orientation

  package let picture: Picture
  package let assetName: String
  let revision: String
  private let snapshot: StagingFolder?

  init(
    _ negotiation: Negotiation, picture: Picture, assetName: String, snapshot: StagingFolder?,
    path: String
  ) {
    fullSizeImageURL = URL(filePath: path)
    adjustmentData = negotiation.adjustmentData
    version = negotiation.version
    kind = negotiation.kind
    size = picture.size
    orientation = picture.metadata.orientation
    self.picture = picture
    self.assetName = assetName
    revision = negotiation.state.revision
    self.snapshot = snapshot
  }
}

/// How to ask for an input.
public struct EditingInputRequestOptions: Sendable {
  /// Says whether the editor understands a record; asked at most once, before content is read.
  ///
  /// Yes gives the base together with the data. No, or no closure, gives the current rendering
  /// without the data. A photo that is not edited gives the original, and nobody asks.
  public var canHandleAdjustmentData: (@Sendable (AdjustmentData) -> Bool)?
  /// Told how far reading has come, 0 to 1; false cancels.
  public var progressHandler: (@Sendable (Double) -> Bool)?
  /// What the decoder refuses.
  public var limits = ImageLimits()

  /// Makes the default options: no record is understood.
  public init() {}
}

/// The decision which version a session gets, before any content is read.
struct Negotiation: Sendable {
  let state: EditState
  let version: EditingInput.Version
  let kind: SessionKind
  var content: EditState.Content
  let adjustmentData: AdjustmentData?

  init(_ state: EditState, canHandle: ((AdjustmentData) -> Bool)?) {
    self.state = state
    guard let record = state.record else {
      (version, kind) = (.original, .first)
      content = state.original
      adjustmentData = nil
      return
    }
    if let base = state.base, let canHandle, canHandle(record.adjustment) {
      (version, kind) = (record.base == nil ? .original : .base, .resumed)
      content = base
      adjustmentData = record.adjustment
    } else {
      (version, kind) = (.current, .notUnderstood)
      content = state.current
      adjustmentData = nil
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
import PhotoEditCodecs
import PhotoEditRendering
public import PhotoEditStorage

/// The record of the most recent edit: its input, its output, and the data to reopen it.
///
/// Original, base, and current are three versions; the adjustment data belongs to exactly this pair
/// of base and current.
public struct EditRecord: Hashable, Sendable {
  /// The digest of the image that the edit was based on; nil means the original.
  public var base: SHA256Digest?
  /// The digest of the rendering.
  public var current: SHA256Digest
  /// The adjustment data of the editor.
  public var adjustment: AdjustmentData
  /// The date of the commit, in whole seconds.
  public var date: Date
  /// The identifier of the program that committed the edit.
  public var editor: String
  /// The settings of the rendering; nil unless photoedit rendered it and can render it again.
  public var renderSettings: RenderSettings?
  /// Attachments that the adjustment data refers to by digest only.
  public var assets: [SHA256Digest: Data]
  /// The digest of the video paired with the rendering; nil unless both form a Live Photo.
  package var currentMovie: SHA256Digest?
  /// The digest of the video paired with the base; nil unless both form a Live Photo.
  package var baseMovie: SHA256Digest?

  /// Creates a record.
  public init(
    base: SHA256Digest?, current: SHA256Digest, adjustment: AdjustmentData, date: Date,
    editor: String,
    renderSettings: RenderSettings?, assets: [SHA256Digest: Data] = [:]
  ) {
    self.base = base
    self.current = current
    self.adjustment = adjustment
    self.date = date
    self.editor = editor
    self.renderSettings = renderSettings
    self.assets = assets
  }
}

/// The settings that, together with the image and the graph, determine the bytes of a rendering.
public struct RenderSettings: Hashable, Sendable {
  /// The JPEG quality: "preserve", or a number from 1 to 100.
  public var quality: String
  /// The offset from UTC, in seconds, of the local time in the metadata.
  public var utcOffset: Int
  /// Indicates whether damaged images were rendered as far as they could be decoded.
  public var isLenient: Bool
}

extension RenderSettings {
  /// Creates the settings to record from render options.
  init(_ options: RenderOptions) {
    self.init(
      quality: options.quality.description,
      utcOffset: options.modificationDate?.utcOffset ?? 0, isLenient: options.isLenient)
  }
}

/// The relation of a session to the edit that was stored when it began.
public enum SessionKind: String, Sendable, Hashable {
  /// The photo was not edited; the session received the original.
  case first
  /// The editor understood the stored data; the session received the base with the data.
  case resumed
  /// The editor did not understand the stored data; the session received the current rendering
  /// without it.
  case notUnderstood
}

extension EditRecord {
  /// Returns the base of the next record when a session commits over this one.
  ///
  /// A resumed session keeps the base and replaces the output. A session whose editor did not
  /// understand the stored data began with the output, which therefore becomes the base.
  package static func base(after record: EditRecord?, _ kind: SessionKind) -> SHA256Digest? {
    switch kind {
    case .first: nil
    case .resumed: record?.base
    case .notUnderstood: record?.current
    }
  }

  /// Takes the base video from the record that this one follows.
  ///
  /// Still and video become the base together; a new rendering is a still only.
  package mutating func consumeVideo(after record: EditRecord?) {
    currentMovie = nil
    baseMovie = nil
    guard let base, let record else { return }
    if base == record.current {
      baseMovie = record.currentMovie
    } else if base == record.base {
      baseMovie = record.baseMovie
    }
  }
}

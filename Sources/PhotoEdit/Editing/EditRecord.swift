// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
import PhotoEditCodecs
import PhotoEditRendering
public import PhotoEditStorage

/// What is recorded of the most recent edit: its input, its output, and how to reopen it.
///
/// Original, base and current are three versions; the adjustment data belongs to exactly this pair
/// of base and current.
public struct EditRecord: Hashable, Sendable {
  /// The picture that the edit began with; nil means the original.
  public var base: Digest?
  /// The rendering.
  public var current: Digest
  /// The record of the editor.
  public var adjustment: AdjustmentData
  /// When the edit was committed, in whole seconds.
  public var date: Date
  /// Which program committed it.
  public var editor: String
  /// How the rendering was made, when it was made here and can be made again.
  public var recipe: RenderRecipe?
  /// Files that the record of the editor knows by their digests alone.
  public var assets: [Digest: Data]
  /// The movie around the rendering, where both are a Live Photo.
  package var currentMovie: Digest?
  /// The movie around the base, where both are a Live Photo.
  package var baseMovie: Digest?

  /// Makes a record.
  public init(
    base: Digest?, current: Digest, adjustment: AdjustmentData, date: Date, editor: String,
    recipe: RenderRecipe?, assets: [Digest: Data] = [:]
  ) {
    self.base = base
    self.current = current
    self.adjustment = adjustment
    self.date = date
    self.editor = editor
    self.recipe = recipe
    self.assets = assets
  }
}

/// What, besides picture and graph, decides the bytes of a rendering.
public struct RenderRecipe: Hashable, Sendable {
  /// "preserve", or a number from 1 to 100.
  public var quality: String
  /// Seconds by which the clock of the metadata was ahead of UTC.
  public var utcOffset: Int
  /// Whether damaged pictures were rendered as far as they go.
  public var isLenient: Bool
}

extension RenderRecipe {
  /// What of some options a rendering is recorded with.
  init(_ options: RenderOptions) {
    self.init(
      quality: options.quality.description,
      utcOffset: options.modificationDate?.utcOffset ?? 0, isLenient: options.isLenient)
  }
}

/// How a session related to what was stored when it began.
public enum SessionKind: String, Sendable, Hashable {
  /// The photo was not edited; the session got the original.
  case first
  /// The editor understood the stored data; the session got the base with the data.
  case resumed
  /// Nobody understood the stored data; the session got the current rendering without it.
  case notUnderstood
}

extension EditRecord {
  /// The base of the next record, when a session of some kind commits over this one.
  ///
  /// A resumed session keeps the base and replaces the output. One that did not understand the
  /// stored data began with the output, which therefore becomes the base.
  package static func base(after record: EditRecord?, _ kind: SessionKind) -> Digest? {
    switch kind {
    case .first: nil
    case .resumed: record?.base
    case .notUnderstood: record?.current
    }
  }

  /// Takes over the movie around the base from the record that this one follows.
  ///
  /// Still and movie become the base together or not at all; a new rendering is a still alone.
  package mutating func takeMovie(after record: EditRecord?) {
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

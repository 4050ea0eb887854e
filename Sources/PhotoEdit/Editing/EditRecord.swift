// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials

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
  /// The identifier of photoedit as an editor.
  package static let photoedit = "org.photoedit"
  /// The settings of the rendering; nil unless photoedit rendered it and can render it again.
  public var renderSettings: RenderSettings?
  /// Attachments that the adjustment data refers to by digest only.
  public var assets: [SHA256Digest: Data]
  /// The digest of the video paired with the rendering; nil unless both form a Live Photo.
  package var currentMovie: SHA256Digest?
  /// The digest of the video paired with the base; nil unless both form a Live Photo.
  package var baseMovie: SHA256Digest?
  /// The digest of the file in which another program stored the record; nil for a record of
  /// photoedit, and if the file is not kept.
  ///
  /// The file contains more than this record, such as values that only that program understands.
  package var file: SHA256Digest?

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

  /// The filter graph of the edit, whatever its format identifier; nil if it contains none.
  package var storedGraph: FilterGraph? { try? FilterGraph(json: Array(adjustment.data)) }
}

/// The settings that, together with the image and the graph, determine the bytes of a rendering.
public struct RenderSettings: Hashable, Sendable {
  /// The JPEG quality: "preserve", or a number from 1 to 100.
  public var quality: String
  /// The offset from UTC, in seconds, of the local time in the metadata.
  public var utcOffset: Int
  /// Indicates whether damaged images were rendered as far as they could be decoded.
  public var isLenient: Bool
  /// The metadata that was removed.
  public var strip: MetadataRemoval
  /// The handling of excess bits of sources with more than eight bits.
  public var dither: Dither
  /// Indicates whether settings of another program in the metadata were applied.
  public var includesSettings = false
}

extension RenderSettings {
  /// Creates the settings to record from render options.
  init(_ options: RenderOptions) {
    self.init(
      quality: options.quality.description,
      utcOffset: options.modificationDate?.utcOffset ?? 0, isLenient: options.isLenient,
      strip: options.strip, dither: options.dither, includesSettings: options.includesSettings)
  }

  /// Sets the options that the edit was rendered with, except for the date.
  func set(in options: inout RenderOptions) {
    setForNextEdit(in: &options)
    options.isLenient = isLenient
  }

  /// Sets the options that apply until others are requested: removed metadata stays removed.
  ///
  /// Each rendering decides again if it accepts damage.
  package func setForNextEdit(in options: inout RenderOptions) {
    options.quality = JPEGQuality(quality) ?? .preserve
    options.strip = strip
    options.dither = dither
    options.includesSettings = includesSettings
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

/// The data from which an edit can be reopened: its format, its version, and its bytes.
///
/// The library never interprets the bytes. An editor that supports the identifier and the version
/// interprets them and receives the image that the edit was based on.
public struct AdjustmentData: Hashable, Sendable {
  /// The maximum size of `data` in bytes: 2 MiB.
  public static let maximumDataLength = 2 << 20
  /// The maximum size of the identifier and of the version, each in bytes of UTF-8.
  public static let maximumNameLength = 1024

  /// The identifier of the data format, in reverse-DNS notation.
  public let formatIdentifier: String
  /// The version of the data format.
  public let formatVersion: String
  /// The information needed to display the edit and to change it.
  public let data: Data

  /// Creates adjustment data.
  ///
  /// - Throws: `EditingError` with `changeNotSupported` if an argument is empty or too large.
  public init(
    formatIdentifier: String, formatVersion: String, data: Data
  ) throws(EditingError) {
    self.formatIdentifier = formatIdentifier
    self.formatVersion = formatVersion
    self.data = data
    try check()
  }

  /// Creates adjustment data from a third-party record, which follows its own rules.
  init(thirdParty identifier: String, _ version: String, _ data: Data) {
    formatIdentifier = identifier
    formatVersion = version
    self.data = data
  }

  /// Indicates whether the format is one for videos, such as "com.apple.video.slomo".
  package var isOfVideo: Bool { formatIdentifier.lowercased().contains(".video") }

  func check() throws(EditingError) {
    try Self.check(formatIdentifier, "format identifier")
    try Self.check(formatVersion, "format version")
    guard !data.isEmpty, data.count <= Self.maximumDataLength else {
      throw .invalidAdjustmentData(
        "the data has \(data.count) bytes (allowed: 1–\(Self.maximumDataLength))")
    }
  }

  /// Rejects a name that is empty or too long.
  static func check(_ name: String, _ use: String) throws(EditingError) {
    guard !name.isEmpty, name.utf8.count <= maximumNameLength else {
      throw .invalidAdjustmentData(
        "\(use) '\(name.prefix(40))' has \(name.utf8.count) bytes (allowed: 1–\(maximumNameLength))"
      )
    }
  }
}

extension AdjustmentData: Codable {
  private enum CodingKeys: CodingKey {
    case formatIdentifier, formatVersion, data
  }

  /// Decodes adjustment data, with the checks of `init(formatIdentifier:formatVersion:data:)`.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    try self.init(
      formatIdentifier: members.decode(String.self, forKey: .formatIdentifier),
      formatVersion: members.decode(String.self, forKey: .formatVersion),
      data: members.decode(Data.self, forKey: .data))
  }

  /// Encodes the identifier, the version and the data.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(formatIdentifier, forKey: .formatIdentifier)
    try members.encode(formatVersion, forKey: .formatVersion)
    try members.encode(data, forKey: .data)
  }
}

/// One state in the history of a photo's edit.
public struct EditHistoryState: Sendable, Hashable {
  /// The relation of a state to the current one.
  public enum Position: String, Sendable, Hashable {
    /// An earlier state, which `undo` restores.
    case undo
    /// The current state.
    case current
    /// An undone state, which `redo` restores.
    case redo
  }

  /// The number of changes that can be undone in this state; the oldest state has 0.
  public let number: Int
  /// The relation to the current state.
  public let position: Position
  /// The record of the edit; nil for the original.
  public let record: EditRecord?
  /// The differences of the filters from the preceding state, or from the image that the edit
  /// began with; nil if they are not known because the preceding state has expired, or because
  /// another program made the edit.
  public let changes: [FilterGraphChange]?
}

extension EditState {
  /// The states from the oldest to the latest, each with its differences from the preceding one.
  public var history: [EditHistoryState] {
    let records = journal.history(around: record)
    let graphs = records.map { $0?.storedGraph }
    return records.indices.map { index in
      EditHistoryState(
        number: index,
        position: index < undoable.count ? .undo : index == undoable.count ? .current : .redo,
        record: records[index],
        changes: Self.changes(
          to: (records[index], graphs[index]),
          from: index == 0 ? nil : (records[index - 1], graphs[index - 1])))
    }
  }

  /// Returns the differences between the filters of two states.
  ///
  /// - Parameter earlier: The preceding state, whose record is nil for the original; nil if it is
  ///   not known.
  private static func changes(
    to state: (record: EditRecord?, graph: FilterGraph?),
    from earlier: (record: EditRecord?, graph: FilterGraph?)?
  ) -> [FilterGraphChange]? {
    guard let record = state.record else { return [] }
    guard let graph = state.graph, let earlier else { return nil }
    // An edit that is based on other pixels has a graph of its own.
    let isSameBase = earlier.record?.base == record.base
    return graph.changes(from: isSameBase ? earlier.graph ?? FilterGraph() : FilterGraph())
  }
}

// SPDX-License-Identifier: Apache-2.0
public import PhotoEditStorage

/// What passing a movie through or rewriting it gave.
public struct MovieReport: Sendable, Hashable {
  /// How the bytes came over.
  public enum Method: String, Sendable, Hashable {
    /// The source was QuickTime: byte for byte.
    case copied
    /// The packets were put into a new QuickTime file, none of them changed.
    case remuxed
    /// The header was changed and everything else is where it was.
    case retagged
    /// The packets that are kept were put behind a new header, none of them changed.
    case rewritten
    /// The frames were rendered and encoded anew; all other packets are as they were.
    case rendered
  }

  /// How the bytes came over.
  public var method: Method
  /// What brought them over.
  public var engine: MovieEngine
  /// The size of the staged file.
  public var bytes: Int
  /// The SHA-256 of the staged file.
  public var digest: Digest
  /// The streams in the staged file; their indices are those of the source.
  public var streams: [MovieStream]
  /// What the staged file lacks, one sentence each; never a packet of a timed stream that was
  /// wanted.
  public var losses: [String]
  /// Which seconds of the source a trim really kept; nil when nothing was trimmed.
  public var kept: ClosedRange<Double>?
}

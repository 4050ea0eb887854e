// SPDX-License-Identifier: Apache-2.0
public import PhotoEditStorage

/// The result of converting or rewriting a video.
public struct MovieReport: Sendable, Hashable {
  /// The method by which the bytes were transferred.
  public enum Method: String, Sendable, Hashable {
    /// The source was QuickTime: copied byte for byte.
    case copied
    /// The packets were copied to a new QuickTime file, none of them changed.
    case remuxed
    /// The header was changed and everything else is at its old offset.
    case retagged
    /// The kept packets were written after a new header, none of them changed.
    case rewritten
    /// The frames were rendered and re-encoded; all other packets are unchanged.
    case rendered
  }

  /// The method by which the bytes were transferred.
  public var method: Method
  /// The engine that performed the conversion.
  public var engine: MovieEngine
  /// Size of the staged file in bytes.
  public var bytes: Int
  /// The SHA-256 digest of the staged file.
  public var digest: SHA256Digest
  /// The streams in the staged file; their indices are those of the source.
  public var streams: [MovieStream]
  /// The data missing from the staged file, one sentence each; never a requested packet of a timed
  /// stream.
  public var losses: [String]
  /// The seconds of the source that a trim actually kept; nil if nothing was trimmed.
  public var kept: ClosedRange<Double>?
}

/// The method by which a video is converted to QuickTime.
public enum MovieEngine: String, Sendable, Hashable, CaseIterable {
  /// The source is copied byte for byte.
  case copied
  /// The boxes of QuickTime and MPEG-4 are converted by this package.
  case boxes
  /// libavformat reads the packets and rewrites them.
  case libavformat
}

/// The choice of engine for a video that is not QuickTime.
public enum MovieRemuxing: String, Sendable, Hashable, CaseIterable {
  /// Boxes if they can hold everything, otherwise libavformat.
  case auto
  /// libavformat for every container.
  case libavformat
}

/// The options of the conversion of a video to QuickTime.
package struct MovieConversion: Sendable {
  var remuxing: MovieRemuxing
  /// Indicates whether streams other than video that QuickTime cannot hold are left out; otherwise
  /// the video is rejected.
  var dropsStreams: Bool

  /// Creates options.
  package init(remuxing: MovieRemuxing = .auto, dropsStreams: Bool = false) {
    self.remuxing = remuxing
    self.dropsStreams = dropsStreams
  }
}

// SPDX-License-Identifier: Apache-2.0

/// What brings a movie into QuickTime.
public enum MovieEngine: String, Sendable, Hashable, CaseIterable {
  /// The bytes are those of the source.
  case copied
  /// The boxes of QuickTime and MPEG-4 are carried over by this package.
  case boxes
  /// libavformat reads the packets and writes them again.
  case libavformat
}

/// How an engine is chosen for a movie that is not QuickTime.
public enum MovieRemuxing: String, Sendable, Hashable, CaseIterable {
  /// Boxes wherever they can hold everything, else libavformat.
  case auto
  /// libavformat for every container.
  case libavformat
}

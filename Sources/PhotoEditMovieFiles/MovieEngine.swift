// SPDX-License-Identifier: Apache-2.0

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

// SPDX-License-Identifier: Apache-2.0
public import PhotoEditFilters
public import PhotoEditPixels

/// The edit of every frame of a video.
public enum VideoEdit: Sendable {
  /// A filter graph, applied to the frames with their orientation applied, as to photos.
  case graph(FilterGraph)
  /// Code that returns a new image for each frame, which is passed with its orientation applied.
  ///
  /// It is called from several threads at once, with frames in any order. All results must have one
  /// size; their samples, gray or RGB, have 8 or 16 bits and the frame's color space.
  case frames(@Sendable (VideoFrame) throws -> ImageBuffer)
}

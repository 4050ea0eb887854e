// SPDX-License-Identifier: Apache-2.0
public import PhotoEditFilters
public import PhotoEditPixels

/// What is done with every frame of a movie.
public enum VideoEdit: Sendable {
  /// A recipe, applied to the upright frames as it is to photos.
  case graph(FilterGraph)
  /// Code that makes a picture of each upright frame.
  ///
  /// It is called from several threads at once, with frames in any order. All results must have one
  /// size; their samples, gray or RGB, have 8 or 16 bits and the frame's colour space.
  case frames(@Sendable (VideoFrame) throws -> SampleImage)
}

// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// The replacement of the frames of a video; all other streams are kept unchanged.
///
/// For QuickTime, and MPEG-4 whose boxes QuickTime supports, the new frames become the samples of
/// the video track, which preserves every other track regardless of its type. Other containers are
/// remuxed: packets are interleaved with the new ones in the same way as with the old ones.
package struct VideoTrackReplacement: Sendable {
  private enum Method: Sendable {
    /// The movie, and the index of its video track.
    case boxes(EditableMovie, Int)
    /// The plan, and the index of the video stream.
    case packets(RemuxPlan, Int)
  }

  private let movie: OpenedMovie
  private let method: Method
  private let cancellation: Cancellation

  /// Checks whether the frames of a video can be replaced; nothing is written.
  ///
  /// - Parameters:
  ///   - source: The video, in any container that `PassthroughExport` reads.
  ///   - conversion: The options for a video that is not QuickTime.
  /// - Throws: `unsupportedStream` for streams that QuickTime cannot hold and for a second video
  ///   stream.
  package init(
    of source: borrowing VideoSource, _ conversion: MovieConversion
  ) throws(MovieError) {
    movie = source.movie
    cancellation = source.cancellation
    // Data that cannot be rewritten is reported first.
    let edited = try movie.editable(conversion.remuxing, replacesVideo: true)
    guard source.trackCount == 1 else {
      throw .unsupportedStream(
        stream: source.track.index, codec: source.track.codec,
        reason: "the video has \(source.trackCount) video tracks; only one is supported")
    }
    if let edited {
      try source.requireWholeIndex()
      guard let index = edited.tracks.firstIndex(where: { $0.id == source.trackID }) else {
        throw .damaged("the video has no video track with frames")
      }
      method = .boxes(edited, index)
      return
    }
    if let error = movie.layout?.tagError { throw error }
    let stream = source.track.index
    let plan = try RemuxPlan(
      source.demuxer, movie.layout, replacing: stream, dropsStreams: conversion.dropsStreams)
    method = .packets(plan, stream)
  }

  /// Creates the file.
  ///
  /// - Parameters:
  ///   - staged: The file to create. It must not exist.
  ///   - format: The encoder's description of the new frames.
  package func begin(
    at staged: String, _ format: EncodedVideoFormat
  ) throws(MovieError) -> any FrameRecipient {
    switch method {
    case .boxes(let edited, let track):
      return try InsertedFrames(
        movie, edited, replacing: track, at: staged, format, cancellation)
    case .packets(let plan, let stream):
      return try RemuxedFrames(
        movie, plan, replacing: stream, at: staged, format, cancellation)
    }
  }
}

/// A file that receives the new frames of a video; it is removed unless it is finished.
package protocol FrameRecipient: AnyObject {
  /// Writes the next packet of the new frames, in timescale units of the old ones.
  func write(_ packet: VideoPacket) throws(MovieError)

  /// Writes the rest, syncs the file, reads it back and compares.
  ///
  /// - Throws: `verificationFailed` and others.
  func finish() throws(MovieError) -> MovieReport
}

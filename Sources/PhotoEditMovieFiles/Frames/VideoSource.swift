// SPDX-License-Identifier: Apache-2.0
import CPhotoEditAVFormat
import PhotoEditStorage

/// Reads the packets of a video track for decoding.
package struct VideoSource: PacketSource, ~Copyable {
  /// The properties of the video track.
  package let track: VideoTrack
  /// The number of video tracks.
  package let trackCount: Int
  var demuxer: Demuxer
  /// The boxes; nil for Matroska and AVI.
  let layout: MovieLayout?
  let cancellation: Cancellation
  private let file: OpenFile

  /// Opens a video in any container and finds its first video track.
  ///
  /// - Throws: `damaged` without one, and the errors of `PassthroughExport.run`.
  package static func open(
    _ path: String, isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws(MovieError) -> VideoSource {
    let cancellation = Cancellation(isCancelled)
    try cancellation.check()
    let file = try openMovie(path)
    var container = try PassthroughExport.container(of: file)
    var layout: MovieLayout?
    switch container {
    case .quickTime, .mpeg4:
      let read = try MovieLayout.reading(file, cancellation)
      try read.requireReachableMedia()
      container = read.container
      layout = read
    case .matroska, .avi: try ContainerCompleteness.requireComplete(file, container: container)
    }
    let demuxer = try Demuxer.open(file, container: container, cancellation)
    let images = demuxer.streams.filter { stream in
      guard stream.kind == .video, stream.facts.is_attached_image == 0 else { return false }
      let track = layout?.tracks.first { $0.id == Int(stream.facts.id) }
      return track.map { $0.samples > 0 } ?? true
    }
    guard let first = images.first else {
      throw .damaged("the video has no video track with frames")
    }
    let track = VideoTrack(first, layout, duration: demuxer.duration)
    return VideoSource(
      track: track, trackCount: images.count, demuxer: demuxer, layout: layout,
      cancellation: cancellation, file: file)
  }

  private init(
    track: VideoTrack, trackCount: Int, demuxer: consuming Demuxer, layout: MovieLayout?,
    cancellation: Cancellation, file: consuming OpenFile
  ) {
    self.track = track
    self.trackCount = trackCount
    self.demuxer = demuxer
    self.layout = layout
    self.cancellation = cancellation
    self.file = file
  }

  /// Returns the next video packet; nil at the end.
  ///
  /// - Throws: `damaged` for a packet with missing bytes, `cancelled`.
  package mutating func next() throws(MovieError) -> VideoPacket? {
    while let packet = try demuxer.next() {
      try cancellation.check()
      guard packet.stream == Int32(track.index) else { continue }
      guard packet.changes_setup == 0 else {
        throw .unsupportedStream(
          stream: track.index, codec: track.codec,
          reason: "the decoder configuration changes within the stream")
      }
      return VideoPacket(packet)
    }
    return nil
  }
}

/// A source of a video's packets, one after the other.
package protocol PacketSource: ~Copyable {
  /// Returns the next packet in decoding order; nil at the end.
  mutating func next() throws(MovieError) -> VideoPacket?
}

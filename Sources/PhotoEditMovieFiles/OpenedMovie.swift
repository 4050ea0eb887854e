// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// A video file that is opened once, with its container and its boxes.
///
/// All steps of an edit read this file, so that they see the same one even if another file gets its
/// name meanwhile. Reading has no position, so any number of threads can do so.
package final class OpenedMovie: Sendable {
  let file: OpenFile
  let container: MovieContainer
  /// The boxes; nil for Matroska and AVI.
  let layout: MovieLayout?

  /// Opens a file, whose format is detected from its content and not from its name.
  ///
  /// - Parameter acceptsMissingEnd: Whether a QuickTime or MPEG-4 file may lack its end if its header
  ///   is whole; `MovieInfo.damage` states it.
  /// - Throws: `MovieError`; `damaged` for an incomplete file.
  package convenience init(
    _ path: String, acceptsMissingEnd: Bool = false,
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws(MovieError) {
    let cancellation = Cancellation(isCancelled)
    try cancellation.check()
    try self.init(try openMovie(path), cancellation, acceptsMissingEnd: acceptsMissingEnd)
  }

  init(
    _ file: consuming OpenFile, _ cancellation: Cancellation, acceptsMissingEnd: Bool = false
  ) throws(MovieError) {
    let head = try file.bytes(at: 0, atMost: MovieContainer.detectionLength)
    guard let detected = MovieContainer.detect(head) else {
      throw .notAMovie(found: MovieContainer.unsupportedFormatName(head))
    }
    switch detected {
    case .quickTime, .mpeg4:
      let layout = try MovieLayout.reading(
        file, cancellation, acceptsMissingEnd: acceptsMissingEnd)
      container = layout.container
      self.layout = layout
    case .matroska, .avi:
      try ContainerCompleteness.requireComplete(file, container: detected)
      container = detected
      layout = nil
    }
    self.file = file
  }

  /// The path by which the file was opened, for messages.
  package var path: String { file.path }

  /// Returns the properties of the video; no packets of its streams are read.
  package func info() throws(MovieError) -> MovieInfo {
    if let layout {
      return MovieInfo(
        container: container, duration: layout.duration, streams: layout.streams,
        tags: layout.tags, creationDate: layout.creationDate,
        chapterCount: layout.chapterCount, stillImageTime: layout.stillImageTime,
        isFragmented: layout.isFragmented, packet: try layout.xmp(in: file),
        isEncrypted: layout.tracks.contains { $0.isEncrypted }, damage: layout.damage)
    }
    let demuxer = try demuxer(Cancellation { false })
    var tags = demuxer.tags(of: nil)
    if container == .avi {
      // libavformat makes dates of zeros and other impossible ones as well.
      tags["creation_time"] = try AVIDate.reading(file)
      if let date = tags["date"] { tags["date"] = AVIDate.iso(date) ?? date }
    }
    return MovieInfo(
      container: container, duration: demuxer.duration,
      streams: demuxer.streams.compactMap { $0.inspected(demuxer) }, tags: tags)
  }

  /// Returns a reader of the packets from the first one on.
  func demuxer(_ cancellation: Cancellation) throws(MovieError) -> Demuxer {
    try Demuxer.open(file, container: container, cancellation)
  }

  /// Returns the movie for changes if its boxes can be kept; nil if only libavformat can convert it
  /// to QuickTime.
  ///
  /// - Parameter replacesVideo: Whether the frames are replaced, so that their current codec is not
  ///   checked.
  /// - Throws: `unsupportedStream` for inaccessible media, and the errors of the conversion.
  func editable(
    _ remuxing: MovieRemuxing, replacesVideo: Bool = false
  ) throws(MovieError) -> EditableMovie? {
    guard let layout else { return nil }
    try layout.requireReachableMedia()
    guard remuxing == .auto || container == .quickTime else { return nil }
    return try EditableMovie(quickTimeOf: file, layout, replacesVideo: replacesVideo)
  }
}

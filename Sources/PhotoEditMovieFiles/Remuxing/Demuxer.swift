// SPDX-License-Identifier: Apache-2.0
import CPhotoEditAVFormat
import PhotoEditStorage

/// Reads the packets of a video through libavformat; loads the library on first use.
struct Demuxer: ~Copyable {
  let handle: OpaquePointer
  let streams: [DemuxedStream]
  private let path: String
  /// The C layer has an unretained reference to it.
  private let cancellation: Cancellation

  private init(_ handle: OpaquePointer, path: String, _ cancellation: Cancellation) {
    self.handle = handle
    self.path = path
    self.cancellation = cancellation
    streams = (0..<pe_av_stream_count(handle)).map { DemuxedStream(handle, index: $0) }
  }

  deinit { pe_av_close(handle) }

  static func open(
    _ file: borrowing OpenFile, container: MovieContainer, _ cancellation: Cancellation
  ) throws(MovieError) -> Demuxer {
    let format =
      switch container {
      case .quickTime, .mpeg4: "mov"
      case .matroska: "matroska"
      case .avi: "avi"
      }
    var failure = pe_av_failure()
    var status = PE_AV_OK
    let context = Unmanaged.passUnretained(cancellation).toOpaque()
    let handle = pe_av_open(
      file.descriptor, format, checkCancellation, context, &status, &failure)
    guard let handle else {
      throw MovieError(status, failure, path: file.path, doing: "read the file")
    }
    return Demuxer(handle, path: file.path, cancellation)
  }

  /// Duration in seconds according to the header; 0 if it has none.
  var duration: Double { Double(pe_av_duration(handle)) / 1_000_000 }

  /// Returns the tags of a stream, or of the file if `stream` is nil.
  func tags(of stream: Int?) -> [String: String] {
    var tags: [String: String] = [:]
    var key: UnsafePointer<CChar>?
    var value: UnsafePointer<CChar>?
    let index = stream.map { Int32($0) } ?? -1
    for tagIndex in 0..<Int32(MovieLimits.maximumTags) {
      guard pe_av_get_tag(handle, index, tagIndex, &key, &value) != 0, let key, let value else {
        break
      }
      tags[String(cString: key)] = String(cString: value)
    }
    return tags
  }

  var chapters: [Chapter] {
    (0..<pe_av_chapter_count(handle)).map {
      var chapter = pe_av_chapter()
      pe_av_get_chapter(handle, $0, &chapter)
      return Chapter(
        start: Double(chapter.start) / 1_000_000, title: String(cString: chapter.title))
    }
  }

  /// Returns the next packet, whose memory is valid until the next call; nil at the end.
  ///
  /// - Throws: `damaged` for a packet with missing bytes.
  mutating func next() throws(MovieError) -> pe_av_packet? {
    var packet = pe_av_packet()
    var failure = pe_av_failure()
    let status = pe_av_read(handle, &packet, &failure)
    if status == PE_AV_END { return nil }
    guard status == PE_AV_OK else {
      throw MovieError(status, failure, path: path, doing: "read the file")
    }
    guard packet.is_damaged == 0 else {
      throw .damaged("a packet of stream \(packet.stream) is truncated")
    }
    return packet
  }
}

/// A named point of a video.
struct Chapter: Sendable, Hashable {
  /// Seconds from the beginning.
  var start: Double
  var title: String
}

private func checkCancellation(_ context: UnsafeMutableRawPointer?) -> Int32 {
  guard let context else { return 0 }
  let cancellation = Unmanaged<Cancellation>.fromOpaque(context).takeUnretainedValue()
  return cancellation.isCancelled ? 1 : 0
}

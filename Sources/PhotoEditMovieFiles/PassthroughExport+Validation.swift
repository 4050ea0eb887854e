// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

extension PassthroughExport {
  /// Checks that a file can be the rendered content of a video; loads no library.
  ///
  /// It must be QuickTime by content, with a video track that has frames and a nonzero duration,
  /// and all its media must be in the file.
  ///
  /// - Throws: `notQuickTime` with the detected type, `damaged`, `unsupportedStream`, `file`.
  package static func validateQuickTime(_ path: String) throws(MovieError) {
    let file = try openMovie(path)
    let head = try file.bytes(at: 0, atMost: MovieContainer.detectionLength)
    guard let container = MovieContainer.detect(head) else {
      throw .notQuickTime(found: MovieContainer.unsupportedFormatName(head))
    }
    guard container == .quickTime else { throw .notQuickTime(found: container.typeIdentifier) }
    let layout = try MovieLayout.reading(file, Cancellation { false })
    guard layout.container == .quickTime else {
      throw .notQuickTime(found: layout.container.typeIdentifier)
    }
    try layout.requireReachableMedia()
    let videos = layout.streams.filter { $0.kind == .video && ($0.packets ?? 0) > 0 }
    guard !videos.isEmpty else { throw .damaged("the video has no video track with frames") }
    guard videos.contains(where: { $0.duration > 0 }) else {
      throw .damaged("the video track has no duration")
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import PhotoEditMovieFiles
import PhotoEditPlatform
import PhotoEditStorage
import Testing

/// Reads external videos if a folder of them is available; otherwise reported as skipped.
@Suite(
  "External videos",
  .enabled(if: !Corpora.movies.isEmpty, "the folder PHOTOEDIT_CORPORA does not exist"))
struct CorporaTests {
  @Test(arguments: Corpora.movies)
  func `each video is copied completely or rejected with a reason`(path: String) throws {
    let folder = try ScratchFolder()
    do {
      let report = try PassthroughExport.run(from: path, to: folder.file("out"))
      #expect(report.digest == SHA256Digest(of: try bytes(folder.file("out"))))
      try PassthroughExport.validateQuickTime(folder.file("out"))
      if try MovieContainer.detect(path: path) == .quickTime {
        #expect(try bytes(folder.file("out")) == bytes(path))
      } else {
        #expect(report.streams.allSatisfy { $0.digest != nil })
        #expect(report.losses.isEmpty)
      }
      #expect(Corpora.refused[FileSystem.lastName(of: path)] == nil)
    } catch let error as MovieError {
      #expect(error.description == Corpora.refused[FileSystem.lastName(of: path)])
      #expect(try folder.names.isEmpty)
    }
  }
}

enum Corpora {
  /// The expected defects of the files that are rejected.
  static let refused = [
    "sample_init.enca.mp4":
      "stream 1 (enca) cannot be stored in a QuickTime movie: it is encrypted",
    "sample_init.encv.mp4":
      "stream 0 (encv) cannot be stored in a QuickTime movie: it is encrypted",
    "sample_qt.mp4":
      "the video is damaged: stream 0 (avc1) extends to byte 39115252, "
      + "but the file has 340481",
  ]

  static let movies: [String] = {
    let package = FileSystem.folder(
      of: FileSystem.folder(of: FileSystem.folder(of: #filePath)))
    let root =
      getenv("PHOTOEDIT_CORPORA").map { String(cString: $0) }
      ?? package + "/../shared/corpora"
    return walk(root).filter {
      let name = FileSystem.splitName(FileSystem.lastName(of: $0)).fileExtension.lowercased()
      return ["mov", "mp4", "m4v", "3gp", "mkv", "avi"].contains(name)
    }
  }()

  /// The video of a Live Photo taken by a phone.
  static let livePhotoMovie = movies.first { $0.hasSuffix("IMG_7943_HEVC.MOV") }

  private static func walk(_ folder: String, depth: Int = 0) -> [String] {
    guard depth < 8, let names = try? FileSystem.names(in: folder) else { return [] }
    return names.flatMap { name in
      let path = folder + "/" + name
      return FileSystem.isFolder(path) ? walk(path, depth: depth + 1) : [path]
    }
  }
}

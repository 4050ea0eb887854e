// SPDX-License-Identifier: Apache-2.0
import PhotoEditMovieFiles
import PhotoEditPlatform
import PhotoEditStorage
import Testing

/// Movies that others made, where a folder of them is at hand; elsewhere skipped aloud.
@Suite(
  "Movies from elsewhere",
  .enabled(if: !Corpora.movies.isEmpty, "there is no folder PHOTOEDIT_CORPORA"))
struct CorporaTests {
  @Test(arguments: Corpora.movies)
  func `each passes whole or is refused with a reason`(path: String) throws {
    let folder = try ScratchFolder()
    do {
      let report = try MoviePassThrough.run(from: path, to: folder.file("out"))
      #expect(report.digest == Digest(of: try bytes(folder.file("out"))))
      try MoviePassThrough.validateQuickTime(folder.file("out"))
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
  /// What is wrong with the files that cannot pass.
  static let refused = [
    "sample_init.enca.mp4":
      "stream 1 (enca) cannot be kept in a QuickTime movie: it is encrypted",
    "sample_init.encv.mp4":
      "stream 0 (encv) cannot be kept in a QuickTime movie: it is encrypted",
    "sample_qt.mp4":
      "the movie is damaged: stream 0 (avc1) has media up to byte 39115252, "
      + "and the file has 340481",
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

  /// The movie of a Live Photo that a phone made.
  static let livePhotoMovie = movies.first { $0.hasSuffix("IMG_7943_HEVC.MOV") }

  private static func walk(_ folder: String, depth: Int = 0) -> [String] {
    guard depth < 8, let names = try? FileSystem.names(in: folder) else { return [] }
    return names.flatMap { name in
      let path = folder + "/" + name
      return FileSystem.isFolder(path) ? walk(path, depth: depth + 1) : [path]
    }
  }
}

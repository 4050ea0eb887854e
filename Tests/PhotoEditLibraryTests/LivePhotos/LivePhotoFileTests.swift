// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditPixels
import PhotoEditRendering
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary

@Suite("Live Photos from files")
struct LivePhotoFileTests {
  private let owner: TestLibrary
  private let empty = PixelSize(width: 0, height: 0)

  init() throws { owner = try TestLibrary() }

  private func file(_ name: String, _ bytes: [UInt8]) throws -> URL {
    let url = owner.folder.url(name)
    try Data(bytes).write(to: url)
    return url
  }

  private func pair(_ still: String? = "F", _ movie: String? = "F") throws -> [URL] {
    [
      try file("movie", MovieFile.live(movie, seed: 3)),
      try file("still", try ImageFile.live(still, seed: 3)),
    ]
  }

  private static func flat(_ size: PixelSize) -> ImageBuffer {
    ImageBuffer(
      size: size, layout: RowLayout(channels: .rgb),
      bytes: [UInt8](repeating: 90, count: size.pixelCount * 3))
  }

  private func deliveries(
    _ files: [URL], _ size: PixelSize, placeholder: ImageBuffer? = nil
  ) throws -> [ImageCalls<LivePhoto>.Call] {
    let calls = ImageCalls<LivePhoto>()
    LivePhoto.request(
      resourceFiles: files, placeholder: placeholder, targetSize: size, resultHandler: calls.take)
    return try calls.wait()
  }

  @Test(.requirement("live-photo-requests"))
  func `a file request delivers placeholder, still and complete Live Photo in order`() throws {
    let background = Self.flat(PixelSize(width: 4, height: 3))
    let all = try deliveries(
      try pair(), PixelSize(width: 16, height: 16), placeholder: background)
    #expect(all.map(\.info.isDegraded) == [true, true, false])
    #expect(all.map(\.info.isLast) == [false, false, true])
    #expect(all.compactMap { $0.payload?.resources.count } == [0, 1, 2])
    #expect(all.compactMap { $0.payload?.size.width } == [4, 16, 16])
    #expect(all.first?.payload?.still == background)
    let last = try #require(all.last?.payload)
    #expect(last.contentIdentifier == "F" && last.duration == 1 && last.photoTime == 0.5)
    #expect(last.resources.map(\.type) == [.photo, .pairedVideo])
    #expect(last.resources.map(\.originalFilename) == ["still", "movie"])
  }

  @Test(.requirement("live-photo-requests"))
  func `an embedded preview is delivered first`() throws {
    var still = ImageFile()
    let copy = try Thumbnail(Self.flat(PixelSize(width: 32, height: 24))).jpeg()
    still.exif = [ImageFile.appleNote(content: "F", preview: copy)]
    let files = [try file("copied", try still.jpeg()), try pair()[0]]
    let all = try deliveries(files, PixelSize(width: 48, height: 48))
    #expect(all.compactMap { $0.payload?.size.width } == [32, 48, 48])
  }

  @Test(.requirement("live-photo-requests"))
  func `an empty target size keeps the still unscaled`() async throws {
    let live = try await LivePhoto.reading(resourceFiles: try pair(), targetSize: empty)
    #expect(live.size == PixelSize(width: 64, height: 48) && live.movie != nil)
  }

  @Test(.requirement("live-photo-requests"))
  func `resources of a Live Photo from files can be read like those of an asset`() async throws {
    let files = try pair()
    let live = try await LivePhoto.reading(resourceFiles: files, targetSize: empty)
    let manager = AssetResourceManager(owner.library)
    for (resource, source) in zip(live.resources, [files[1], files[0]]) {
      #expect(resource.assetLocalIdentifier == "")
      let copy = owner.folder.url("copy-\(resource.type)")
      try await manager.writeData(for: resource, toFile: copy)
      #expect(try Data(contentsOf: copy) == Data(contentsOf: source))
    }
    try Data([1]).write(to: files[0])
    let error = try await libraryError {
      try await manager.writeData(for: live.resources[1], toFile: owner.folder.url("late"))
    }
    #expect(error?.code == .operationInterrupted)
  }

  @Test(.requirement("live-photo-requests"))
  func `files of different or no Live Photos end with an error`() throws {
    for (still, movie) in [("A", "B"), ("A", nil), (nil, "B"), (nil, nil)] {
      let all = try deliveries(try pair(still, movie), PixelSize(width: 8, height: 8))
      let last = try #require(all.last)
      #expect(last.payload == nil && last.info.error?.code == .invalidResource)
      #expect(!last.info.isCancelled && all.count { $0.info.isLast } == 1)
      #expect(last.info.error?.message.contains(still.map { "\"\($0)\"" } ?? "none") == true)
    }
  }

  @Test(.requirement("live-photo-requests"))
  func `files other than one still and one video are rejected`() throws {
    let files = try pair()
    let text = try file("text", Array("no picture".utf8))
    let removed = owner.folder.url("gone")
    let cases: [([URL], LibraryError.Code)] = [
      ([], .invalidResource), ([files[0]], .invalidResource), ([files[1]], .invalidResource),
      ([files[0], files[0]], .invalidResource), (files + files, .invalidResource),
      ([files[0], text], .invalidResource), ([files[0], removed], .missingResource),
      ([files[1], owner.folder.url("")], .invalidResource),
    ]
    for (files, code) in cases {
      let all = try deliveries(files, empty)
      #expect(all.map { $0.info.error?.code } == [code], "\(files)")
    }
  }

  @Test(.requirement("live-photo-requests")) func `a truncated file always fails`() throws {
    let files = try pair()
    let still = try Data(contentsOf: files[1])
    for share in [0.1, 0.5, 0.9] {
      try Data(still.prefix(Int(Double(still.count) * share))).write(to: files[1])
      #expect(try deliveries(files, empty).last?.info.error != nil, "\(share)")
    }
    try still.write(to: files[1])
    let movie = try Data(contentsOf: files[0])
    try Data(movie.dropLast(40)).write(to: files[0])
    let last = try #require(try deliveries(files, empty).last)
    #expect(last.info.error?.code == .invalidResource)
  }

  @Test(.requirement("live-photo-requests"))
  func `a file request is canceled by its identifier or with its task`() async throws {
    let files = try pair()
    let calls = (0..<12).map { _ in ImageCalls<LivePhoto>() }
    for calls in calls {
      let id = LivePhoto.request(
        resourceFiles: files, targetSize: empty, resultHandler: calls.take)
      LivePhoto.cancelRequest(id)
    }
    for calls in calls {
      let all = try calls.wait()
      #expect(all.count { $0.info.isLast } == 1)
      #expect(all.last?.info.isCancelled == (all.last?.payload == nil))
    }
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await LivePhoto.reading(resourceFiles: files, targetSize: empty)
    }
    let error = try await libraryError { _ = try await task.value }
    #expect(error == nil || error?.code == .userCancelled)
  }

  @Test(
    .requirement("live-photo-requests"),
    .enabled(if: Self.corpus != nil, "PHOTOEDIT_CORPORA contains no Live Photo"))
  func `a pair from a phone is read as a Live Photo`() async throws {
    let folder = try #require(Self.corpus)
    let live = try await LivePhoto.reading(
      resourceFiles: ["IMG_7943.HEIC", "IMG_7943_HEVC.MOV"].map {
        URL(filePath: folder + "/" + $0)
      }, targetSize: PixelSize(width: 64, height: 64))
    #expect(live.size.longEdge == 64 && live.contentIdentifier?.utf8.count == 36)
    let (time, duration) = (try #require(live.photoTime), try #require(live.duration))
    #expect(time > 0 && time < duration)
  }

  private static let corpus: String? = Corpora.path.flatMap { path in
    let folder = path + "/pigallery2/test/backend/assets/live_photo"
    return FileManager.default.fileExists(atPath: folder + "/IMG_7943.HEIC") ? folder : nil
  }
}

// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary

@Suite("Creating assets")
struct AssetCreationTests {
  private let folder: TestLibrary

  init() throws { folder = try TestLibrary() }

  private func write(_ bytes: [UInt8], _ name: String) throws -> String {
    try folder.folder.write(bytes, to: name)
  }

  @Test(.requirement("original-bytes-are-kept"))
  func `the original is kept byte for byte, read-only, in a private folder`() throws {
    let path = try write(try ImageFile().jpeg(), "IMG_1.JPG")
    try #require(chmod(path, 0o640) == 0)
    let outcome = try folder.create(files: [(.photo, path)])
    let identifier = try #require(outcome.created)
    let asset = try #require(try folder.asset(identifier))
    let original = try #require(try folder.files(of: asset)[.photo])
    #expect(try digest(original) == digest(path))
    #expect(asset.originalFilename == "IMG_1.JPG")
    #expect(asset.mediaType == .image && asset.pixelWidth == 64 && !asset.hasAdjustments)
    var status = stat()
    #expect(stat(original, &status) == 0 && status.st_mode & 0o777 == 0o440)
    #expect(stat(folder.library.url.path, &status) == 0 && status.st_mode & 0o777 == 0o700)
    #expect(stat(path, &status) == 0, "the source is kept")
  }

  /// True if the file system can detect that a file is open elsewhere.
  private static let hasLeases: Bool = {
    do {
      let folder = try TemporaryFolder()
      let file = try OpenFile(reading: folder.write([1], to: "a"))
      return file.isOpenInAnotherProcess() == false
    } catch {
      return false
    }
  }()

  @Test(
    .requirement("creation-request"), .enabled(if: hasLeases, "the file system has no leases"))
  func `a source that is open elsewhere is not moved`() throws {
    let path = try write(try ImageFile().jpeg(), "a.jpg")
    let options = AssetResourceCreationOptions(shouldMoveFile: true)
    do {
      let open = try OpenFile(reading: path)
      let error = #expect(throws: LibraryError.self) {
        try folder.create(files: [(.photo, path)], options)
      }
      #expect(error?.code == .invalidResource && error?.path == path)
      #expect(FileSystem.itemExists(path))
      _ = try open.regularSize()
    }
    #expect(try folder.create(files: [(.photo, path)], options).created != nil)
    #expect(!FileSystem.itemExists(path))
  }

  @Test(.requirement("atomic-change-block"))
  func `a block whose second file is rejected leaves no files`() throws {
    let good = try ImageFile().jpeg()
    let before = try folder.storedFiles()
    let error = #expect(throws: LibraryError.self) {
      try folder.library.performChangesAndWait { changes in
        try changes.createAsset().addResource(.photo, data: good)
        try changes.createAsset().addResource(.photo, data: Array("no picture".utf8))
      }
    }
    #expect(error?.code == .invalidResource)
    #expect(try folder.assets().isEmpty)
    #expect(try folder.storedFiles() == before)
  }

  @Test(.requirement("placeholder-identifiers-are-final"))
  func `a placeholder identifies the asset after the commit and nothing after a failure`() throws {
    let good = try ImageFile().jpeg()
    let made = try folder.library.performChangesAndWait { changes in
      let request = try changes.createAsset()
      try request.addResource(.photo, data: good)
      return request.placeholder
    }
    #expect(try folder.asset(made.localIdentifier) != nil)
    var failed: ObjectPlaceholder?
    #expect(throws: LibraryError.self) {
      try folder.library.performChangesAndWait { changes in
        let request = try changes.createAsset()
        failed = request.placeholder
        try request.addResource(.photo, data: [1, 2, 3])
      }
    }
    let identifier = try #require(failed).localIdentifier
    #expect(try folder.asset(identifier) == nil)
  }

  @Test(.requirement("request-shape-before-content"))
  func `an invalid resource combination is rejected before any file is read`() throws {
    let error = #expect(throws: LibraryError.self) {
      try folder.library.performChangesAndWait { changes in
        let first = try changes.createAsset()
        try first.addResource(.photo, fileURL: URL(filePath: "/nowhere/a.jpg"))
        let second = try changes.createAsset()
        try second.addResource(.fullSizePhoto, fileURL: URL(filePath: "/nowhere/b.jpg"))
      }
    }
    #expect(error?.code == .changeNotSupported)
    #expect(error?.message.contains("fullSizePhoto") == true)
  }

  @Test(
    .requirement("creation-request"),
    arguments: [
      ("empty.jpg", [UInt8](), LibraryError.Code.invalidResource),
      ("text.jpg", Array("hello".utf8), .invalidResource),
      ("cut.jpg", [0xFF, 0xD8, 0xFF, 0xE0, 0, 16], .invalidResource),
      ("movie.jpg", MovieFile().bytes, .invalidResource),
    ])
  func `unreadable or wrong content is rejected with its path`(
    _ name: String, _ bytes: [UInt8], _ code: LibraryError.Code
  ) throws {
    let path = try write(bytes, name)
    let error = #expect(throws: LibraryError.self) {
      try folder.create(files: [(.photo, path)])
    }
    #expect(error?.code == code && error?.path == path, "\(String(describing: error))")
    #expect(try folder.storedFiles().isEmpty)
  }

  @Test func `a file with the wrong extension is stored under the correct one`() throws {
    let path = try write(ImageFile.gif(frames: 1), "gif.jpg")
    _ = try folder.create(files: [(.photo, path)])
    let asset = try #require(try folder.assets().first)
    #expect(asset.originalFilename == "gif.jpg")
    #expect(try #require(try folder.files(of: asset)[.photo]).hasSuffix(".gif"))
  }

  @Test(.requirement("creation-request")) func `a missing file is reported as missing`() throws {
    let error = #expect(throws: LibraryError.self) {
      try folder.create(files: [(.photo, "/nowhere/a.jpg")])
    }
    #expect(error?.code == .missingResource)
  }

  @Test(.requirement("creation-request"))
  func `filename and type can be specified, and the type must match the content`() throws {
    let bytes = try ImageFile().jpeg()
    let asset = try folder.library.performChangesAndWait { changes in
      let request = try changes.createAsset()
      try request.addResource(
        .photo, data: bytes,
        options: AssetResourceCreationOptions(
          originalFilename: "Ünïcode \u{202E}.jpeg", uniformTypeIdentifier: "public.image"))
      return request.placeholder
    }
    #expect(
      try folder.asset(asset.localIdentifier)?.originalFilename == "Ünïcode \u{202E}.jpeg")
    let error = #expect(throws: LibraryError.self) {
      try folder.library.performChangesAndWait { changes in
        try changes.createAsset().addResource(
          .photo, data: bytes,
          options: AssetResourceCreationOptions(uniformTypeIdentifier: "public.png"))
      }
    }
    #expect(error?.code == .invalidResource)
    #expect(error?.message == "declared as public.png, found public.jpeg")
  }

  @Test(.requirement("creation-request"))
  func `a moved source is removed after the commit, never before`() throws {
    let path = try write(try ImageFile().jpeg(), "a.jpg")
    let bad = try write([1, 2, 3], "b.jpg")
    let move = AssetResourceCreationOptions(shouldMoveFile: true)
    #expect(throws: LibraryError.self) {
      try folder.library.performChangesAndWait { changes in
        try changes.createAsset().addResource(
          .photo, fileURL: URL(filePath: path), options: move)
        try changes.createAsset().addResource(.photo, fileURL: URL(filePath: bad), options: move)
      }
    }
    #expect(FileSystem.itemExists(path) && FileSystem.itemExists(bad))
    let outcome = try folder.create(files: [(.photo, path)], move)
    #expect(outcome.created != nil && !FileSystem.itemExists(path))
  }

  @Test(.requirement("creation-request"))
  func `hard links and symbolic links are rejected for moving but can be copied`() throws {
    let path = try write(try ImageFile().jpeg(), "a.jpg")
    let (hard, soft) = (folder.folder.path("hard.jpg"), folder.folder.path("soft.jpg"))
    #expect(link(path, hard) == 0 && symlink(path, soft) == 0)
    let move = AssetResourceCreationOptions(shouldMoveFile: true)
    for source in [path, hard, soft] {
      let error = #expect(throws: LibraryError.self) {
        try folder.create(files: [(.photo, source)], move)
      }
      #expect(error?.code == .invalidResource)
    }
    #expect(try folder.create(files: [(.photo, soft)]).created != nil)
    let asset = try #require(try folder.assets().first)
    let file = try #require(try folder.files(of: asset)[.photo])
    #expect(try FileSystem.entry(at: file) == .file, "the link is followed, not kept")
    #expect(
      FileSystem.itemExists(path) && FileSystem.itemExists(hard) && FileSystem.itemExists(soft))
  }

  @Test(.requirement("live-photo-pairing"))
  func `the files of a Live Photo must carry the same identifier`() throws {
    let (still, movie) = (try ImageFile.live("A-1"), MovieFile.live("A-1"))
    let asset = try folder.create([(.photo, still), (.pairedVideo, movie)])
    #expect(asset.mediaSubtypes.contains(.photoLive) && asset.playbackStyle == .livePhoto)
    #expect(asset.mediaType == .image && asset.duration == 0)
    for other in ["B-2", nil] {
      let error = #expect(throws: LibraryError.self) {
        try folder.create([(.photo, still), (.pairedVideo, MovieFile.live(other))])
      }
      #expect(error?.code == .invalidResource)
      #expect(error?.message.contains("\"A-1\"") == true, "contains the still's identifier")
      #expect(error?.message.contains(other.map { "\"\($0)\"" } ?? "none") == true)
    }
    let swapped = #expect(throws: LibraryError.self) {
      try folder.create([(.photo, movie), (.pairedVideo, still)])
    }
    #expect(swapped?.code == .invalidResource)
    let forced = try folder.create([(.photo, still), (.pairedVideo, MovieFile.live(nil))]) {
      try $0.setPairing(.force)
    }
    #expect(forced.playbackStyle == .livePhoto)
  }

  @Test(.requirement("resource-combinations"))
  func `an asset created with rendering and adjustment data is edited`() throws {
    let rendering = try TestImages.bytes("photo-landscape.jpg")
    let asset = try folder.create([
      (.photo, try ImageFile().jpeg()), (.fullSizePhoto, rendering),
      (.adjustmentData, ImageFile.record()), (.adjustmentBasePhoto, try ImageFile().jpeg(2)),
    ])
    #expect(asset.hasAdjustments)
    #expect(asset.pixelWidth > 64, "the size is taken from the rendering")
    let files = try folder.files(of: asset)
    #expect(
      Set(files.keys) == [.photo, .fullSizePhoto, .adjustmentData, .adjustmentBasePhoto])
    for file in files.values { #expect(FileSystem.itemExists(file)) }
  }

  @Test(.requirement("creation-request")) func `properties can be set during creation`() throws {
    let coordinate = try #require(LocationCoordinate(latitude: 1, longitude: 2))
    let date = Date(timeIntervalSince1970: 77)
    let asset = try folder.create([(.photo, try ImageFile().jpeg())]) { request in
      try request.setCreationDate(date)
      try request.setLocation(coordinate)
      try request.setFavorite(true)
      try request.setHidden(true)
      try request.setTitle("' OR 1=1 --")
      try request.setCaption("line\nbreak \u{0} zero")
    }
    #expect(asset.creationDate == date && asset.location == coordinate)
    #expect(asset.isFavorite && asset.isHidden)
    #expect(asset.title == "' OR 1=1 --" && asset.caption == "line\nbreak \u{0} zero")
  }

  @Test func `duplicates by original digest are allowed, reported or skipped`() throws {
    let path = try write(try ImageFile().jpeg(), "a.jpg")
    let first = try #require(try folder.create(files: [(.photo, path)]).created)
    let allowed = try folder.create(files: [(.photo, path)])
    #expect(allowed.created != nil && allowed.existing == nil)
    let reported = try folder.create(files: [(.photo, path)], duplicates: .report)
    #expect(reported.created != nil && reported.existing == first)
    let skipped = try folder.create(
      files: [(.photo, path)], AssetResourceCreationOptions(shouldMoveFile: true),
      duplicates: .skip)
    #expect(skipped.created == nil && skipped.existing == first)
    #expect(FileSystem.itemExists(path), "a skipped source is kept")
    #expect(try folder.assets().count == 3)
    let twice = try folder.library.performChangesAndWait { changes in
      let other = try ImageFile().jpeg(5)
      return try (0..<2).map { _ in
        let request = try changes.createAsset()
        try request.addResource(.photo, data: other)
        try request.setDuplicates(.skip)
        return request.outcome
      }
    }
    #expect(twice[0].created != nil && twice[1].existing == twice[0].created)
  }

  @Test(.requirement("burst-representative"))
  func `the first asset of a burst represents it`() throws {
    func member(_ seed: Int, _ burst: String) throws -> Asset {
      var file = ImageFile()
      file.exif = [ImageFile.appleNote(burst: burst)]
      return try folder.create([(.photo, try file.jpeg(seed))])
    }
    let assets = try (1...3).map { try member($0, "BURST-1") }
    #expect(assets.allSatisfy { $0.burstIdentifier == "BURST-1" })
    #expect(assets.map(\.representsBurst) == [true, false, false])
    #expect(try member(4, "BURST-2").representsBurst)
  }

  @Test(arguments: ["fifo", "folder", "socket", "/dev/zero", "/dev/null"])
  func `pipes, sockets, devices and folders are rejected without blocking`(_ kind: String) throws {
    var path = folder.folder.path("x.jpg")
    switch kind {
    case "fifo": #expect(mkfifo(path, 0o600) == 0)
    case "folder": try FileSystem.createFolder(path)
    case "socket":
      #expect(mknod(path, S_IFSOCK | 0o600, 0) == 0)
    default: path = kind
    }
    let error = #expect(throws: LibraryError.self) {
      try folder.create(files: [(.photo, path)])
    }
    #expect(error?.code == .invalidResource)
  }
}

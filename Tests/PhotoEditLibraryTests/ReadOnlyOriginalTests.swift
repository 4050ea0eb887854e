// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEdit
import PhotoEditFilters
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary
@testable import PhotoEditSQLite

@Suite("Read-only originals")
struct ReadOnlyOriginalTests {
  private let folder: TestLibrary
  private var library: PhotoLibrary { folder.library }

  init() throws { folder = try TestLibrary() }

  /// The digests of all files of assets, by path.
  private func stored() throws -> [String: SHA256Digest] {
    try library.synchronize()
    return try folder.inventory(below: library.layout.assets)
  }

  private func mode(_ path: String) throws -> mode_t {
    var status = stat()
    try #require(lstat(path, &status) == 0)
    return status.st_mode & 0o777
  }

  /// Overwrites the beginning of a file in place, as its owner or the superuser can.
  private func overwrite(_ path: String) throws {
    #expect(try mode(path) & 0o222 == 0, "\(path) can be written")
    try #require(chmod(path, 0o600) == 0)
    let file = open(path, O_WRONLY)
    try #require(file >= 0)
    defer { close(file) }
    #expect(write(file, "overwritten", 11) == 11)
  }

  private func check(isDeep: Bool = false) throws -> [LibraryIssue] {
    var check = LibraryCheck()
    check.isDeep = isDeep
    return try check.run(at: library.url).findings
  }

  // MARK: Inputs

  private func inputs(_ asset: Asset) async throws -> [EditingInput] {
    [
      try await library.contentEditingInput(for: asset, options: EditorB.options),
      try await library.contentEditingInput(for: asset),
      try PhotoEditor(folder.store(asset)).begin().input,
      try PhotoEditor(folder.store(asset)).begin(.base).input,
    ]
  }

  @Test func `nothing that is written to the files of an input reaches the library`() async throws {
    let edited = try folder.addPhoto()
    try await PhotoEditor(folder.store(edited)).apply([Sepia(amount: 0.5)])
    try await EditorB.edit(library, edited, "one")
    let assets = [
      try folder.addPhoto(), edited, try folder.create([(.video, MovieFile().bytes)]),
      try folder.editedLivePhoto(),
    ]
    let before = try stored()
    var versions: Set<EditingInput.Version> = []
    for asset in try assets.map({ try folder.refetched($0) }) {
      for input in try await inputs(asset) {
        versions.insert(input.version)
        let urls = [input.fullSizeImageURL, input.audiovisualURL].compactMap { $0 }
        #expect(urls.count == (input.media == .livePhoto ? 2 : 1))
        for url in urls {
          #expect(try before.values.contains(digest(url.path)), "\(input.version)")
          try overwrite(url.path)
        }
        #expect(
          input.fullSizeImageURL.map { [$0] } ?? [] == urls.filter { $0 != input.audiovisualURL })
      }
    }
    #expect(versions == [.original, .base, .current])
    #expect(try stored() == before)
    #expect(try check(isDeep: true) == [])
  }

  @Test func `nothing that is written to a requested video reaches the library`() async throws {
    let manager = ImageManager(library)
    let live = try folder.editedLivePhoto()
    let movies = [
      try folder.create([(.video, MovieFile().bytes)]), live,
    ]
    let before = try stored()
    for version in [ImageVersion.current, .unadjusted, .original] {
      var options = ImageRequestOptions()
      options.version = version
      for asset in movies {
        try overwrite(try await manager.movie(for: asset, options: options).url.path)
      }
      let photo = try await manager.livePhoto(
        for: live, targetSize: PixelSize(width: 8, height: 8), options: options)
      try overwrite(#require(photo.movie).url.path)
    }
    let resource = try #require(try library.assetResource(for: live, version: .original))
    let copy = folder.folder.path("copy")
    try await AssetResourceManager(library).writeData(
      for: resource, toFile: URL(filePath: copy))
    #expect(chmod(copy, 0o400) == 0)
    try overwrite(copy)
    #expect(try stored() == before)
  }

  @Test func `a copy for an input outlasts commits and ends with the input`() async throws {
    let asset = try folder.create([(.video, MovieFile().bytes)])
    var path = ""
    do {
      let input = try await library.contentEditingInput(for: asset)
      let output = try await library.contentEditingOutput(for: input)
      output.adjustmentData = try EditorB.data("one")
      var rendering = MovieFile()
      (rendering.width, rendering.height) = (32, 24)
      try Data(rendering.bytes).write(to: output.renderedContentURL)
      try await library.performChanges { try $0.change(asset).setContentEditingOutput(output) }
      // The rendering is the input of the next session, and superseded before its URL is used.
      let second = try await library.contentEditingInput(for: folder.refetched(asset))
      try await folder.store(asset).revert()
      try await second.prepareFiles()
      let url = try #require(second.audiovisualURL)
      #expect(try Data(contentsOf: url) == Data(rendering.bytes))
      path = url.path
      withExtendedLifetime(second) {}
    }
    #expect(!FileSystem.itemExists(path))
  }

  @Test func `a still is copied from memory, even if its file has changed since`() async throws {
    let asset = try folder.addPhoto()
    let bytes = try TestImages.bytes("jpeg-17x31.jpg")
    let input = try await library.contentEditingInput(for: asset)
    try FileSystem.remove(#require(folder.files(of: asset)[.photo]))
    #expect(try Data(contentsOf: #require(input.fullSizeImageURL)) == Data(bytes))
  }

  @Test func `without space for a copy there is no URL, and the reason is thrown`() async throws {
    let copy = ReadOnlyCopy(
      named: "a",
      in: { () throws(FileError) in
        throw FileError(.noSpace, path: "a", reason: "no space left")
      }, write: { _ in })
    #expect(throws: FileError.self) { try copy.path() }
    let video = try AssetVideo(at: folder.folder.write(MovieFile().bytes, to: "a.mov")) {
      () throws(FileError) in try copy.path()
    }
    #expect(!FileSystem.itemExists(video.url.path))
    let error = try await libraryError { try await video.prepareFile() }
    #expect(error?.file?.kind == .noSpace)
  }

  @Test func `a video is copied once, again after a change, and kept for a while`() async throws {
    let asset = try folder.create([(.video, MovieFile().bytes)])
    let manager = ImageManager(library)
    let first = try await manager.movie(for: asset).url
    #expect(try await manager.movie(for: asset).url == first)
    try overwrite(first.path)
    let second = try await manager.movie(for: asset).url
    #expect(try second != first && Data(contentsOf: second) == Data(MovieFile().bytes))
    #expect(!FileSystem.itemExists(first.path))
    for seed in 0..<16 {
      var movie = MovieFile()
      movie.width = 64 + 2 * seed
      _ = try await manager.movie(for: folder.create([(.video, movie.bytes)])).url
    }
    #expect(!FileSystem.itemExists(second.path))
  }

  @Test func `the copy of a purged video is removed at the next request`() async throws {
    let asset = try folder.create([(.video, MovieFile().bytes)])
    var small = MovieFile()
    small.width = 32
    let other = try folder.create([(.video, small.bytes)])
    let manager = ImageManager(library)
    let copy = try await manager.movie(for: asset).url.path
    #expect(FileSystem.itemExists(copy))
    try library.performChangesAndWait { try $0.delete([asset]) }
    try library.performChangesAndWait { try $0.purge([asset]) }
    _ = try await manager.movie(for: other).url
    #expect(!FileSystem.itemExists(copy))
  }

  @Test func `copies are made elsewhere if the library cannot take them`() async throws {
    let asset = try folder.create([(.video, MovieFile().bytes)])
    let before = try folder.inventory()
    let staging = library.layout.staging
    try #require(rename(staging, staging + ".away") == 0)
    defer { rename(staging + ".away", staging) }
    let video = try await ImageManager(library).movie(for: asset)
    #expect(!video.url.path.hasPrefix(library.layout.root))
    #expect(try Data(contentsOf: video.url) == Data(MovieFile().bytes))
    #expect(try folder.inventory() == before)
    withExtendedLifetime(video) {}
  }

  @Test func `an editor that keeps its rendering open cannot change the version`() async throws {
    let asset = try folder.create([(.video, MovieFile().bytes)])
    let input = try await library.contentEditingInput(for: asset)
    let output = try await library.contentEditingOutput(for: input)
    output.adjustmentData = try EditorB.data("one")
    var rendering = MovieFile()
    rendering.width = 32
    try Data(rendering.bytes).write(to: output.renderedContentURL)
    let file = open(output.renderedContentURL.path, O_RDWR)
    try #require(file >= 0)
    defer { close(file) }
    try await library.performChanges { try $0.change(asset).setContentEditingOutput(output) }
    let before = try stored()
    #expect(pwrite(file, "overwritten", 11, 0) == 11)
    #expect(try stored() == before)
  }

  // MARK: Permissions

  @Test(arguments: [0o600, 0o640, 0o644, 0o666, 0o755] as [mode_t])
  func `stored files cannot be written and are no more readable than their source`(
    source: mode_t
  ) async throws {
    let path = try folder.folder.write(ImageFile().jpeg(), to: "a.jpg")
    try #require(chmod(path, source) == 0)
    let outcome = try folder.create(files: [(.photo, path)])
    let identifier = try #require(outcome.created)
    let asset = try #require(try folder.asset(identifier))
    try await EditorB.edit(library, asset, "one")
    for (type, file) in try folder.files(of: folder.refetched(asset)) {
      let mode = try mode(file)
      #expect(mode & ~(source & 0o444) == 0 && mode & 0o400 != 0, "\(type)")
    }
    // An export is writable by its owner as before.
    let target = folder.folder.path("exported")
    try FileSystem.createFolder(target)
    var exporter = Exporter(library, to: URL(filePath: target))
    for file in try exporter.export(folder.refetched(asset)) {
      let mode = try mode(file.path)
      #expect(mode & 0o600 == 0o600 && mode & ~(source | 0o600) == 0, "\(file.type)")
    }
  }

  private func makeWritable() throws {
    for path in try stored().keys where !path.hasSuffix(".json") {
      try #require(chmod(library.layout.path(path), 0o644) == 0)
    }
  }

  private func writable() throws -> [String] {
    try stored().keys.filter {
      try !$0.hasSuffix(".json") && mode(library.layout.path($0)) & 0o222 != 0
    }
  }

  @Test func `the files of an earlier version become read-only, once`() async throws {
    for _ in 0..<3 { try await EditorB.edit(library, folder.addPhoto(), "one") }
    try makeWritable()
    #expect(try writable().count == 9, "not done again in a library of this version")
    try library.performChangesAndWait {
      try $0.add(Rows(["DELETE FROM property WHERE key = 'readOnlyFiles'"]))
    }
    let again = try PhotoLibrary(at: library.url)
    try again.synchronize()
    #expect(try writable() == [])
    try makeWritable()
    #expect(try LibraryRepair().run(at: library.url).isSound)
    #expect(try writable() == [])
  }

  // MARK: Check

  /// Changes a byte of a file in place.
  private func flip(_ path: String) throws {
    try #require(chmod(path, 0o600) == 0)
    let file = open(path, O_RDWR)
    try #require(file >= 0)
    defer { close(file) }
    var byte: UInt8 = 0
    #expect(pread(file, &byte, 1, 20) == 1)
    byte ^= 1
    #expect(pwrite(file, &byte, 1, 20) == 1)
  }

  @Test func `a check finds a file that was written in place, with a hint`() async throws {
    let asset = try folder.addPhoto()
    try await EditorB.edit(library, asset, "one")
    try library.synchronize()
    #expect(try check() == [])
    let files = try folder.files(of: folder.refetched(asset))
    for type in [AssetResourceType.photo, .fullSizePhoto] {
      let path = try #require(files[type])
      try flip(path)
      let found = try check().first { path.hasSuffix($0.file ?? "?") }
      #expect(found?.kind == .changedFile)
      #expect(found?.detail.hasSuffix("restore the file from a backup") == true)
      try flip(path)
    }
    // The bytes are as before, so only the times tell of the writes, and they are no defect.
    #expect(try check() == [])
  }

  @Test func `files with later times are read until a repair corrects the times`() throws {
    let asset = try folder.create([(.photo, try ImageFile().jpeg())])
    try library.synchronize()
    let path = try #require(folder.files(of: asset)[.photo])
    let row = asset.row
    func isRead() throws -> Bool {
      let version = try #require(FileVersion(path))
      return try library.read { database throws(LibraryError) in
        try database.storedFiles(of: row)
      }.contains { $0.isWritten(version) }
    }
    #expect(try !isRead())
    FileSystem.setModificationTime(of: path, to: 2_000_000_000)
    #expect(try isRead())
    #expect(try check() == [])
    _ = try LibraryRepair().run(at: library.url)
    #expect(try !isRead() && check() == [])
  }

  @Test(arguments: [true, false])
  func `the files of a backup are read-only and have the times of the originals`(
    sharesFiles: Bool
  ) throws {
    let asset = try folder.addPhoto()
    let path = try #require(folder.files(of: asset)[.photo])
    var backup = LibraryBackup()
    backup.sharesFiles = sharesFiles
    let target = folder.folder.path("backup")
    #expect(try backup.run(of: library, to: URL(filePath: target)).isSound)
    let copy = target + path.dropFirst(library.layout.root.count)
    #expect(try mode(copy) & 0o222 == 0)
    let (found, original) = (try #require(FileVersion(copy)), try #require(FileVersion(path)))
    #expect(abs(found.modificationTime - original.modificationTime) < 0.001)
    #expect(found.isSameFile(as: original) == sharesFiles)
  }
}

// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEdit
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary
@testable import PhotoEditSQLite

@Suite("Imported edits of videos and Live Photos")
struct MovieVersionTests {
  private let folder: TestLibrary
  private var library: PhotoLibrary { folder.library }

  init() throws { folder = try TestLibrary() }

  /// The digests of all versions, without the adjustment data, which gets a journal.
  private func versions(_ asset: Asset) throws -> [AssetResourceType: SHA256Digest] {
    try library.synchronize()
    try folder.checkFiles(asset)
    return try folder.files(of: asset).filter { $0.key != .adjustmentData }
      .mapValues { try digest($0) }
  }

  @Test func `undo restores an edited Live Photo with both of its videos`() async throws {
    let asset = try folder.editedLivePhoto()
    let before = try versions(asset)
    #expect(before.count == 6)
    try await EditorB.edit(library, asset, "one")
    try await EditorB.edit(library, asset, "two")
    let between = try folder.refetched(asset)
    #expect(between.playbackStyle == .image && !between.mediaSubtypes.contains(.photoLive))
    _ = try await folder.store(asset).undo()
    _ = try await folder.store(asset).undo()
    #expect(try versions(asset) == before)
    let after = try folder.refetched(asset)
    #expect(after.playbackStyle == .livePhoto && after.mediaSubtypes.contains(.photoLive))
    #expect((after.pixelWidth, after.pixelHeight) == (asset.pixelWidth, asset.pixelHeight))
    _ = try await folder.store(asset).redo()
    #expect(try folder.refetched(asset).playbackStyle == .image)
    _ = try await folder.store(asset).undo()
    #expect(try versions(asset) == before)
  }

  @Test func `still and video together become the base of the next edit`() async throws {
    let asset = try folder.editedLivePhoto()
    let before = try versions(asset)
    try await EditorB.edit(library, asset, "one")
    let after = try versions(asset)
    #expect(after[.adjustmentBasePhoto] == before[.fullSizePhoto])
    #expect(after[.adjustmentBasePairedVideo] == before[.fullSizePairedVideo])
    #expect(after[.fullSizePairedVideo] == nil)
    try await EditorB.edit(library, asset, "two")
    #expect(try versions(asset)[.adjustmentBasePairedVideo] == before[.fullSizePairedVideo])
  }

  @Test func `undoing a revert of an edited Live Photo restores its videos`() async throws {
    let asset = try folder.editedLivePhoto()
    let before = try versions(asset)
    try library.performChangesAndWait { try $0.change(asset).revertAssetContentToOriginal() }
    #expect(Set(try versions(asset).keys) == [.photo, .pairedVideo])
    #expect(try folder.refetched(asset).playbackStyle == .livePhoto)
    _ = try await folder.store(asset).undo()
    #expect(try versions(asset) == before)
  }

  @Test func `undo to a version whose video is missing fails`() async throws {
    let asset = try folder.editedLivePhoto()
    let movie = try #require(try folder.files(of: asset)[.fullSizePairedVideo])
    try await EditorB.edit(library, asset, "one")
    try FileSystem.remove(movie)
    let error = try await libraryError { _ = try await folder.store(asset).undo() }
    #expect(error?.code == .missingResource)
    #expect(try folder.refetched(asset).playbackStyle == .image)
  }

  @Test(.requirement("asset-properties"))
  func `revert and undo of an edited video update size and duration`() async throws {
    var rendering = MovieFile()
    (rendering.width, rendering.height, rendering.frames) = (32, 24, 60)
    let asset = try folder.create([
      (.video, MovieFile().bytes), (.fullSizeVideo, rendering.bytes),
      (.adjustmentData, ImageFile.record()),
    ])
    func facts() throws -> [Double] {
      let asset = try folder.refetched(asset)
      return [Double(asset.pixelWidth), Double(asset.pixelHeight), asset.duration]
    }
    #expect(try facts() == [32, 24, 2] && asset.canPerform(.content))
    try library.performChangesAndWait { try $0.change(asset).revertAssetContentToOriginal() }
    #expect(try facts() == [64, 48, 1])
    _ = try await folder.store(asset).undo()
    #expect(try facts() == [32, 24, 2])
    try folder.checkFiles(asset)
  }
}

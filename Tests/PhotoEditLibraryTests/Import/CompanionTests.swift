// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEdit
import PhotoEditFilters
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary

@Suite("Companion files of known originals")
struct CompanionTests: ImportSuite {
  let library: TestLibrary
  let source: TemporaryFolder

  init() throws {
    library = try TestLibrary()
    source = try TemporaryFolder()
  }

  private func writeEdited(_ folder: String, rendering: Int = 2) throws {
    try write(try ImageFile().jpeg(1), folder + "/IMG_1.JPG")
    try write(try ImageFile().jpeg(rendering), folder + "/IMG_E1.JPG")
    try write(ImageFile.record(), folder + "/IMG_1.AAE")
  }

  @Test(arguments: [true, false])
  func `an edit is attached to a photo that was imported without it`(inOneImport: Bool) throws {
    try write(try ImageFile().jpeg(1), "a/IMG_1.JPG")
    try writeEdited("b")
    if !inOneImport { #expect(run(folder: "a").assetCount == 1) }
    let report = run()
    #expect(report.assetCount == (inOneImport ? 1 : 0) && report.interruption == nil)
    #expect(outcomes(report)["b/IMG_1.JPG"] == .duplicate)
    #expect(outcomes(report)["b/IMG_1.AAE"] == .attached)
    #expect(outcomes(report)["b/IMG_E1.JPG"] == .attached)
    let asset = try #require(try library.assets().first)
    #expect(asset.hasAdjustments && asset.contentRevision == 2)
    #expect(try types(asset) == [.photo, .fullSizePhoto, .adjustmentData])
    #expect(try library.check().findings.isEmpty)
    #expect(outcomes(run()).values.allSatisfy { $0 == .duplicate }, "a third import adds nothing")
    let store = try library.library.editingStore(for: asset)
    #expect(try store.state().record != nil, "the edit can be reverted")
  }

  @Test func `an edit that differs from the stored one is not imported or moved`() throws {
    try writeEdited("a")
    try writeEdited("b", rendering: 3)
    _ = run(folder: "a")
    let files = try library.storedFiles()
    let report = run(folder: "b") { $0.shouldMoveFiles = true }
    #expect(
      outcomes(report) == [
        "b/IMG_1.JPG": .duplicate, "b/IMG_1.AAE": .duplicate, "b/IMG_E1.JPG": .keptOut,
      ])
    #expect(try library.storedFiles() == files)
    #expect(FileSystem.itemExists(source.path("b/IMG_E1.JPG")))
  }

  @Test func `a photo with an edit history accepts no imported edit`() async throws {
    try write(try TestImages.bytes("photo-64.jpg"), "a/IMG_1.JPG")
    _ = run(folder: "a")
    let asset = try #require(try library.assets().first)
    _ = try await PhotoEditor(library.store(asset)).apply([Exposure(ev: 0.5)])
    _ = try await library.store(asset).revert()
    try write(try TestImages.bytes("photo-64.jpg"), "b/IMG_1.JPG")
    try write(try ImageFile().jpeg(2), "b/IMG_E1.JPG")
    try write(ImageFile.record(), "b/IMG_1.AAE")
    let report = run(folder: "b")
    #expect(outcomes(report)["b/IMG_1.AAE"] == .keptOut)
    #expect(outcomes(report)["b/IMG_E1.JPG"] == .keptOut)
  }

  @Test func `a moved companion is removed from its source once it is in the library`() throws {
    try write(try ImageFile().jpeg(1), "a/IMG_1.JPG")
    try writeEdited("b")
    try write(Array(ImageFile.packet("dc:title=\"T\"").utf8), "b/IMG_1.xmp")
    _ = run(folder: "a")
    let digests = Set(
      try ["IMG_E1.JPG", "IMG_1.AAE", "IMG_1.xmp"].map { try digest(source.path("b/" + $0)) })
    let report = run(folder: "b") { $0.shouldMoveFiles = true }
    #expect(report.count(.attached) == 3)
    #expect(try storedDigests().isSuperset(of: digests))
    #expect(try FileSystem.names(in: source.path("b")) == ["IMG_1.JPG"])
  }

  @Test func `a dry run reports the files that would be attached`() throws {
    try write(try ImageFile().jpeg(1), "a/IMG_1.JPG")
    try writeEdited("b")
    try writeEdited("c", rendering: 3)
    let report = run { $0.isDryRun = true }
    #expect(report.assetCount == 1)
    #expect(outcomes(report) == outcomes(run()))
    #expect(outcomes(report)["b/IMG_E1.JPG"] == .attached)
    #expect(outcomes(report)["c/IMG_E1.JPG"] == .keptOut)
  }

  @Test func `a RAW file is attached to the JPEG with the same name`() throws {
    try write(try ImageFile().jpeg(1), "a/DSC_1.JPG")
    _ = run(folder: "a")
    try write(ImageFile.dng(), "a/DSC_1.DNG")
    #expect(outcomes(run(folder: "a"))["a/DSC_1.DNG"] == .attached)
    let asset = try #require(try library.assets().first)
    #expect(try types(asset) == [.photo, .alternatePhoto] && asset.traits == .raw)
    #expect(try library.assets().count == 1)
  }

  @Test func `nothing is attached to a trashed photo`() throws {
    try write(try ImageFile().jpeg(1), "a/IMG_1.JPG")
    try writeEdited("b")
    _ = run(folder: "a")
    let asset = try #require(try library.assets().first)
    try library.library.performChangesAndWait { try $0.delete([asset]) }
    let report = run(folder: "b")
    #expect(outcomes(report)["b/IMG_1.AAE"] == .keptOut && report.assetCount == 0)
    #expect(lines(report)["b/IMG_1.AAE"]?.reason?.contains("trash") == true)
  }

  // MARK: Live Photos

  @Test(arguments: [["a", "b"], ["b", "a"], ["."]])
  func `the two parts of a Live Photo are joined across imports and folders`(
    _ folders: [String]
  ) throws {
    try write(try ImageFile.live("L-1"), "a/IMG_1.JPG")
    try write(MovieFile.live("L-1"), "b/0001.MOV")
    try write(try ImageFile.live("L-2", seed: 2), "a/IMG_2.JPG")
    for folder in folders { #expect(run(folder: folder).interruption == nil) }
    let assets = try library.assets()
    #expect(assets.count == 2)
    let live = try #require(assets.first { $0.playbackStyle == .livePhoto })
    #expect(live.originalFilename == "IMG_1.JPG" && live.mediaType == .image)
    #expect(live.mediaSubtypes.contains(.photoLive) && live.duration == 0)
    #expect(live.pixelWidth == 64)
    #expect(try types(live) == [.photo, .pairedVideo])
    #expect(try library.check().findings.isEmpty)
    #expect(outcomes(run()).values.allSatisfy { $0 == .duplicate }, "repeating changes nothing")
  }

  @Test(arguments: [1, 100])
  func `an imported video becomes part of the Live Photo that arrives later`(
    batchSize: Int
  ) throws {
    try write(MovieFile.live("L-1"), "a/IMG_1.MOV")
    _ = run(folder: "a")
    let movie = try #require(try library.assets().first)
    try library.library.performChangesAndWait { changes in
      try changes.change(movie).setTitle("Mine")
      try changes.createAlbum(title: "Lake").addAssets([movie])
    }
    try write(MovieFile.live("L-1"), "b/IMG_1.MOV")
    try write(try ImageFile.live("L-1"), "b/IMG_1.JPG")
    let report = run(folder: "b") { $0.batchSize = batchSize }
    #expect(outcomes(report) == ["b/IMG_1.JPG": .attached, "b/IMG_1.MOV": .duplicate])
    let live = try #require(try library.assets().first)
    #expect(try library.assets().count == 1 && live == movie, "the asset keeps its identifier")
    #expect(live.playbackStyle == .livePhoto && live.title == "Mine")
    #expect(try types(live) == [.photo, .pairedVideo])
  }

  @Test func `a video with another identifier stays a separate asset`() throws {
    try write(try ImageFile.live("L-1"), "a/IMG_1.JPG")
    try write(MovieFile.live("L-2"), "b/IMG_1.MOV")
    #expect(run(folder: "a").assetCount == 1)
    #expect(run(folder: "b").assetCount == 1)
    #expect(try library.assets().count == 2)
  }
}

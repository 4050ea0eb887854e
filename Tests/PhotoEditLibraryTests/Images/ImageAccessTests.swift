// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditPixels
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary

@Suite("Access to images")
struct ImageAccessTests {
  private let owner: TestLibrary
  private let box = PixelSize(width: 8, height: 8)

  init() throws { owner = try TestLibrary() }

  @Test(.requirement("limited-access"))
  func `a limited client gets images only of its selected assets`() throws {
    let seen = try owner.create([(.photo, try TestImages.bytes("photo-64.jpg"))])
    let unseen = try owner.create([(.photo, try TestImages.bytes("png-rgb-8.png"))])
    try #"""
    {"schemaVersion": 1, "clients": {"org.example.app": {"level": "limited", "assets": \#
    ["\#(seen.localIdentifier)"]}}}
    """#.write(toFile: owner.library.layout.policy, atomically: true, encoding: .utf8)
    var configuration = PhotoLibrary.Configuration()
    configuration.client = "org.example.app"
    let library = try PhotoLibrary(at: owner.library.url, configuration: configuration)
    let limited = ImageManager(library)
    #expect(try limited.now(seen, box).size == PixelSize(width: 8, height: 6))
    do {
      _ = try limited.now(unseen, box)
      Issue.record("an image was delivered")
    } catch let error as LibraryError {
      #expect(error.code == .identifierNotFound)
    }
  }

  @Test func `a read-only library delivers images and writes no thumbnails`() throws {
    let asset = try owner.create([(.photo, try TestImages.bytes("photo-64.jpg"))])
    let layout = owner.library.layout
    let store = ThumbnailStore(layout, budget: 1 << 20, isWritable: false)
    let manager = ImageManager(owner.library, store: store)
    #expect(try manager.now(asset, box).size == PixelSize(width: 8, height: 6))
    #expect(!FileManager.default.fileExists(atPath: layout.path("cache")))
  }
}

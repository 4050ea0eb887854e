// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditRendering
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEdit

@Suite("Settings of a stored rendering")
struct RenderSettingsTests {
  /// A new option must be recorded, or must not change the bytes, so that undo restores them.
  @Test func `every render option is recorded or does not change the bytes`() {
    let recorded = ["quality", "dither", "isLenient", "strip", "includesSettings"]
    // The date is that of the record. The others change time, memory, or whether it succeeds.
    let others = [
      "limits", "threads", "modificationDate", "assetFiles", "attachments", "isCancelled",
      "timings", "countsLevels", "staged", "stripHeight", "allowsCoefficients", "usesTiles",
      "tileWidth", "mostBytesKept", "simplifiesPlans", "sandbox", "isOnlyMeasured",
      // Only copies, which are not recorded, have them.
      "convertsToSRGB", "isProgressive", "keepsCopyright",
    ]
    let members = Mirror(reflecting: RenderOptions()).children.compactMap(\.label)
    #expect(Set(members) == Set(recorded + others))
    let settings = Mirror(reflecting: RenderSettings(RenderOptions())).children.compactMap(\.label)
    #expect(Set(settings) == Set(recorded + ["utcOffset"]))
  }

  private static let changes: [@Sendable (inout RenderOptions) -> Void] = [
    { $0.quality = .ijg(40) }, { $0.strip = [.location, .people] }, { $0.strip = .all },
    { $0.dither = .tpdf(seed: 7) }, { $0.dither = .tpdf(seed: .max) },
  ]

  /// Undo renders again from the record alone.
  @Test(arguments: changes.indices, [[Sepia(amount: 0.5)] as [any Filter], [Rotate90(turns: 1)]])
  func `an undone edit has the bytes of its options`(
    change: Int, filters: [any Filter]
  ) async throws {
    let isDeep = change > 2
    let photo = try PhotoFolder(
      isDeep ? "inputs/png-rgb-16.png" : "inputs/photo-landscape.jpg",
      as: isDeep ? "photo.png" : "photo.jpg")
    var editor = PhotoEditor(photo.store)
    try await editor.apply(filters)
    let plain = try photo.digest("photo.edited.jpg")
    try await photo.store.revert()
    Self.changes[change](&editor.options)
    let state = try await editor.apply(filters).state
    let rendering = try photo.digest("photo.edited.jpg")
    #expect(rendering != plain)
    try await editor.apply([Invert(amount: 1)])
    #expect(
      !photo.exists(".photoedit/\(FileSystem.lastName(of: photo.photo))/\(rendering.hex).jpg"))
    let undone = try await photo.store.undo()
    #expect(undone.record == state.record)
    #expect(try photo.digest("photo.edited.jpg") == rendering)
  }

  @Test func `an unknown kind of removed metadata prevents a rendering that would have it`()
    async throws
  {
    let photo = try PhotoFolder()
    var editor = PhotoEditor(photo.store)
    editor.options.strip = .location
    try await editor.apply([Sepia(amount: 0.5)])
    let sidecar = String(decoding: try photo.bytes("photo.jpg.aae"), as: UTF8.self)
    #expect(sidecar.contains("<string>location</string>"))
    try photo.temporary.write(
      Array(sidecar.replacing("<string>location</string>", with: "<string>mood</string>").utf8),
      to: "photo.jpg.aae")
    let record = try #require(try photo.store.state().record)
    #expect(record.renderSettings == nil && !record.canBeRenderedAgain)
  }
}

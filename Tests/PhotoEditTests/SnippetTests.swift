// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEdit
import PhotoEditRendering
import PhotoEditTestSupport
import Testing

/// Holds the code of the documentation catalog, which a housekeeping test compares.
@Suite("Swift snippets in the PhotoEdit documentation")
struct SnippetTests {
  private let folder: PhotoFolder

  init() throws { folder = try PhotoFolder("photo-64.jpg") }

  @Test func `a photo gets a border by its pixels as documented`() async throws {
    let photo = URL(filePath: folder.photo)
    let store = SidecarStore(photo: photo)
    let input = try await store.editingInput()
    var pixels = try await input.pixels(as: Float.self)
    for x in 0..<pixels.size.width {
      for channel in 0..<pixels.channels.count { pixels[x: x, y: 0, channel: channel] = 1 }
    }
    let output = try await store.editingOutput(for: input)
    try await output.write(pixels, quality: .ijg(92))
    output.adjustmentData = try AdjustmentData(
      formatIdentifier: "com.example.border", formatVersion: "1.0", data: Data("top".utf8))
    try await store.commit(output)
    let made = try ImageSource(FileBytes(folder.bytes("photo.edited.jpg")))
    let row = try Renderer.pixels(of: made, as: UInt8.self).samples.prefix(3 * 64)
    #expect(row.allSatisfy { $0 > 200 })
  }

  @Test func `a photo is changed strip by strip as documented`() async throws {
    let store = folder.store
    let output = try await store.editingOutput(for: try await store.editingInput())
    try await output.write { strip in
      for y in strip.rows {
        strip.withUnsafeMutableRow(y, channel: 0) { row in
          for x in row.indices { row[x] = 1 - row[x] }
        }
      }
    }
    let made = try ImageSource(FileBytes(Array(Data(contentsOf: output.renderedContentURL))))
    #expect(made.size == PixelSize(width: 64, height: 48))
  }
}

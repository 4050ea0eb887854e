// SPDX-License-Identifier: Apache-2.0
import Codecs
import Filters
import Pixels
import Rendering
import Storage
import TestSupport
import Testing

@Suite("Renderings", .timeLimit(.minutes(2)))
struct RenderTests {
  @Test func `luma601 keeps the Y coefficients of the source`() throws {
    let bytes = FileBytes(try TestImages.bytes("inputs/photo-landscape.jpg"))
    let graph = try FilterGraph([Grayscale(.luma601)])
    let rendering = try Renderer.render(try Picture(bytes), graph)
    #expect(rendering.path == .coefficients)
    let before = try jpegCoefficients(bytes)[0]
    #expect(try jpegCoefficients(FileBytes(rendering.jpeg))[0] == before)
  }
}

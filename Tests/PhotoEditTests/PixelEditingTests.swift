// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEdit
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditRendering
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("Editing with custom pixels")
struct PixelEditingTests {
  private let photo: PhotoFolder

  init() throws { photo = try PhotoFolder("orientation-6.jpg") }

  private func session() async throws -> (EditingInput, EditingOutput) {
    let input = try await EditorB.input(photo.store)
    return (input, try await photo.store.editingOutput(for: input))
  }

  private func written(_ output: EditingOutput) throws -> [UInt8] {
    try [UInt8](Data(contentsOf: output.renderedContentURL))
  }

  private static func still(_ report: RenderReport) throws -> Rendering {
    guard case .still(let rendering) = report else { throw CancellationError() }
    return rendering
  }

  @Test func `a session with pixels is committed, reopened from the original and undone`()
    async throws
  {
    let (input, output) = try await session()
    var pixels = try await input.pixels(as: Float.self)
    #expect(pixels.size == input.size && input.orientation != .up)
    for i in pixels.samples.indices { pixels.samples[i] = 1 - pixels.samples[i] }
    let rendering = try Self.still(try await output.write(pixels, quality: .ijg(95)))
    #expect(try rendering.jpeg == written(output) && rendering.size == input.size)
    #expect(rendering.encoding.settings.luma == .standardLuma(quality: 95))
    output.adjustmentData = try EditorB.data("inverted")
    let state = try await photo.store.commit(output)
    #expect(try state.record?.current == photo.digest("photo.edited.jpg"))
    #expect(state.record?.renderSettings == nil)
    let made = try ImageSource(FileBytes(photo.bytes("photo.edited.jpg")))
    #expect(made.metadata.orientation == .up)
    let (again, _) = try await session()
    #expect(again.version == .original)
    #expect(try again.adjustmentData == EditorB.data("inverted"))
    #expect(try await again.pixels(as: Float.self) == input.pixels())
    #expect(try await !photo.store.revert().isEdited)
    #expect(try photo.litter().isEmpty)
  }

  @Test func `only the last written pixels are used`() async throws {
    let (input, output) = try await session()
    let pixels = try await input.pixels(as: UInt8.self)
    try await output.write(pixels, quality: .ijg(40))
    let first = try written(output)
    let second = try Self.still(
      try await output.write(quality: .ijg(90)) { strip in
        for y in strip.rows { strip[x: 0, y: y, channel: 0] = 0 }
      })
    #expect(try written(output) == second.jpeg && second.jpeg != first)
    let folder = output.renderedContentURL.deletingLastPathComponent().path
    #expect(try FileSystem.names(in: folder) == ["rendered.jpg"])
  }

  @Test func `the modification date is now or the given one`() async throws {
    let (input, output) = try await session()
    let pixels = try await input.pixels(as: UInt8.self)
    var options = RenderOptions()
    options.modificationDate = .init(secondsSince1970: 0, utcOffset: 3600)
    let named = try Self.still(try await output.write(pixels, options: options)).jpeg
    let now = try Self.still(try await output.write(pixels)).jpeg
    let first = Array("1970:01:01 01:00:00".utf8)
    #expect(named.firstRange(of: first) != nil && now.firstRange(of: first) == nil)
    let year = Date().description.prefix(4)
    #expect(now.firstRange(of: Array("\(year):".utf8)) != nil)
  }

  @Test func `a graph's rendering replaced by pixels is not rendered again from the graph`()
    async throws
  {
    let (input, output) = try await session()
    _ = try StillRenderer().render(input, FilterGraph(), options: RenderOptions(), to: output)
    #expect(output.ownRendering?.renderSettings != nil)
    try await output.write(try await input.pixels(as: UInt8.self))
    #expect(output.ownRendering?.renderSettings == nil)
  }

  @Test func `a rendering that another program replaced is recorded as its own`() async throws {
    let (input, output) = try await session()
    _ = try StillRenderer().render(input, FilterGraph(), options: RenderOptions(), to: output)
    let other = try EditorB.rendering("other")
    try Data(other).write(to: output.renderedContentURL)
    output.adjustmentData = try EditorB.data("other")
    let record = try await photo.store.commit(output).record
    #expect(record?.current == SHA256Digest(of: other) && record?.renderSettings == nil)
    #expect(try photo.digest("photo.edited.jpg") == record?.current)
  }

  @Test func `a damaged file in place of a rendering is refused`() async throws {
    let (input, output) = try await session()
    let report = try StillRenderer().render(
      input, FilterGraph(), options: RenderOptions(), to: output)
    let jpeg = try Self.still(report).jpeg
    try Data(jpeg.prefix(jpeg.count / 2)).write(to: output.renderedContentURL)
    output.adjustmentData = try EditorB.data("half")
    let thrown = try await editingError { try await photo.store.commit(output) }
    #expect(thrown?.code == .invalidResource)
    #expect(try !photo.store.state().isEdited)
  }

  private struct Failure: Error {}

  @Test func `a failed write keeps the previous output and reports the reason`() async throws {
    let (input, output) = try await session()
    try await output.write(try await input.pixels(as: UInt16.self))
    let before = try written(output)
    let thrown = try await editingError {
      try await output.write { _ in throw Failure() }
    }
    #expect(thrown?.code == .invalidResource && thrown?.underlying is Failure)
    let space = try await editingError {
      try await output.write(
        PixelBuffer<UInt8>(
          size: input.size, channels: .rgb,
          colorSpace: PixelColorSpace(name: "Mine", icc: [1]), filledWith: 0))
    }
    #expect(space?.code == .changeNotSupported && space?.message.contains("Mine") == true)
    let empty = try await editingError {
      try await output.write(
        PixelBuffer<UInt8>(
          size: PixelSize(width: 0, height: 0), channels: .rgb, colorSpace: .sRGB, filledWith: 0))
    }
    #expect(empty?.code == .changeNotSupported)
    #expect(try written(output) == before)
  }

  @Test func `a canceled task reads and writes nothing`() async throws {
    let (input, output) = try await session()
    let pixels = try await input.pixels(as: UInt8.self)
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return [
        try await editingError { _ = try await input.pixels(as: UInt8.self) },
        try await editingError { try await output.write(pixels) },
      ]
    }
    task.cancel()
    #expect(try await task.value.map(\.?.code) == [.userCancelled, .userCancelled])
    var options = RenderOptions()
    options.isCancelled = { true }
    let asked = options
    for error in [
      try await editingError { _ = try await input.pixels(as: UInt8.self, options: asked) },
      try await editingError { try await output.write(pixels, options: asked) },
      try await editingError { try await output.write { _ in throw CancellationError() } },
    ] {
      #expect(error?.code == .userCancelled)
    }
    #expect(!FileSystem.itemExists(output.renderedContentURL.path))
  }

  @Test func `a task canceled while strips are changed stops there`() async throws {
    let (_, output) = try await session()
    let error = try await editingError {
      try await output.write { _ in
        withUnsafeCurrentTask { $0?.cancel() }
        throw CancellationError()
      }
    }
    #expect(error?.code == .userCancelled)
  }
}

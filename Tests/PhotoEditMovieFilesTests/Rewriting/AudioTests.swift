// SPDX-License-Identifier: Apache-2.0
import PhotoEditMovieFiles
import PhotoEditStorage
import Testing

@Suite("Video audio")
struct AudioTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test(arguments: [(1, 1), (0.5, 0.5), (0, 0), (0.3, 77.0 / 256)])
  func `the volume is scaled, and the audio packets are unchanged`(
    share: Double, written: Double
  ) throws {
    let source = try folder.write(MovieBuilder(brand: "qt  ").build(), "in.mov")
    let before = try MovieRewriter.run(
      from: source, to: folder.file("same.mov"), edits: [.contentIdentifier("A")])
    #expect(try PassthroughExport.inspect(source).streams.map(\.volume) == [nil, 1])
    let report = try MovieRewriter.run(
      from: source, to: folder.file("out.mov"), edits: [.volume(share)])
    #expect(report.method == .retagged)
    #expect(report.streams.map(\.digest) == before.streams.map(\.digest))
    let info = try PassthroughExport.inspect(folder.file("out.mov"))
    #expect(info.streams.map(\.volume) == [nil, written])
  }

  @Test func `successive volume changes multiply`() throws {
    let source = try folder.write(MovieBuilder(brand: "qt  ").build(), "in.mov")
    _ = try MovieRewriter.run(
      from: source, to: folder.file("out.mov"), edits: [.volume(0.5), .volume(0.5)])
    let info = try PassthroughExport.inspect(folder.file("out.mov"))
    #expect(info.streams.map(\.volume) == [nil, 0.25])
  }

  @Test(arguments: [-0.01, 1.01, .nan, .infinity])
  func `an invalid volume is rejected with its value`(share: Double) throws {
    let source = try folder.write(MovieBuilder(brand: "qt  ").build(), "in.mov")
    let error = #expect(throws: MovieError.self) {
      _ = try MovieRewriter.run(
        from: source, to: folder.file("out.mov"), edits: [.volume(share)])
    }
    #expect(error.map { "\($0)".contains("volume") && "\($0)".contains("\(share)") } == true)
    #expect(try FileSystem.entry(at: folder.file("out.mov")) == nil)
  }
}

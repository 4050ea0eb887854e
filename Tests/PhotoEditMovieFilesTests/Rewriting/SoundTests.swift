// SPDX-License-Identifier: Apache-2.0
import PhotoEditMovieFiles
import PhotoEditStorage
import Testing

@Suite("The sound of a movie")
struct SoundTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test(arguments: [(1, 1), (0.5, 0.5), (0, 0), (0.3, 77.0 / 256)])
  func `sound is played at a share of its volume, and its packets stay`(
    share: Double, written: Double
  ) throws {
    let source = try folder.write(MovieBuilder(brand: "qt  ").build(), "in.mov")
    let before = try MovieRewriter.run(
      from: source, to: folder.file("same.mov"), edits: [.contentIdentifier("A")])
    #expect(try MoviePassThrough.inspect(source).streams.map(\.volume) == [nil, 1])
    let report = try MovieRewriter.run(
      from: source, to: folder.file("out.mov"), edits: [.volume(share)])
    #expect(report.method == .retagged)
    #expect(report.streams.map(\.digest) == before.streams.map(\.digest))
    let info = try MoviePassThrough.inspect(folder.file("out.mov"))
    #expect(info.streams.map(\.volume) == [nil, written])
  }

  @Test func `a share of a share is taken of what is there`() throws {
    let source = try folder.write(MovieBuilder(brand: "qt  ").build(), "in.mov")
    _ = try MovieRewriter.run(
      from: source, to: folder.file("out.mov"), edits: [.volume(0.5), .volume(0.5)])
    let info = try MoviePassThrough.inspect(folder.file("out.mov"))
    #expect(info.streams.map(\.volume) == [nil, 0.25])
  }

  @Test(arguments: [-0.01, 1.01, .nan, .infinity])
  func `a share that is none is refused with its number`(share: Double) throws {
    let source = try folder.write(MovieBuilder(brand: "qt  ").build(), "in.mov")
    let error = #expect(throws: MovieError.self) {
      _ = try MovieRewriter.run(
        from: source, to: folder.file("out.mov"), edits: [.volume(share)])
    }
    #expect(error.map { "\($0)".contains("volume") && "\($0)".contains("\(share)") } == true)
    #expect(try FileSystem.entry(at: folder.file("out.mov")) == nil)
  }
}

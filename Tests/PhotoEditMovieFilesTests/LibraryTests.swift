// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform
import PhotoEditStorage
import Testing

@testable import PhotoEditMovieFiles

@Suite("libavformat is loaded on demand")
struct LibraryTests {
  @Test func `copying, box-level remuxing, validating and inspecting load nothing`() async {
    await #expect(processExitsWith: .success) { exit(try Self.exitCodeOfLoading()) }
  }

  /// Returns 0 if the library is loaded exactly with the first video that needs it.
  private static func exitCodeOfLoading() throws -> Int32 {
    let folder = try ScratchFolder()
    guard try !isMapped(), !AVFormatLibrary.isLoaded else { return 1 }
    let old = try folder.write(MovieBuilder(brand: "qt  ").build(), "old.mov")
    let new = try folder.write(MovieBuilder(.boxes).build(), "new.mp4")
    let other = try folder.write(MovieBuilder(.library).build(), "other.mp4")
    try PassthroughExport.validateQuickTime(old)
    _ = try PassthroughExport.inspect(old)
    _ = try PassthroughExport.inspect(new)
    _ = try PassthroughExport.run(from: old, to: folder.file("copy"))
    _ = try PassthroughExport.run(from: new, to: folder.file("carried"))
    guard try !isMapped(), !AVFormatLibrary.isLoaded else { return 2 }
    _ = try PassthroughExport.run(from: other, to: folder.file("remuxed"))
    return try isMapped() && AVFormatLibrary.isLoaded ? 0 : 3
  }

  private static func isMapped() throws -> Bool {
    var text: [UInt8] = []
    let maps = try OpenFile(reading: "/proc/self/maps")
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 8)
    defer { chunk.deallocate() }
    while true {
      let count = try maps.read(into: chunk)
      if count == 0 { return contains(text, Array("libavformat".utf8)) }
      text += chunk[0..<count]
    }
  }

  @Test func `a library that is not installed is named`() {
    let refusal = SharedLibrary.refusal(of: "libavformat.so.999")
    #expect(refusal?.contains("libavformat.so.999") == true)
  }

  @Test func `the package of the library has the version that is loaded`() throws {
    let major = try #require(AVFormatLibrary.version.split(separator: ".").first)
    #expect(SharedLibrary.debianPackage(of: AVFormatLibrary.name) == "libavformat\(major)")
    #expect(SharedLibrary.debianPackage(of: "libheif.so.1") == "libheif1")
  }

  @Test func `videos are remuxed concurrently`() async throws {
    let folder = try ScratchFolder()
    let source = try folder.write(MovieBuilder(.library).build(), "in")
    let reports = try await withThrowingTaskGroup(of: MovieReport.self) { group in
      for index in 0..<8 {
        group.addTask { try PassthroughExport.run(from: source, to: folder.file("out\(index)")) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(reports.count == 8 && Set(reports).count == 1)
  }
}

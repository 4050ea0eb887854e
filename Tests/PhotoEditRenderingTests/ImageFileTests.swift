// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditCodecs
import PhotoEditPixels
import PhotoEditRendering
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("Image files and buffers")
struct ImageFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: [ChannelLayout.gray, .grayAlpha, .rgb, .rgba], [1, 2])
  func `a PNG has the samples of the image`(channels: ChannelLayout, bytes: Int) throws {
    let layout = RowLayout(channels: channels, bytesPerSample: bytes)
    let size = PixelSize(width: 5, height: 3)
    let image = ImageBuffer(
      size: size, layout: layout,
      bytes: (0..<size.height * layout.bytesPerRow(width: size.width)).map { UInt8($0) })
    let file = folder.url("image.png")
    // An existing file is replaced.
    try folder.write([1], to: "image.png")
    try image.write(to: file)
    #expect(try ImageBuffer(contentsOf: file) == image)
  }

  @Test func `a JPEG is close to the image, and refuses 16 bits`() throws {
    let image = try ImageBuffer(contentsOf: TestImages.url("photo-64.jpg"))
    let file = folder.url("image.jpg")
    try image.write(to: file, as: .jpeg(JPEGSettings(quality: 95, sampling: .s444)))
    let difference = try ImageDifference(image, ImageBuffer(contentsOf: file))
    #expect(difference.maximum < 24 && difference.mean < 2)
    let deep = ImageBuffer(PixelBuffer<UInt16>(image))
    let error = #expect(throws: ImageFileError.self) {
      try deep.write(to: file, as: .jpeg(JPEGSettings(quality: 95)))
    }
    #expect(error?.path == file.path && error?.underlying is CodecError)
    // The earlier file is still there.
    #expect(try ImageBuffer(contentsOf: file).size == image.size)
  }

  @Test func `pixels have the orientation and the profile of the file`() throws {
    for entry in try TestImages.inputs() where entry.name.hasSuffix(".jpg") {
      let file = URL(filePath: entry.filePath)
      let source = try ImageSource(FileBytes(entry.bytes()))
      let pixels = try PixelBuffer<UInt16>(contentsOf: file)
      #expect(pixels == (try Renderer.pixels(of: source)), "\(entry)")
      let copy = folder.url("copy.png")
      try pixels.write(to: copy)
      let read = try PixelBuffer<UInt16>(contentsOf: copy)
      #expect(read.samples == pixels.samples, "\(entry)")
      #expect(read.colorSpace.icc == pixels.colorSpace.icc, "\(entry)")
    }
  }

  @Test func `a missing file and a profile in a JPEG are errors with their paths`() throws {
    let none = folder.url("none.jpg")
    let missing = #expect(throws: ImageFileError.self) { try ImageBuffer(contentsOf: none) }
    #expect(missing?.failureClass == .missing && missing?.path == none.path)
    #expect(missing?.description.contains(none.path) == true)
    let text = URL(filePath: try folder.write(Array("text".utf8), to: "a.jpg"))
    #expect(throws: ImageFileError.self) { try PixelBuffer<UInt8>(contentsOf: text) }
    let pixels = PixelBuffer<UInt8>(
      size: PixelSize(width: 1, height: 1), channels: .rgb,
      colorSpace: PixelColorSpace(name: "own", icc: [1]), filledWith: 0)
    let error = #expect(throws: ImageFileError.self) {
      try pixels.write(to: none, as: .jpeg(JPEGSettings(quality: 90)))
    }
    #expect(error?.description.contains("is in sRGB; write a PNG") == true)
    #expect(!FileManager.default.fileExists(atPath: none.path))
  }
}

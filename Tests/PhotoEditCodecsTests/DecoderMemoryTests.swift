// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditCodecs

/// The memory that a decoder takes in a process of its own, beside what it requests.
@Suite(
  "Measured memory of decoders", .serialized,
  .enabled(if: Allocations.areCounted, "a sanitizer keeps freed memory"))
struct DecoderMemoryTests {
  /// An image in a format, and a tiny one that loads what the first needs.
  private struct Subject {
    let name: String
    let large: [UInt8]
    let tiny: [UInt8]

    init(_ name: String, _ file: (_ scale: Int) throws -> [UInt8]) rethrows {
      (self.name, large, tiny) = (name, try file(100), try file(1))
    }
  }

  #if TIFF
    private static func tiff(
      _ scale: Int, _ change: (inout TIFFFixture) -> Void
    ) -> [UInt8] {
      var file = TIFFFixture()
      (file.width, file.height) = (32 * scale, 32 * scale)
      file.rowsPerStrip = file.height
      change(&file)
      return file.file([UInt8](repeating: 90, count: file.bytesPerRow * file.height))
    }
  #endif

  private static func subjects() throws -> [Subject] {
    var subjects: [Subject] = []
    #if TIFF
      subjects += [
        Subject("strip.tif") { tiff($0) { _ in } },
        Subject("tile.tif") { scale in tiff(scale) { $0.tile = 32 * scale } },
        Subject("planes.tif") { scale in
          tiff(scale) { ($0.tile, $0.isSeparate) = (32 * scale, true) }
        },
        Subject("deflate.tif") { scale in
          tiff(scale) { ($0.tile, $0.compression) = (32 * scale, 8) }
        },
        Subject("luma.tif") { scale in
          tiff(scale) { ($0.photometric, $0.compression, $0.tile) = (6, 7, 32 * scale) }
        },
      ]
    #endif
    #if GIF
      subjects += [false, true].map { isInterlaced in
        Subject(isInterlaced ? "interlaced.gif" : "rows.gif") { scale in
          let (width, height) = (30 * scale, 20 * scale)
          let indices = [UInt8](repeating: 1, count: width * height)
          return GIFFixture(
            width: width, height: height, palette: [0, 0, 0, 250, 9, 8],
            frames: [
              .init(width: width, height: height, indices: indices, isInterlaced: isInterlaced)
            ]
          ).build()
        }
      }
    #endif
    #if WebP
      subjects.append(Subject("flat.webp") { LosslessWebP.flat(width: 40 * $0, height: 30 * $0) })
    #endif
    #if RAW
      subjects.append(Subject("sensor.dng") { ImageFile.dng(width: 40 * $0, height: 30 * $0) })
    #endif
    #if HEIF
      if CodedPicture.isPossible {
        for (codec, bits) in [("hevc", 8), ("hevc", 10), ("av1", 8), ("av1", 10)] {
          subjects.append(
            try Subject("\(codec)-\(bits)") { scale in
              let side = max(64, 18 * scale)
              let settings = CodedPicture.Settings().with {
                ($0.codec, $0.bits, $0.width, $0.height) = (codec, bits, side, side)
                $0.chroma = [1, 1]
              }
              let planes = settings.planeSizes.map {
                [Int](repeating: 99, count: $0.width * $0.height)
              }
              return HEIFFile(try CodedPicture(settings, planes: planes)).bytes
            })
        }
      }
    #endif
    return subjects
  }

  /// Decodes the large image of a folder and writes the requested and the taken number of bytes.
  private static func measure(_ folder: String) throws {
    let options = DecoderOptions(sandbox: .off)
    try ImageDecoders.open(FileBytes.reading(folder + "/tiny"), options: options).readToEnd()
    let bytes = try FileBytes.reading(folder + "/large")
    // The pages of a mapped file count as soon as they are read.
    _ = bytes.buffer.reduce(0, &+)
    let before = try ProcessMemory.peak()
    let decoder = try ImageDecoders.open(bytes, options: options)
    let requested = decoder.workingBytes + 16 * decoder.bytesPerRow
    try decoder.readToEnd()
    let text = "\(requested) \(try ProcessMemory.peak() - before)"
    try StagedFile.write(Array(text.utf8), to: folder + "/result")
  }

  @Test func `each decoder takes what it requests, and requests at most half as much again`()
    async throws
  {
    for subject in try Self.subjects() {
      let folder = try TemporaryFolder()
      try #require(!subject.large.isEmpty, "\(subject.name)")
      try folder.write(subject.large, to: "large")
      try folder.write(subject.tiny, to: "tiny")
      setenv("PHOTOEDIT_TEST_FOLDER", folder.path, 1)
      await #expect(processExitsWith: .success, "\(subject.name)") {
        try Self.measure(try #require(getenv("PHOTOEDIT_TEST_FOLDER").map { String(cString: $0) }))
      }
      let result = String(
        decoding: try FileBytes.reading(folder.path("result")).array, as: UTF8.self)
      let numbers = result.split(separator: " ").compactMap { Int($0) }
      try #require(numbers.count == 2)
      let (requested, taken) = (numbers[0], numbers[1])
      // Stacks of threads, tables, and the constant part of each request.
      let slack = 10 << 20
      #expect(taken <= requested + slack / 2, "\(subject.name): \(result)")
      #expect(requested <= taken + taken / 2 + slack, "\(subject.name): \(result)")
    }
  }
}

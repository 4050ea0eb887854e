// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditStorage
import PhotoEditTestSupport
import PhotoEditTesting
import Testing

@testable import PhotoEditRendering

@Suite("Golden images")
struct GoldenTests {
  /// Listed here, so that a missing folder also fails.
  static let names = [
    "alpha-over-background", "black-and-white", "crop-rotate-resize-vignette", "landscape-masks",
    "look-chrome", "look-fade", "look-instant", "look-mono", "look-noir", "look-process",
    "look-tonal", "look-transfer", "lut-grade", "orientation", "perspective-correction",
    "portrait-grade", "portrait-tone", "ramp-16-curve", "watermarked-export",
  ]

  @Test func `the folder contains exactly these goldens`() throws {
    #expect(try Golden.names() == Self.names)
  }

  @Test(arguments: names, [(threads: 1, strip: 64), (threads: 3, strip: 5)])
  func `an edit renders the recorded image`(
    name: String, run: (threads: Int, strip: Int)
  ) throws {
    let golden = try Golden(name)
    var options = RenderOptions()
    options.threads = run.threads
    options.stripHeight = run.strip
    let raster = try Self.raster(golden, options)
    let image = raster.image(bytesPerSample: golden.image.layout.bytesPerSample)
    let check = try golden.check(size: raster.size, planes: raster.planes, image: image)
    _ = check?.expect(#_sourceLocation)
  }

  @Test(arguments: names)
  func `a golden is adjustment data of its input`(name: String) throws {
    let golden = try Golden(name)
    let graph = try FilterGraph(json: golden.graph)
    #expect(graph.blockingReasons.isEmpty && !graph.isEmpty)
    let input = try Charts.source(named: golden.record.input)
    #expect(graph.source == input.identity)
    #expect(Array((graph.prettyPrinted + "\n").utf8) == golden.graph)
    #expect(golden.record.engine == Renderer.semanticsVersion)
    #expect(ToleranceClass(rawValue: golden.record.tolerance) != nil)
    #expect(golden.image.size.longEdge <= 256 && !golden.record.purpose.isEmpty)
  }

  @Test(arguments: names)
  func `a recorded image matches its digest`(name: String) throws {
    let golden = try Golden(name)
    let raster = try Self.raster(golden, RenderOptions())
    let digest = Golden.digest(size: raster.size, planes: raster.planes).hex
    let image = raster.image(bytesPerSample: golden.image.layout.bytesPerSample)
    // If another library computes powers, neither matches the recording.
    #expect(golden.record.rasters.contains(digest) == (image == golden.image))
  }

  /// Defects of a realistic size; a golden that accepted them would prove nothing.
  @Test(arguments: names, [3.0 / 255, -40.0 / 255])
  func `a wrong image fails and the position is named`(name: String, error: Double) throws {
    let folder = try TemporaryFolder()
    let golden = try Self.copy(of: name, in: folder)
    let raster = try Self.raster(golden, RenderOptions())
    var planes = raster.planes
    // Towards the middle of the range, so that clamping does not hide it.
    let i = planes[0].count / 2 + raster.size.width / 2
    planes[0][i] += planes[0][i] > 0.5 ? -Float(abs(error)) : Float(abs(error))
    let wrong = Raster(size: raster.size, planes: planes)
    let image = wrong.image(bytesPerSample: golden.image.layout.bytesPerSample)
    let check = try #require(
      try golden.check(size: wrong.size, planes: planes, image: image, environment: [:]))
    let failure = try #require(check.failure())
    #expect(failure.message.contains("largest difference is"))
    #expect(failure.message.contains("run golden-recorder \(name)"))
    #expect(failure.images.map(\.kind) == ["expected", "actual", "difference"])
    for kind in ["candidate", "difference.candidate"] {
      let path = folder.path("\(name)/golden.\(kind).png")
      #expect(failure.message.contains(path))
      let written = try ImageDecoders.decode(
        FileBytes([UInt8](Data(contentsOf: URL(filePath: path)))))
      #expect(written.size == golden.image.size)
    }
  }

  @Test func `an image of another size or depth fails`() throws {
    let folder = try TemporaryFolder()
    let golden = try Self.copy(of: "black-and-white", in: folder)
    let size = PixelSize(width: 2, height: 2)
    let image = ImageBuffer(size: size, layout: RowLayout(channels: .rgb))
    let check = try golden.check(
      size: size, planes: [[0, 0, 0, 0]], image: image, environment: [:])
    #expect(check?.failure()?.message.contains("2×2 rgb of 8 bits instead of") == true)
  }

  @Test(arguments: ["graph.json", "golden.json", "golden.png"])
  func `a golden with a missing file fails`(file: String) throws {
    let folder = try TemporaryFolder()
    let copy = try Self.copy(of: "black-and-white", in: folder).folder
    try FileManager.default.removeItem(atPath: "\(copy)/\(file)")
    #expect(throws: Golden.Missing(golden: "black-and-white", file: file)) {
      try Golden("black-and-white", in: folder.path)
    }
  }

  @Test func `every file of a golden is in the manifest with its digest`() throws {
    let entries = try TestImages.manifest().filter { $0.path.hasPrefix("goldens/") }
    let files = try TestImages.filesOnDisk().filter { $0.hasPrefix("goldens/") }
    #expect(entries.map(\.path) == files)
    for entry in entries {
      #expect(entry.origin == "recorded by Tools/golden-recorder")
      #expect(try entry.sha256 == TestImages.sha256(entry.path), "\(entry.path)")
    }
  }

  /// Copies a golden, so that its candidates are written elsewhere.
  private static func copy(of name: String, in folder: TemporaryFolder) throws -> Golden {
    try FileManager.default.copyItem(atPath: "\(Golden.root)/\(name)", toPath: folder.path(name))
    return try Golden(name, in: folder.path)
  }

  private static func raster(_ golden: Golden, _ options: RenderOptions) throws -> Raster {
    try Renderer.raster(
      Charts.source(named: golden.record.input), FilterGraph(json: golden.graph),
      options: options)
  }
}

// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditRendering

/// A rotated JPEG that is read by columns has the bytes of one that is kept as a whole.
@Suite("Rotation by columns", .seeded)
struct RotatedColumnTests {
  /// Samplings of color images, and a gray image.
  static let samplings: [ChromaSampling?] = [.s444, .s422, .s420, .s440, .s411, nil]

  private static func jpeg(
    _ sampling: ChromaSampling?, _ size: PixelSize, restartInterval: Int = 0,
    segments: [JPEGSegment] = []
  ) throws -> [UInt8] {
    let key = "\(String(describing: sampling)) \(size) \(restartInterval)"
    if let made = made.withLock({ $0[key] }) { return ProfiledFiles.jpeg(made, adding: segments) }
    let settings = JPEGSettings(quality: 92)
    let jpeg = try JPEGs.encode(
      JPEGs.waves(size.width, size.height, sampling == nil ? .gray : .rgb), luma: settings.luma,
      chroma: settings.chroma, sampling: sampling ?? .s444)
    let recoded = try JPEGRecoding.recode(jpeg.array, restartInterval: restartInterval)
    made.withLock { $0[key] = recoded }
    return ProfiledFiles.jpeg(recoded, adding: segments)
  }

  /// The images made so far, which many cases share.
  private static let made = LockedValue<[String: [UInt8]]>([:])

  private static func options(
    byColumns: Bool, threads: Int = 2, isLenient: Bool = false, allowsCoefficients: Bool = true
  ) -> RenderOptions {
    var options = RenderOptions()
    options.mostBytesKept = byColumns ? 0 : .max
    options.threads = threads
    options.isLenient = isLenient
    options.allowsCoefficients = allowsCoefficients
    return options
  }

  /// Compares renderings by columns with one of the whole image.
  private static func check(
    _ image: ImageSource, _ chain: [any Filter], allowsCoefficients: Bool = true,
    _ label: @autoclosure () -> String
  ) throws {
    let graph = try FilterGraph(chain)
    let whole = try Renderer.render(
      image, graph, options: options(byColumns: false, allowsCoefficients: allowsCoefficients))
    for threads in [1, 2] {
      let options = options(
        byColumns: true, threads: threads, allowsCoefficients: allowsCoefficients)
      let isEqual = try Renderer.render(image, graph, options: options) == whole
      #expect(isEqual, "\(label()), \(threads) threads")
    }
  }

  /// Widths and heights that end within an MCU, and at one.
  static let sizes = [
    PixelSize(width: 288, height: 160), PixelSize(width: 301, height: 275),
    PixelSize(width: 17, height: 129), PixelSize(width: 260, height: 5),
  ]

  @Test(arguments: samplings, [0, 5])
  func `rotations without loss have the same bytes`(
    sampling: ChromaSampling?, restartInterval: Int
  ) throws {
    for (number, size) in Self.sizes.enumerated() {
      let image = try ImageSource(
        FileBytes(Self.jpeg(sampling, size, restartInterval: restartInterval)))
      for orientation in Orientation.allCases.some(number) {
        try Self.check(image, [Orient(orientation)], "\(size), \(orientation)")
      }
    }
  }

  @Test(arguments: samplings, Orientation.allCases.filter { $0 != .up })
  func `crops before a rotation without loss have the same bytes`(
    sampling: ChromaSampling?, orientation: Orientation
  ) throws {
    let image = try ImageSource(FileBytes(Self.jpeg(sampling, PixelSize(width: 640, height: 384))))
    let crop = Crop(x: 0.05, y: 1.0 / 12, width: 0.75, height: 0.75)
    let graph = try FilterGraph([crop, Orient(orientation)])
    #expect(try Renderer.outline(image, graph).method == .coefficients)
    try Self.check(image, [crop, Orient(orientation)], "color")
    let odd = Crop(x: 0.0125, y: 1.0 / 48, width: 0.7, height: 0.5)
    try Self.check(image, [odd, Orient(orientation), Grayscale(.luma601)], "gray")
  }

  static let chains: [[any Filter]] = [
    [], [Exposure(ev: 0.4)], [Crop(x: 0.21, y: 0.3, width: 0.55, height: 0.41), Saturate(1.3)],
    [UnsharpMask(sigma: 1, amount: 1)], [Resize(width: 77)],
    [Exposure(ev: 0.2), Straighten(angle: 4)], [GaussianBlur(sigma: 20)],
  ]

  @Test(arguments: samplings, Orientation.allCases.filter(\.swapsAxes))
  func `rotations before filters have the same bytes`(
    sampling: ChromaSampling?, orientation: Orientation
  ) throws {
    for size in Self.sizes.some(Int(orientation.rawValue)) {
      let image = try ImageSource(FileBytes(Self.jpeg(sampling, size)))
      for chain in Self.chains {
        try Self.check(
          image, [Orient(orientation)] + chain, allowsCoefficients: false,
          "\(size), \(chain.count) filters")
      }
    }
  }

  @Test(arguments: [.s420, .s444] as [ChromaSampling], [0, 3])
  func `rasters and strips of any height are equal`(
    sampling: ChromaSampling, restartInterval: Int
  ) throws {
    let size = PixelSize(width: 301, height: 275)
    let image = try ImageSource(
      FileBytes(Self.jpeg(sampling, size, restartInterval: restartInterval)))
    for orientation in [Orientation.right, .left] {
      let graph = try FilterGraph([Orient(orientation), Gamma(power: 1.2)])
      let whole = try Renderer.raster(image, graph, options: Self.options(byColumns: false))
      for height in [nil, 1, 7, 64, 200] {
        var options = Self.options(byColumns: true)
        options.stripHeight = height
        let isEqual = try Renderer.raster(image, graph, options: options) == whole
        #expect(isEqual, "\(orientation), strips of \(height ?? 0) rows")
      }
    }
  }

  @Test func `thumbnails and metadata are the same`() throws {
    for name in ["photo-1024.jpg", "orientation-6.jpg", "orientation-8.jpg", "photo-portrait.jpg"] {
      let image = try Charts.source(named: name)
      for chain in [[Rotate90(turns: 1)], [Rotate90(turns: 2)], [Rotate90(turns: 3)]] {
        try Self.check(image, chain, name)
        try Self.check(image, chain + [Gamma(power: 1.1)], name)
      }
    }
    let thumbnails = try TestImages.inputs().filter { $0.path.hasSuffix(".jpg") }
      .map { try ImageSource(FileBytes($0.bytes())) }
      .filter { $0.metadata.hasThumbnail }
    #expect(!thumbnails.isEmpty)
    for image in thumbnails { try Self.check(image, [Rotate90(turns: 1)], "thumbnail") }
  }

  /// A rendering, or the description of the error.
  private enum Outcome: Equatable {
    case rendering(Rendering)
    case error(String)
  }

  private static func outcome(
    _ image: ImageSource, _ graph: FilterGraph, _ options: RenderOptions
  ) -> Outcome {
    do throws(RenderError) {
      return .rendering(try Renderer.render(image, graph, options: options))
    } catch {
      return .error("\(error)")
    }
  }

  @Test(arguments: [0, 4], [[], [Exposure(ev: 0.3)]] as [[any Filter]])
  func `damaged and truncated files give the same bytes, notices and errors`(
    restartInterval: Int, chain: [any Filter]
  ) throws {
    let jpeg = try Self.jpeg(
      .s420, PixelSize(width: 160, height: 112), restartInterval: restartInterval)
    let scan = try #require(
      jpeg.indices.dropLast().first { jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xDA })
    var numbers = SeededNumbers(31 + restartInterval)
    var failures = 0
    for round in 0..<SeededNumbers.cases(60) {
      var damaged = jpeg
      let offset = scan + 14 + numbers.below(jpeg.count - scan - 14)
      switch numbers.below(5) {
      case 0: damaged.removeSubrange(offset...)
      case 1: damaged.insert(UInt8(numbers.below(256)), at: offset)
      case 2: damaged.remove(at: offset)
      case 3: damaged += (0...numbers.below(40)).map { _ in UInt8(numbers.below(256)) }
      default: damaged[offset] ^= 1 << UInt8(numbers.below(8))
      }
      let image = try ImageSource(FileBytes(damaged))
      let graph = try FilterGraph([Rotate90(turns: round % 2 * 2 + 1)] + chain)
      for isLenient in [false, true] {
        let whole = Self.outcome(
          image, graph, Self.options(byColumns: false, isLenient: isLenient))
        let columns = Self.outcome(
          image, graph, Self.options(byColumns: true, isLenient: isLenient))
        let isEqual = whole == columns
        #expect(isEqual, "round \(round), place \(offset), lenient \(isLenient)")
        if case .error = whole { failures += 1 }
      }
    }
    #expect(failures > SeededNumbers.cases(10))
  }

  @Test(arguments: [[], [Exposure(ev: 0.3)]] as [[any Filter]])
  func `a rotation by columns can be cancelled`(chain: [any Filter]) throws {
    let image = try ImageSource(FileBytes(Self.jpeg(.s420, PixelSize(width: 640, height: 500))))
    let graph = try FilterGraph([Rotate90(turns: 1)] + chain)
    for count in [0, 3, 7] {
      let calls = LockedValue(0)
      var options = Self.options(byColumns: true)
      options.stripHeight = 8
      options.isCancelled = {
        calls.withLock { calls in
          calls += 1
          return calls > count
        }
      }
      #expect(Self.outcome(image, graph, options) == .error("\(RenderError.cancelled)"))
    }
  }

  @Test(arguments: [[], [Exposure(ev: 0.3)]] as [[any Filter]])
  func `a large image that is rotated needs less memory than its samples`(
    chain: [any Filter]
  ) throws {
    var image = ImageBuffer(
      size: PixelSize(width: 6000, height: 4000), layout: RowLayout(channels: .rgb))
    for index in stride(from: 0, to: image.bytes.count, by: 97) { image.bytes[index] = 200 }
    let source = try Charts.source(image, settings: JPEGSettings(quality: 60, sampling: .s420))
    let graph = try FilterGraph([Rotate90(turns: 1)] + chain)
    var options = RenderOptions()
    options.threads = 2
    let columns = try Renderer.outline(source, graph, options: options)
    options.mostBytesKept = .max
    let whole = try Renderer.outline(source, graph, options: options)
    #expect(columns.memory.total - columns.memory.result < 36 << 20)
    #expect(whole.memory.total - whole.memory.result > 72 << 20)
  }
}

// SPDX-License-Identifier: Apache-2.0
import CPhotoEditSystem
import PhotoEditPixels
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditCodecs

@Suite("Decoding in a confined process")
struct ConfinedDecoderTests {
  /// Options that require a confined process, which the built program becomes.
  static func options(
    limits: ImageLimits = Decoding.small,
    _ change: (inout DecoderProgram.Configuration) -> Void = { _ in }
  ) -> DecoderOptions {
    var options = DecoderOptions(limits: limits, sandbox: .require)
    var program = DecoderProgram.Configuration(path: BuiltProgram.path)
    change(&program)
    options.program = program
    return options
  }

  /// A file of each format, and variants that take another way through the decoders.
  static func files() throws -> [(name: String, bytes: [UInt8])] {
    var files: [(name: String, bytes: [UInt8])] = []
    #if GIF
      files.append(("gif", gif(width: 90, height: 41)))
    #endif
    #if WebP
      let picture = TestImage.make(70, 53, .rgba)
      files.append(("lossless webp", WebPFixture.simple(picture)))
      files.append(("lossy webp", WebPFixture.simple(picture, quality: 60)))
    #endif
    #if TIFF
      let deep = TIFFFixture(width: 61, height: 300, bits: 16)
      files.append(("tiff of 16 bits", deep.file(deep.sampleRows)))
      let cmyk = TIFFFixture(samples: 4, photometric: 5)
      files.append(("tiff of four cmyk", cmyk.file(cmyk.sampleRows)))
    #endif
    #if RAW
      let photo = RawPhoto(width: 64, height: 48)
      files.append(("raw", photo.bytes { x, y in [Double(x) / 64, 0.5, Double(y) / 48] }))
    #endif
    #if HEIF
      if CodedPicture.isPossible {
        for isAV1 in [false, true] {
          let settings = CodedPicture.Settings().with { $0.codec = isAV1 ? "av1" : "hevc" }
          files.append((isAV1 ? "avif" : "heic", HEIFFile(try .make(settings)).bytes))
        }
        let settings = CodedPicture.Settings().with { ($0.bits, $0.color) = (10, [9, 16, 9]) }
        files.append(("heic in HDR", HEIFFile(try .make(settings)).bytes))
      }
    #endif
    return files
  }

  /// A image of as many rows as several slots have.
  private static func gif(width: Int, height: Int) -> [UInt8] {
    let indices = (0..<width * height).map { UInt8($0 % 7 % 4) }
    return GIFFixture(
      width: width, height: height, palette: [0, 0, 0, 250, 9, 8, 1, 250, 3, 2, 4, 250],
      frames: [.init(width: width, height: height, indices: indices)]
    ).build()
  }

  @Test func `pixels, headers, notices and errors are those of this process`() throws {
    for (name, whole) in try Self.files() {
      let variants = [whole, Array(whole.dropLast(whole.count / 3)), Array(whole.prefix(40))]
      for (bytes, isLenient) in variants.flatMap({ [($0, false), ($0, true)] }) {
        var confined = Self.options()
        var own = DecoderOptions(limits: Decoding.small, sandbox: .off)
        (confined.isLenient, own.isLenient) = (isLenient, isLenient)
        for rows in [1, 24, 1000] {
          let expected = Decoding.decode(bytes, options: own, rowsAtOnce: rows)
          let found = Decoding.decode(bytes, options: confined, rowsAtOnce: rows)
          #expect(found == expected, "\(name), \(bytes.count) bytes, \(isLenient), \(rows) rows")
        }
        let expected = try? ImageDecoders.open(FileBytes(bytes), options: own)
        let found = try? ImageDecoders.open(FileBytes(bytes), options: confined)
        #expect((found == nil) == (expected == nil), "\(name)")
        guard let expected, let found else { continue }
        #expect(found is ConfinedDecoder && !(expected is ConfinedDecoder))
        #expect(found.header == expected.header, "\(name)")
        #expect(found.workingBytes == expected.workingBytes, "\(name)")
        #expect(found.heldBytes == expected.heldBytes, "\(name)")
      }
    }
  }

  @Test func `images of many slots arrive in order`() throws {
    let bytes = Self.gif(width: 1000, height: 900)
    let expected = try ImageDecoders.decode(FileBytes(bytes), options: .init(sandbox: .off))
    let found = try ImageDecoders.decode(
      FileBytes(bytes), options: Self.options(limits: ImageLimits()))
    #expect(expected.bytes == found.bytes)
  }

  @Test func `several threads decode at once`() throws {
    let files = try Self.files()
    let expected = files.map {
      Decoding.decode($0.bytes, options: .init(limits: Decoding.small, sandbox: .off))
    }
    let different = LockedValue<[String]>([])
    ThreadGroup.run(4) {
      for (file, expected) in zip(files, expected) {
        guard Decoding.decode(file.bytes, options: Self.options()) != expected else { continue }
        different.withLock { $0.append(file.name) }
      }
    }
    #expect(different.withLock { $0 }.isEmpty)
  }

  @Test func `a decoder that is dropped early does not disturb the next one`() throws {
    let bytes = FileBytes(Self.gif(width: 500, height: 900))
    let options = Self.options()
    let expected = try ImageDecoders.decode(bytes, options: .init(sandbox: .off))
    for rows in [0, 1, 300] {
      do {
        let decoder = try ImageDecoders.open(bytes, options: options)
        var memory = [UInt8](repeating: 0, count: decoder.bytesPerRow * max(1, rows))
        if rows > 0 {
          #expect(
            try decoder.readRows(rows, into: &memory, bytesPerRow: decoder.bytesPerRow) == rows)
        }
      }
      #expect(try ImageDecoders.decode(bytes, options: options).bytes == expected.bytes)
    }
  }

  @Test func `cancellation ends it between rows`() throws {
    let isCancelled = LockedValue(false)
    var options = Self.options()
    options.isCancelled = { isCancelled.withLock { $0 } }
    let decoder = try ImageDecoders.open(
      FileBytes(Self.gif(width: 500, height: 900)), options: options)
    var row = [UInt8](repeating: 0, count: decoder.bytesPerRow)
    #expect(try decoder.readRows(1, into: &row, bytesPerRow: row.count) == 1)
    isCancelled.withLock { $0 = true }
    for _ in 0..<2 {
      #expect(throws: CodecError.cancelled) {
        try decoder.readRows(1, into: &row, bytesPerRow: row.count)
      }
    }
  }

  @Test func `an image whose header was read is not opened again for its pixels`() throws {
    let bytes = FileBytes(Self.gif(width: 500, height: 900))
    let options = Self.options { $0.timeout = 58 }
    let expected = try ImageDecoders.decode(bytes, options: .init(sandbox: .off))
    func check(_ number: Int, _ options: DecoderOptions) throws {
      #expect(try ImageDecoders.decode(bytes, options: options).bytes == expected.bytes)
      let process = try #require(try DecoderProcess.ready(for: "gif", options))
      #expect(process.picture == number)
      process.rest()
    }
    _ = try ImageDecoders.open(bytes, options: options).header
    _ = try ImageDecoders.open(bytes, options: options).header
    try check(1, options)
    _ = try ImageDecoders.open(bytes, options: options).header
    var lenient = options
    lenient.isLenient = true
    try check(3, lenient)
  }

  @Test func `an image that is read again is decoded once`() throws {
    let kept: Set = ["raw", "heic", "avif", "heic in HDR"]
    for (name, bytes) in try Self.files() {
      let file = FileBytes(bytes)
      let library = try #require(DecoderLibrary(try ImageFormat.detect(file.buffer)))
      var options = Self.options { $0.timeout = 56 }
      let expected = try ImageDecoders.decode(file, options: .init(sandbox: .off))
      /// The number of the image in the process after a reading.
      func reading(again: Bool) throws -> Int {
        options.readsAgain = again
        #expect(try ImageDecoders.decode(file, options: options).bytes == expected.bytes, "\(name)")
        let process = try #require(
          try DecoderProcess.ready(for: library.rawValue, options, file: file))
        defer { process.rest() }
        return process.picture
      }
      let first = try reading(again: true)
      let isKept = kept.contains(name)
      for again in [true, false] {
        #expect(try reading(again: again) == first || !isKept, "\(name)")
      }
      #expect(try reading(again: false) > first, "\(name)")
    }
  }

  @Test func `an image whose file is no longer used is given up`() throws {
    for (name, bytes) in try Self.files() where name == "raw" {
      var options = Self.options { $0.timeout = 55 }
      options.readsAgain = true
      for _ in 0..<2 {
        _ = try ImageDecoders.decode(FileBytes(bytes), options: options)
        let process = try #require(try DecoderProcess.ready(for: "raw", options))
        #expect(process.held != nil)
        process.rest()
        #expect(process.held == nil)
      }
    }
  }

  @Test func `a file that is open does not keep others waiting for a process`() throws {
    let files = (1...ThreadGroup.cores + 3).map { FileBytes(Self.gif(width: $0 + 9, height: 9)) }
    let options = Self.options { $0.timeout = 57 }
    for _ in 0..<2 {
      for file in files { _ = try ImageDecoders.open(file, options: options).header }
      for file in files {
        let expected = try ImageDecoders.decode(file, options: .init(sandbox: .off))
        #expect(try ImageDecoders.decode(file, options: options).bytes == expected.bytes)
      }
    }
  }

  #if RAW
    @Test func `the preview of a raw file is that of this process`() throws {
      var photo = RawPhoto(width: 400, height: 300)
      photo.preview = try TestImages.inputs().first { $0.name == "photo-64.jpg" }?.bytes()
      photo.previewSize = (64, 48)
      let bytes = FileBytes(photo.bytes { _, _ in [0.5, 0.5, 0.5] })
      let options = Self.options()
      let process = try #require(try DecoderProcess.ready(for: "raw", options))
      let found = try process.preview(of: bytes, options)
      let expected = RawPreview.storedHere(in: bytes, limits: options.limits)
      #expect(found?.jpeg == expected?.jpeg && found?.flip == expected?.flip)
      #expect(found?.jpeg.count ?? 0 > 100)
    }
  #endif

  // MARK: Policy

  @Test func `without a program, only the policy that requires one refuses`() throws {
    let bytes = FileBytes(Self.gif(width: 9, height: 9))
    for path in [nil, "/nonexistent/photoedit", "/bin/true", "/bin/cat"] {
      let options = Self.options { $0.path = path }
      #expect {
        try ImageDecoders.open(bytes, options: options)
      } throws: {
        guard case .notConfined = $0 as? CodecError else { return false }
        return true
      }
      var lenient = options
      lenient.sandbox = .auto
      #expect(try ImageDecoders.open(bytes, options: lenient) is GIFDecoder)
    }
  }

  @Test func `JPEG and PNG need no confined process`() throws {
    for name in ["photo-64.jpg", "png-rgb-8.png"] {
      let input = try #require(try TestImages.inputs().first { $0.name == name })
      let options = Self.options { $0.path = nil }
      #expect(try ImageDecoders.decode(FileBytes(input.bytes()), options: options).bytes.count > 0)
    }
  }

  @Test(arguments: [true, false])
  func `all that a confined process must not do is refused, with and without Landlock`(
    usesLandlock: Bool
  ) throws {
    var program = DecoderProgram.Configuration(path: BuiltProgram.path)
    program.usesLandlock = usesLandlock
    let attempts = try DecoderProgram.attempts(program)
    #expect(attempts.count >= 8)
    for (action, error) in attempts { #expect(error == EPERM || error == EACCES, "\(action)") }
    let confinement = try DecoderProcess.start("gif", program).confinement
    #expect(confinement.filtersCalls)
    if !usesLandlock { #expect(confinement.landlock == 0) }
  }

  @Test func `this process is permitted what a confined one is not`() {
    // Otherwise the attempts would show nothing; those that would change this process are left out.
    for index in [0, 3, 7, 9] as [Int32] { #expect(pe_attempt(index) == 0, "\(index)") }
  }

  @Test func `a process that ends while it is idle is replaced`() throws {
    let bytes = FileBytes(Self.gif(width: 9, height: 9))
    let options = Self.options { $0.timeout = 59 }
    for _ in 0..<3 {
      _ = try ImageDecoders.decode(bytes, options: options)
      let idle = try #require(try DecoderProcess.ready(for: "gif", options))
      #expect(idle.picture > 0)
      kill(idle.process, SIGKILL)
      while idle.isSilent { usleep(1000) }
      idle.rest()
    }
    _ = try ImageDecoders.decode(bytes, options: options)
  }
}

// SPDX-License-Identifier: Apache-2.0
#if GIF
  import CPhotoEditSystem
  import PhotoEditPixels
  import PhotoEditPlatform
  import PhotoEditStorage
  import PhotoEditTestSupport
  import Testing

  @testable import PhotoEditCodecs

  @Suite("Hostile decoders", .seeded)
  struct HostileDecoderTests {
    private static let file = GIFFixture(
      width: 4, height: 3, palette: [0, 0, 0, 255, 255, 255],
      frames: [.init(width: 4, height: 3, indices: [0, 1, 0, 1, 1, 1, 0, 0, 1, 0, 0, 1])]
    ).build()

    // MARK: A library in place of giflib

    @Test(
      .enabled(if: HostileLibrary.compiler != nil, "no C compiler is installed"),
      arguments: [
        ("*(volatile int *)8 = 1;", "crashed (SIGSEGV)"),
        ("abort();", "stopped"),
        ("while (malloc(1 << 26)) {} abort();", "stopped"),
        ("char *b = malloc(16); memset(b, 1, (size_t)1 << 30);", "crashed (SIGSEGV)"),
        ("for (volatile int i = 0;; i++) {}", "did not answer within 1 seconds"),
        ("for (;;) sleep(1);", "did not answer within 1 seconds"),
        ("_exit(0);", "exited"),
        // The socket stays open once the thread that waits for its end has begun to read it.
        ("close(3); for (;;) sleep(1);", "did not answer within 1 seconds or signal 9"),
        ("kill(getppid(), SIGKILL); raise(SIGKILL);", "signal 9"),
        ("write(3, \"hello\", 5); for (;;) sleep(1);", "invalid answer"),
      ])
    func `a library that fails is a refused image, and the next one succeeds`(
      action: String, reason: String
    ) throws {
      let folder = try TemporaryFolder()
      try HostileLibrary.build(action, in: folder)
      let path = try HostileLibrary.buildLauncher(in: folder)
      let limits = ImageLimits(maximumMemoryBytes: 64 << 20)
      let options = ConfinedDecoderTests.options(limits: limits) {
        // A busy machine needs seconds for a crash; only hanging ones are waited for in full.
        ($0.path, $0.timeout) = (path, reason.contains("did not answer") ? 1 : 60)
      }
      #expect {
        try ImageDecoders.decode(FileBytes(Self.file), options: options)
      } throws: {
        guard case .decoderFailed(let found) = $0 as? CodecError else { return false }
        return reason.split(separator: " or ").contains { found.contains($0) }
      }
      let next = ConfinedDecoderTests.options()
      #expect(try ImageDecoders.decode(FileBytes(Self.file), options: next).size.width == 4)
    }

    // MARK: A process that lies

    /// Lets another end of the socket answer, and returns the error of the decoder.
    private static func refusal(
      _ answers: [DecoderMessageWriter], descriptor: Int32 = -1
    ) throws -> CodecError? {
      var ends: [Int32] = [0, 0]
      let kind = Int32(SOCK_SEQPACKET.rawValue)
      try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
      // It is ended as the process that decodes.
      var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("sleep"), strdup("60"), nil]
      defer { for argument in arguments { free(argument) } }
      var process: pid_t = 0
      let unused = pe_start_process("/bin/sleep", &arguments, &process)
      try #require(unused >= 0)
      defer { close(unused) }
      var options = ConfinedDecoderTests.options { $0.path = "/nonexistent/\(ends[0])" }
      options.sandbox = .auto
      let configuration = try #require(options.program)
      DecoderProcess("gif", process, ends[0], configuration).rest()
      let (other, messages) = (ends[1], answers.map(\.bytes))
      let isAnswered = LockedValue(false)
      try #require(
        ThreadGroup.detach {
          var request = [UInt8](repeating: 0, count: DecoderMessage.capacity)
          var file: (first: Int32, second: Int32) = (-1, -1)
          _ = pe_receive_message(other, &request, request.count, &file.first, &file.second)
          close(file.first)
          for message in messages {
            _ = pe_send_message(other, message, message.count, descriptor, -1)
          }
          while pe_receive_message(
            other, &request, request.count, &file.first, &file.second) > 0
          { close(file.first) }
          close(other)
          isAnswered.change { $0 = true }
        })
      defer {
        // One that was not ended rests, and would wait for its next request.
        (try? DecoderProcess.ready(for: "gif", options))?.end()
        isAnswered.wait { $0 ? () : nil }
      }
      do throws(CodecError) {
        _ = try ImageDecoders.decode(FileBytes(Self.file), options: options)
        return nil
      } catch {
        return error
      }
    }

    private static func header(
      _ format: ImageFormat = .gif, picture: Int = 1, width: Int = 4, height: Int = 3,
      working: Int = 100, held: Int = 100
    ) -> DecoderMessageWriter {
      var message = DecoderMessageWriter(.header, picture: picture)
      // Field by field, since no header can have some of these sizes.
      message.write(format.rawValue)
      for number in [width, height, ChannelLayout.rgb.rawValue, 1] { message.write(number) }
      message.write(SourceColor.palette.rawValue)
      message.write(1)
      for flag in [false, false, false] { message.write(flag) }
      message.write(working)
      message.write(held)
      message.write([DecoderWarning]())
      return message
    }

    private static func message(
      _ answer: DecoderMessage.Answer, picture: Int = 1, _ numbers: Int...
    ) -> DecoderMessageWriter {
      var message = DecoderMessageWriter(answer, picture: picture)
      for number in numbers { message.write(number) }
      return message
    }

    @Test func `answers of a decoder that works are accepted`() throws {
      let good = [Self.header(), Self.message(.finished, 3, 0, 0)]
      #expect(try Self.refusal(good) == nil)
    }

    @Test func `false answers refuse the image`() throws {
      let (rows, finished) = (Self.message(.rows, 3), Self.message(.finished, 3, 0, 0))
      // A slot has 87 rows.
      let large = Self.header(width: 1000, height: 900)
      let lies: [[DecoderMessageWriter]] = [
        [Self.header(picture: 2)], [Self.header(.webp)], [Self.header(width: -1)],
        [Self.header(height: 0)], [Self.header(working: -5)], [Self.header(held: 101)],
        [Self.header(working: .max)], [rows], [finished], [Self.message(.ready, 1, 1)],
        [Self.header(), Self.message(.finished, picture: 2, 3, 0, 0)],
        [Self.header(), Self.message(.finished, 4, 0, 0)],
        [Self.header(), Self.message(.finished, 2, 0, 0)],
        [Self.header(), Self.message(.finished, -1, 0, 0)],
        [Self.header(), Self.message(.finished)],
        [Self.header(), rows], [Self.header(), rows, finished], [Self.header(), Self.header()],
        [Self.header(), Self.message(.finished, 3, 0, 1 << 40)],
        // Kept, although it was not asked to.
        [Self.header(), Self.message(.finished, 3, 1, 0)],
        [Self.header(), Self.message(.finished, 3, 0, 1, 5)],
        [large, Self.message(.rows, 88)], [large, Self.message(.rows, 86)],
        [large, Self.message(.rows, 87), Self.message(.rows, 87)],
        [large, Self.message(.finished, 900, 0, 0)], [large, Self.message(.finished, 87, 0, 0)],
        [Self.message(.failure, 99)], [Self.message(.failure, 2, 1 << 50)],
      ]
      for (index, lie) in lies.enumerated() {
        guard case .decoderFailed = try Self.refusal(lie) else {
          Issue.record("lie \(index) was believed")
          continue
        }
      }
      #expect(
        try Self.refusal([Self.header(width: 5000)])
          == .limitExceeded(.side, value: 5000, allowed: Decoding.small.maximumSide))
    }

    @Test func `descriptors that it sends are closed`() throws {
      let file = open("/dev/null", O_RDONLY)
      defer { close(file) }
      let before = try FileSystem.names(in: "/proc/self/fd").count
      for _ in 0..<50 { _ = try Self.refusal([Self.header(picture: 7)], descriptor: file) }
      // Other tests run at the same time, and have a few.
      #expect(try FileSystem.names(in: "/proc/self/fd").count < before + 40)
    }

    @Test func `no message of arbitrary bytes is trusted`() throws {
      var random = SeededNumbers(46)
      for _ in 0..<20_000 {
        let message = Self.header()
        let count = Int.random(in: 0...message.bytes.count, using: &random)
        var bytes = Array(message.bytes.prefix(count))
        for _ in 0..<3 where !bytes.isEmpty {
          let index = Int.random(in: bytes.indices, using: &random)
          bytes[index] = UInt8.random(in: 0...255, using: &random)
        }
        var reader = DecoderMessageReader(bytes[...])
        do throws(CodecError) {
          _ = try reader.number()
          _ = try reader.number()
          let header = try reader.header()
          #expect(header.size.width > 0 && header.size.height > 0)
          _ = try reader.notices()
        } catch {
          #expect(error == DecoderMessageReader.invalid)
        }
      }
    }
  }
#endif

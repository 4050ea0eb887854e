// SPDX-License-Identifier: Apache-2.0
import CPhotoEditAVCodec
import CPhotoEditSystem
import PhotoEditFilters
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditCodecs
@testable import PhotoEditVideo

@Suite(
  "Hostile decoders of videos",
  .enabled(if: Clips.isInstalled, "the program ffmpeg is not installed"))
struct HostileVideoTests {
  let clips: Clips
  let path: String

  init() throws {
    clips = try Clips()
    path = try clips.make("in.mov", "\(Clips.chart) \(Clips.h264)")
  }

  // MARK: A function in place of one of libavcodec

  @Test(
    .enabled(if: HostileLibrary.compiler != nil, "no C compiler is installed"),
    arguments: [
      ("*(volatile int *)8 = 1;", "crashed (SIGSEGV)"), ("abort();", "stopped"),
      ("while (malloc(1 << 28)) {} abort();", "stopped"),
      ("for (volatile int i = 0;; i++) {}", "did not answer within 1 seconds"),
      ("_exit(0);", "exited"), ("kill(getppid(), SIGKILL); raise(SIGKILL);", "signal 9"),
      ("write(3, \"hello\", 5); for (;;) sleep(1);", "invalid answer"),
    ])
  func `a library that fails is a refused video, and the next one succeeds`(
    action: String, reason: String
  ) throws {
    let folder = try TemporaryFolder()
    let launcher = try HostileLibrary.buildLauncher(
      replacing: "avcodec_send_packet", by: action, in: folder)
    let options = ConfinedVideoTests.options {
      ($0.path, $0.timeout) = (launcher, reason.contains("did not answer") ? 1 : 60)
    }
    #expect {
      try VideoFrames.poster(path, options)
    } throws: {
      guard case .decoderFailed(let found) = $0 as? VideoError else { return false }
      return found.contains(reason)
    }
    #expect(try VideoFrames.poster(path, ConfinedVideoTests.options()).size.width == 64)
  }

  // MARK: A process that lies

  /// Lets another end of the socket answer, and returns the error of the reader.
  private func refusal(_ answers: [DecoderMessageWriter]) throws -> VideoError? {
    var ends: [Int32] = [0, 0]
    try #require(socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &ends) == 0)
    var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("sleep"), strdup("60"), nil]
    defer { for argument in arguments { free(argument) } }
    var process: pid_t = 0
    let unused = pe_start_process("/bin/sleep", &arguments, &process)
    try #require(unused >= 0)
    defer { close(unused) }
    var options = ConfinedVideoTests.options { $0.path = "/nonexistent/\(ends[0])" }
    options.sandbox = .auto
    let configuration = try #require(options.program)
    DecoderProcess("video", process, ends[0], configuration).rest()
    let (other, messages) = (ends[1], answers.map(\.bytes))
    let isAnswered = LockedValue(false)
    try #require(
      ThreadGroup.detach {
        var request = [UInt8](repeating: 0, count: DecoderMessage.capacity)
        var file: (first: Int32, second: Int32) = (-1, -1)
        var index = 0
        while pe_receive_message(other, &request, request.count, &file.first, &file.second) > 0 {
          close(file.first)
          guard index < messages.count else { break }
          _ = pe_send_message(other, messages[index], messages[index].count, -1, -1)
          index += 1
        }
        close(other)
        isAnswered.change { $0 = true }
      })
    defer {
      (try? DecoderProcess.ready(for: "video", options))?.end()
      isAnswered.wait { $0 ? () : nil }
    }
    do throws(VideoError) {
      _ = try VideoFrames.poster(path, options)
      return nil
    } catch {
      return error
    }
  }

  private static func opened(_ status: Int = 0) -> DecoderMessageWriter {
    var message = DecoderMessageWriter(.openedVideo, picture: 1)
    message.write(status)
    message.write("")
    return message
  }

  private static func frame(
    picture: Int = 1, status: Int = 0, width: Int32 = 64, height: Int32 = 48, bits: Int32 = 8,
    shift: Int32 = 1, components: Int32 = 3, bytes: Int32 = 1, primaries: Int32 = 1,
    time: Int64 = 0, isCopied: Bool = false
  ) -> DecoderMessageWriter {
    var message = DecoderMessageWriter(.frame, picture: picture)
    message.write(VideoDecodingRequest.Origin.receiving.rawValue)
    message.write(status)
    message.write("a\u{1B}[31m")
    var facts = pe_frame_facts()
    (facts.width, facts.height, facts.bits) = (width, height, bits)
    (facts.chroma_shift_x, facts.chroma_shift_y) = (shift, shift)
    facts.presentation = time
    facts.color.primaries = primaries
    var shape = pe_frame_shape()
    shape.components = components
    (shape.bits, shape.bytes) = ((bits, bits, bits), (bytes, bytes, bytes))
    message.write(facts, shape)
    message.write(isCopied)
    message.write(true)
    return message
  }

  @Test func `answers of a decoder that works are accepted`() throws {
    #expect(try refusal([Self.opened(), Self.frame(), Self.frame(isCopied: true)]) == nil)
  }

  @Test func `false answers refuse the video`() throws {
    let good = Self.frame(isCopied: true)
    let lies: [[DecoderMessageWriter]] = [
      [good], [Self.opened(), Self.opened()], [Self.opened(), Self.frame(picture: 2)],
      // No memory has arrived for it, or too little.
      [Self.opened(), good], [Self.opened(), Self.frame(), Self.frame()],
      [Self.opened(), Self.frame(), Self.frame(width: 500, isCopied: true)],
      [Self.opened(), Self.frame(width: 0)], [Self.opened(), Self.frame(height: -1)],
      [Self.opened(), Self.frame(bits: 17)], [Self.opened(), Self.frame(shift: 4)],
      [Self.opened(), Self.frame(components: 2)], [Self.opened(), Self.frame(bytes: 3)],
      [Self.opened(), Self.frame(bytes: 0)], [Self.opened(), Self.frame(primaries: -1)],
      [Self.opened(), Self.frame(time: .max)], [Self.opened(), Self.frame(time: -1 << 40)],
    ]
    for (index, lie) in lies.enumerated() {
      guard case .decoderFailed = try refusal(lie) else {
        Issue.record("lie \(index) was believed")
        continue
      }
    }
    guard case .tooLarge = try refusal([Self.opened(), Self.frame(width: .max, height: .max)])
    else { return #expect(Bool(false), "a frame may have any size") }
  }

  @Test func `the reason of a process cannot control a terminal`() throws {
    let error = try refusal([Self.opened(), Self.frame(status: -2)])
    #expect("\(try #require(error))".contains("a?[31m"))
  }
}

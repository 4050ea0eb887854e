// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage
import Synchronization
import Testing

@testable import PhotoEditCommandLine

@Suite("Cancellation")
struct CancellationTests {
  @Test func `handlers of running work are called once`() {
    let cancellation = Cancellation()
    let calls = Atomic<Int>(0)
    let count: @Sendable () -> Void = { calls.add(1, ordering: .relaxed) }
    cancellation.withHandler(count) {}
    cancellation.withHandler(count) {
      #expect(!cancellation.isCancelled)
      cancellation.cancel(.interrupted)
      cancellation.cancel(.terminated)
      #expect(calls.load(ordering: .relaxed) == 1)
    }
    #expect(cancellation.exitCode == .interrupted)
    #expect(calls.load(ordering: .relaxed) == 1)
  }

  @Test func `a handler added after cancellation is called immediately`() {
    let cancellation = Cancellation()
    cancellation.cancel(.terminated)
    let calls = Atomic<Int>(0)
    let result = cancellation.withHandler({ calls.add(1, ordering: .relaxed) }) {
      calls.load(ordering: .relaxed)
    }
    #expect(result == 1)
    #expect(calls.load(ordering: .relaxed) == 1)
  }

  @Test(arguments: [
    (ExitCode.interrupted, "paint: error: canceled\n"),
    (.terminated, "paint: error: stopped by SIGTERM\n"),
    (.hungUp, "paint: error: stopped by SIGHUP\n"),
  ])
  func `a canceled program reports it and exits with the signal's code`(
    code: ExitCode, text: String
  ) {
    let environment = CommandEnvironment.memory(arguments: ["wall", "add"])
    environment.cancellation.cancel(code)
    #expect(environment.isCancelled)
    #expect(sample.run(in: environment) == code)
    #expect(environment.error.text == text)
  }

  @Test func `the signal is reported even if the work failed for another reason`() {
    let environment = CommandEnvironment.memory(arguments: ["brush", "missing.png", "--json"])
    environment.cancellation.cancel(.interrupted)
    #expect(sample.run(in: environment) == .interrupted)
    #expect(environment.output.text.contains(#""code":"cancelled""#))
    #expect(!environment.error.text.contains("missing.png"))
  }
}

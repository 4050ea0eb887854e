// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage
import Testing

/// A trait of suites whose tests mostly wait for programs.
///
/// Tests run on as many threads as there are processor cores. One that waits would keep its core
/// idle, so these tests have threads of their own.
struct ProgramThreads: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(ProgramExecutor.shared) { try await body() }
  }
}

extension Trait where Self == ProgramThreads {
  /// The tests of the suite mostly wait for programs.
  static var runsPrograms: ProgramThreads { ProgramThreads() }
}

/// Four threads that run jobs in order.
private final class ProgramExecutor: TaskExecutor {
  static let shared = ProgramExecutor()

  private let jobs = LockedValue<[UnownedJob]>([])

  init() {
    for _ in 0..<4 where !ThreadGroup.detach(run) { preconditionFailure("no thread was created") }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.change { $0.append(job) }
  }

  private func run() {
    while true {
      let job = jobs.wait { $0.isEmpty ? nil : $0.removeFirst() }
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}

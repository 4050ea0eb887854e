// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditStorage
import Testing

@testable import PhotoEditServer

@Suite("Jobs")
struct JobTests {
  private let clock = LockedValue(1000)
  private let jobs: Jobs
  /// The states of the jobs that waiting clients received.
  private let received = LockedValue<[Bool]>([])
  /// True as soon as the job may end.
  private let mayEnd = LockedValue(false)

  init() {
    let clock = clock
    jobs = Jobs(now: { clock.withLock { $0 } })
  }

  private func start() throws -> Jobs.Job {
    try jobs.start("test") { [mayEnd] _ in
      mayEnd.wait { $0 ? .bool(true) : nil }
    }
  }

  private func wait(for job: Jobs.Job) {
    jobs.whenEnded(job) { [received] job in received.change { $0.append(job.isRunning) } }
  }

  @Test func `a client that waits occupies no thread, and gets the result`() throws {
    let job = try start()
    for _ in 0..<3 { wait(for: job) }
    #expect(received.withLock { $0 } == [])
    mayEnd.change { $0 = true }
    #expect(received.wait { $0.count == 3 ? $0 : nil } == [false, false, false])
    wait(for: job)
    #expect(received.withLock { $0.last } == false, "a job that has ended")
  }

  @Test func `a client does not wait for longer than a proxy`() throws {
    let job = try start()
    wait(for: job)
    clock.withLock { $0 += Jobs.maximumWait - 1 }
    jobs.releaseFinished()
    #expect(received.withLock { $0 } == [])
    clock.withLock { $0 += 1 }
    jobs.releaseFinished()
    #expect(received.withLock { $0 } == [true])
    mayEnd.change { $0 = true }
  }

  @Test func `all clients get the state of their job when the server ends`() throws {
    let job = try start()
    for _ in 0..<2 { wait(for: job) }
    jobs.close()
    #expect(received.withLock { $0 } == [true, true])
    wait(for: job)
    #expect(received.withLock { $0 } == [true, true, true], "a client that comes later")
    mayEnd.change { $0 = true }
  }

  @Test func `the number of clients that wait is limited`() throws {
    let job = try start()
    for _ in 0..<Jobs.maximumWaiting { wait(for: job) }
    #expect(received.withLock { $0 } == [])
    wait(for: job)
    #expect(received.withLock { $0 } == [true])
    mayEnd.change { $0 = true }
    #expect(received.wait { $0.count > Jobs.maximumWaiting ? $0.count(where: \.self) : nil } == 1)
  }
}

// SPDX-License-Identifier: Apache-2.0
import PhotoEditCommandLine
import Testing

@Suite("Thread shares of jobs")
struct JobSharesTests {
  /// Starts the maximum number of concurrent jobs.
  private func first(_ jobs: Int, limit: Int, threads: Int) -> [Int] {
    var shares = ThreadBudget(jobs: jobs, limit: limit, threads: threads)
    return (0..<min(jobs, limit)).map { _ in shares.begin() }
  }

  @Test func `a single job gets every thread`() {
    #expect(first(1, limit: 8, threads: 8) == [8])
    #expect(first(40, limit: 1, threads: 8) == [8])
  }

  @Test func `with at least as many jobs as threads each job gets one`() {
    #expect(first(40, limit: 4, threads: 4) == [1, 1, 1, 1])
    #expect(first(4, limit: 4, threads: 4) == [1, 1, 1, 1])
  }

  @Test func `fewer jobs than threads share all of them`() {
    #expect(first(3, limit: 8, threads: 8) == [2, 3, 3])
    #expect(first(40, limit: 2, threads: 8) == [4, 4])
  }

  @Test func `more jobs than threads still get one each`() {
    #expect(first(40, limit: 8, threads: 2) == [1, 1, 1, 1, 1, 1, 1, 1])
  }

  @Test func `the last job takes the threads returned by the others`() {
    var shares = ThreadBudget(jobs: 5, limit: 4, threads: 4)
    let begun = (0..<4).map { _ in shares.begin() }
    #expect(begun == [1, 1, 1, 1])
    for share in begun.prefix(3) { shares.end(share) }
    #expect(shares.begin() == 3)
  }

  @Test func `the total never exceeds the thread count, in any order of completion`() {
    for jobs in 1...20 {
      for limit in 1...6 {
        for threads in limit...9 {
          var shares = ThreadBudget(jobs: jobs, limit: limit, threads: threads)
          var running: [Int] = []
          for job in 0..<jobs {
            if running.count == limit { shares.end(running.remove(at: job % limit)) }
            running.append(shares.begin())
            #expect(running.reduce(0, +) <= threads)
            #expect(running.allSatisfy { $0 >= 1 })
          }
        }
      }
    }
  }
}

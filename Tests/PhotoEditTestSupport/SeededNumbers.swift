// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
package import Testing

/// A reproducible random number generator: SplitMix64 (Steele, Lea and Flood).
///
/// `PHOTOEDIT_SEED` changes the numbers of all tests. Suites that use it have the trait `.seeded`,
/// which adds the seed to each failure.
package struct SeededNumbers: RandomNumberGenerator, Sendable {
  /// The seed of this run, printed once; 0 if `PHOTOEDIT_SEED` is not set.
  package static let seed: UInt64 = {
    let text = ProcessInfo.processInfo.environment["PHOTOEDIT_SEED"] ?? "0"
    guard let seed = UInt64(text) else {
      fatalError("PHOTOEDIT_SEED is '\(text)'; give a whole number from 0 to \(UInt64.max)")
    }
    print("random tests: PHOTOEDIT_SEED=\(seed)")
    return seed
  }()

  /// Returns the number of random cases to try: all of them with `Tools/test --full` and `--long`,
  /// otherwise a quarter.
  package static func cases(_ count: Int) -> Int { triesAll ? count : (count + 3) / 4 }

  fileprivate static let triesAll =
    ProcessInfo.processInfo.environment["PHOTOEDIT_ALL_CASES"] != nil

  private var state: UInt64

  /// Starts the sequence of a number, which tests choose so that their cases differ.
  package init(_ number: Int = 0) { self.init(number, seed: Self.seed) }

  /// Starts the sequence of a number in runs with the given seed.
  package init(_ number: Int, seed: UInt64) {
    state = UInt64(bitPattern: Int64(number)) &+ seed &* 0xD6E8_FEB8_6659_FD93
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }

  /// Returns a number from 0 up to, but not including, a limit; 0 if the limit is not positive.
  package mutating func below(_ limit: Int) -> Int {
    Int.random(in: 0..<max(1, limit), using: &self)
  }
}

extension RandomAccessCollection {
  /// Returns the elements to try: all of them with `Tools/test --full` and `--long`, otherwise every
  /// fourth, and of two or three elements one.
  ///
  /// - Parameter number: A number of the test case, so that other cases try other elements.
  package func some(_ number: Int) -> [Element] {
    if SeededNumbers.triesAll || isEmpty { return Array(self) }
    let step = Swift.min(4, count)
    return stride(from: number % step, to: count, by: step).map {
      self[index(startIndex, offsetBy: $0)]
    }
  }
}

extension Trait where Self == IssueHandlingTrait {
  /// Adds the seed of the random numbers to every issue so that the run can be repeated.
  package static var seeded: Self {
    .compactMapIssues { issue in
      var issue = issue
      let amount = SeededNumbers.triesAll ? " PHOTOEDIT_ALL_CASES=1" : ""
      issue.comments.append("PHOTOEDIT_SEED=\(SeededNumbers.seed)\(amount)")
      return issue
    }
  }
}

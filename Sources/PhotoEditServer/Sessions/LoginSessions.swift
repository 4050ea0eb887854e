// SPDX-License-Identifier: Apache-2.0

/// The launch codes that were not used yet, and the browsers that have logged in.
final class LoginSessions: Sendable {
  /// The seconds for which a launch code is valid.
  static let codeLifetime = 600
  /// The number of wrong codes in a minute after which codes are refused.
  static let maximumFailures = 10
  /// The number of browsers; the oldest one is logged out.
  static let maximumSessions = 64

  /// The secrets of a browser that has logged in.
  struct Login: Sendable {
    /// The value of its cookie.
    let cookie: String
    /// The part of its requests' paths to which the browser sends the cookie.
    let key: String
  }

  private struct State {
    var codes: [(digest: [UInt8], expiry: Int)] = []
    /// The digests of cookies and keys.
    var sessions: [(cookie: [UInt8], key: [UInt8])] = []
    var failures: [Int] = []
  }

  private let state = LockedValue(State())
  /// Returns the seconds of a clock that is never set.
  private let now: @Sendable () -> Int
  /// The name of the cookie; it contains the port, because cookies do not distinguish ports.
  let cookie: String

  init(cookie: String, now: @escaping @Sendable () -> Int = { MonotonicClock.seconds }) {
    self.cookie = cookie
    self.now = now
  }

  /// Returns a new launch code, which works once.
  func makeCode() -> String {
    let code = Secret.random(bits: 128)
    let now = now()
    state.withLock { state in
      state.codes.removeAll { $0.expiry <= now }
      state.codes.append((Secret.digest(code), now + Self.codeLifetime))
    }
    return code
  }

  /// Logs a browser in.
  ///
  /// - Returns: Its secrets, always new ones.
  func logIn(code: String) throws(Problem) -> Login {
    let (now, digest) = (now(), Secret.digest(code))
    return try state.withLock { state throws(Problem) in
      state.failures.removeAll { $0 <= now - 60 }
      guard state.failures.count < Self.maximumFailures else {
        throw Problem(.tooManyAttempts, "too many wrong codes; wait a minute")
      }
      state.codes.removeAll { $0.expiry <= now }
      var found: Int?
      for (index, known) in state.codes.enumerated()
      where Secret.areEqual(known.digest, digest) { found = index }
      guard let found else {
        state.failures.append(now)
        throw Problem(.unauthorized, "the code is wrong, expired or was used before")
      }
      state.codes.remove(at: found)
      let login = Login(cookie: Secret.random(bits: 256), key: Secret.random(bits: 128))
      state.sessions.append((Secret.digest(login.cookie), Secret.digest(login.key)))
      if state.sessions.count > Self.maximumSessions { state.sessions.removeFirst() }
      return login
    }
  }

  /// Returns whether a request comes from a browser that has logged in.
  ///
  /// - Parameter key: The key in the path; the cookie is sufficient for a program, which sends it
  ///   only where it wants to.
  func isLoggedIn(_ head: RequestHead, key: String? = nil) -> Bool {
    guard let cookie = digest(in: head) else { return false }
    let key = key.map(Secret.digest)
    return state.withLock { state in
      state.sessions.reduce(false) { found, session in
        let isKey = key.map { Secret.areEqual(session.key, $0) } ?? true
        return found || Secret.areEqual(session.cookie, cookie) && isKey
      }
    }
  }

  /// Logs out the browser of a request, or every browser.
  func logOut(_ head: RequestHead, all: Bool) {
    let digest = digest(in: head)
    state.withLock { state in
      state.sessions.removeAll { session in
        all || digest.map { Secret.areEqual(session.cookie, $0) } ?? false
      }
    }
  }

  private func digest(in head: RequestHead) -> [UInt8]? {
    head["cookie"].flatMap { Cookies.value(of: cookie, in: $0) }.map(Secret.digest)
  }
}

/// The cookies of a request.
enum Cookies {
  /// Returns the only value of a cookie; nil without one or more than one.
  static func value(of name: String, in field: String) -> String? {
    var found: String?
    for pair in field.split(separator: ";") {
      let sides = pair.drop { $0 == " " }.split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard sides.count == 2, sides[0] == name else { continue }
      // A second cookie of the name may come from another server of the same host.
      guard found == nil else { return nil }
      found = String(sides[1])
    }
    return found
  }
}

/// Random text that grants access; only its digest is kept.
enum Secret {
  /// Returns random hexadecimal digits from the system's generator.
  static func random(bits: Int) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var generator = SystemRandomNumberGenerator()
    return String(
      decoding: (0..<bits / 4).map { _ in digits[Int.random(in: 0..<16, using: &generator)] },
      as: UTF8.self)
  }

  static func digest(_ text: String) -> [UInt8] { SHA256Digest(of: Array(text.utf8)).bytes }

  /// Returns whether digests are equal, in a time that does not depend on their contents.
  static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    // The parentheses matter: both operators have the same precedence.
    return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

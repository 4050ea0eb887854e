// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage
import Testing

@testable import PhotoEditServer

@Suite("Login")
struct LoginTests {
  private let clock = LockedValue(1000)
  private let logins: LoginSessions

  init() {
    let clock = clock
    logins = LoginSessions(cookie: "c", now: { clock.withLock { $0 } })
  }

  private func head(_ cookie: String) -> RequestHead {
    TestRequests.head("GET", "/", [("cookie", "c=" + cookie)])
  }

  private func failure(_ code: String) -> Problem.Kind? {
    do throws(Problem) {
      _ = try logins.logIn(code: code)
      return nil
    } catch {
      return error.kind
    }
  }

  @Test func `a code works once`() throws {
    let code = logins.makeCode()
    let login = try logins.logIn(code: code)
    #expect(logins.isLoggedIn(head(login.cookie)))
    #expect(failure(code) == .unauthorized)
    #expect(code.count == 32 && login.cookie.count == 64 && login.key.count == 32)
  }

  @Test func `every login has a new cookie`() throws {
    let all = try (0..<3).map { _ in try logins.logIn(code: logins.makeCode()) }
    #expect(Set(all.map(\.cookie)).count == 3 && Set(all.map(\.key)).count == 3)
    #expect(all.allSatisfy { logins.isLoggedIn(head($0.cookie), key: $0.key) })
  }

  @Test func `a key in the path must be that of the cookie`() throws {
    let all = try (0..<2).map { _ in try logins.logIn(code: logins.makeCode()) }
    #expect(logins.isLoggedIn(head(all[0].cookie), key: all[0].key))
    #expect(!logins.isLoggedIn(head(all[0].cookie), key: all[1].key))
    #expect(!logins.isLoggedIn(head(all[0].cookie), key: ""))
    #expect(!logins.isLoggedIn(TestRequests.head(), key: all[0].key))
  }

  @Test func `digests that differ in any bit of any byte are not equal`() {
    let digest = Secret.digest("a")
    #expect(Secret.areEqual(digest, Secret.digest("a")))
    for index in digest.indices {
      for bit in 0..<8 {
        var other = digest
        other[index] ^= 1 << bit
        #expect(!Secret.areEqual(digest, other))
      }
    }
    // A comparison that depended on the last byte alone accepted one of 256.
    for number in 0..<4096 {
      #expect(!Secret.areEqual(digest, Secret.digest("\(number)")))
    }
    #expect(!Secret.areEqual(digest, Array(digest.dropLast())))
  }

  @Test func `the path without its key is that of the route`() throws {
    let target = try #require(RequestTarget("/s/k1/api/service?a=b"))
    #expect(target.path == ["api", "service"] && target.key == "k1")
    for text in ["/", "/s/k1/web/x.js", "/s/api/service", "/api/s/k1/api"] {
      #expect(RequestTarget(text)?.key == nil)
    }
  }

  @Test func `a code expires after ten minutes`() {
    let code = logins.makeCode()
    clock.withLock { $0 += LoginSessions.codeLifetime }
    #expect(failure(code) == .unauthorized)
  }

  @Test func `codes are refused for a minute after ten wrong ones`() {
    for _ in 0..<10 { #expect(failure("0") == .unauthorized) }
    #expect(failure(logins.makeCode()) == .tooManyAttempts)
    clock.withLock { $0 += 61 }
    #expect(failure(logins.makeCode()) == nil)
  }

  @Test func `logging out ends one session, or all`() throws {
    let tokens = try (0..<3).map { _ in try logins.logIn(code: logins.makeCode()).cookie }
    logins.logOut(head(tokens[0]), all: false)
    #expect(tokens.map { logins.isLoggedIn(head($0)) } == [false, true, true])
    logins.logOut(head(tokens[1]), all: true)
    #expect(tokens.allSatisfy { !logins.isLoggedIn(head($0)) })
  }

  @Test func `an unknown cookie is not a session`() {
    for value in ["", "0", String(repeating: "0", count: 64)] {
      #expect(!logins.isLoggedIn(head(value)))
    }
    #expect(!logins.isLoggedIn(TestRequests.head()))
  }
}

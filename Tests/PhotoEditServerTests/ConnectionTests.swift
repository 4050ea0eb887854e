// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform
import Testing

@testable import PhotoEditServer

@Suite("Connections")
struct ConnectionTests {
  /// The server's end of a connection, and the client's.
  private final class Pair {
    let server: Int32
    private let client: Int32

    init() throws {
      var ends: [Int32] = [-1, -1]
      #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
      (server, client) = (ends[0], ends[1])
    }

    deinit {
      close(server)
      close(client)
    }

    /// Indicates whether the server has ended the connection.
    var hasEnded: Bool {
      var byte: UInt8 = 0
      return recv(client, &byte, 1, Int32(MSG_DONTWAIT)) == 0
    }
  }

  private let connections: Connections

  init() throws { connections = try #require(Connections()) }

  private func open(_ count: Int) throws -> [Pair] {
    try (0..<count).map { _ in
      let pair = try Pair()
      connections.open(pair.server)
      return pair
    }
  }

  /// Returns the number of connections that the server has ended.
  private func ended(_ pairs: [Pair]) -> Int { pairs.count { $0.hasEnded } }

  @Test func `the oldest stranger makes room for the next one`() throws {
    let first = try open(Connections.maximumStrangers)
    #expect(ended(first) == 0)
    let later = try open(3)
    #expect(ended(Array(first[..<3])) == 3 && ended(Array(first[3...])) == 0)
    #expect(ended(later) == 0)
    #expect(connections.counts == (Connections.maximumStrangers, 0))
  }

  @Test func `strangers do not end connections of users`() throws {
    let users = try open(4)
    for user in users { #expect(connections.identify(user.server, isUser: true)) }
    let strangers = try open(3 * Connections.maximumStrangers)
    #expect(ended(users) == 0)
    #expect(ended(strangers) == 2 * Connections.maximumStrangers)
    #expect(connections.counts == (Connections.maximumStrangers, 4))
  }

  @Test func `a connection whose user has logged out is one of a stranger`() throws {
    let pairs = try open(Connections.maximumStrangers)
    #expect(connections.identify(pairs[0].server, isUser: true))
    let last = try open(1)
    #expect(!pairs[0].hasEnded)
    #expect(connections.identify(pairs[0].server, isUser: false))
    #expect(pairs[0].hasEnded && !pairs[1].hasEnded && !last[0].hasEnded)
  }

  @Test func `connections of users have a limit, and a closed one makes room`() throws {
    let pairs = try open(Connections.maximumUsers)
    for pair in pairs { #expect(connections.identify(pair.server, isUser: true)) }
    let next = try open(1)
    #expect(!connections.identify(next[0].server, isUser: true))
    connections.close(pairs[0].server)
    #expect(connections.identify(next[0].server, isUser: true))
    // A request on a connection that is one of a user already.
    #expect(connections.identify(next[0].server, isUser: true))
  }
}

// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform

/// The events of a server, in the order of the commits that caused them, for any number of clients.
///
/// For each commit, first the changes of the open lists, then the commit itself, whose identifier is
/// the change token. A client that was interrupted gets everything again after the last commit that
/// it has received completely.
final class ChangeStream: Sendable {
  /// The number of clients.
  static let maximumStreams = 16
  /// The number of commits whose events are kept.
  static let keptCommits = 64
  /// The seconds between two comments, by which clients that have left are noticed.
  private static let heartbeat: UInt32 = 15

  /// The change of one list.
  struct ViewEvent: Sendable {
    let view: String
    let json: JSONValue
  }

  private struct Commit {
    let token: String
    let views: [ViewEvent]
    let json: JSONValue
  }

  private struct Client {
    let stream: EventStream
    let views: Set<String>
    let tab: String?
    let head: RequestHead
  }

  private struct State {
    var clients: [Client] = []
    var commits: [Commit] = []
    /// The token of the state before the commits that are kept.
    var start: String
    var isBeating = false
  }

  private let state: LockedValue<State>

  /// - Parameter token: The token of the current state.
  init(token: String) { state = LockedValue(State(start: token)) }

  /// The token of the newest commit.
  var token: String { state.withLock { $0.commits.last?.token ?? $0.start } }

  /// Adds a client.
  ///
  /// - Parameters:
  ///   - views: The lists that it shows.
  ///   - token: The last commit that it has received; nil if it has received none.
  ///   - tab: The name of the client; its earlier stream ends, whose connection the client may have
  ///     closed unnoticed.
  func subscribe(
    views: Set<String>, after token: String?, tab: String? = nil, _ head: RequestHead
  ) throws(Problem) -> EventStream {
    let stream = EventStream { [weak self] stream in self?.remove(stream) }
    let isFull = state.withLock { state in
      state.clients.removeAll { client in
        guard let tab, client.tab == tab, client.head["cookie"] == head["cookie"] else {
          return false
        }
        client.stream.finish()
        return true
      }
      guard state.clients.count < Self.maximumStreams else { return true }
      // With the comment, the client receives the header fields at once.
      stream.send(": photoedit\n\n")
      if let token {
        let missed = state.commits.firstIndex { $0.token == token }.map { $0 + 1 }
        if let first = missed ?? (token == state.start ? 0 : nil) {
          for commit in state.commits[first...] { Self.send(commit, views, to: stream) }
        } else {
          stream.send(Self.event("reset", .object(["reason": "expired"])))
        }
      } else {
        for event in state.commits.flatMap(\.views) where views.contains(event.view) {
          stream.send(Self.event("view", event.json))
        }
      }
      state.clients.append(Client(stream: stream, views: views, tab: tab, head: head))
      if !state.isBeating { state.isBeating = ThreadGroup.detach { self.beat() } }
      return false
    }
    if isFull { throw Problem(.busy, "too many event streams are open") }
    return stream
  }

  private func remove(_ stream: EventStream) {
    state.withLock { state in state.clients.removeAll { $0.stream === stream } }
  }

  func send(commit token: String, _ json: JSONValue, views: [ViewEvent]) {
    state.withLock { state in
      let commit = Commit(token: token, views: views, json: json)
      state.commits.append(commit)
      if state.commits.count > Self.keptCommits {
        state.start = state.commits.removeFirst().token
      }
      for client in state.clients { Self.send(commit, client.views, to: client.stream) }
    }
  }

  /// Sends an event that does not belong to a commit.
  func send(_ name: String, _ json: JSONValue, toViewersOf view: String? = nil) {
    state.withLock { state in
      for client in state.clients where view.map(client.views.contains) ?? true {
        client.stream.send(Self.event(name, json))
      }
    }
  }

  /// Ends the streams of browsers that have logged out.
  func endStreams(unless isLoggedIn: (RequestHead) -> Bool) {
    let ended = state.withLock { state in state.clients.filter { !isLoggedIn($0.head) } }
    for client in ended {
      client.stream.send(Self.event("session-expired", .object([:])))
      client.stream.finish()
    }
  }

  private static func send(_ commit: Commit, _ views: Set<String>, to stream: EventStream) {
    for event in commit.views where views.contains(event.view) {
      stream.send(self.event("view", event.json))
    }
    stream.send(self.event("commit", commit.json, id: commit.token))
  }

  private static func event(_ name: String, _ json: JSONValue, id: String? = nil) -> String {
    let limits = JSONLimits(maximumBytes: 64 << 20, maximumArrayCount: 1_000_000)
    let data = (try? json.canonicalBytes(limits: limits)).map {
      String(decoding: $0, as: UTF8.self)
    }
    return "event: \(name)\n" + (id.map { "id: \($0)\n" } ?? "") + "data: \(data ?? "{}")\n\n"
  }

  /// Sends comments as long as there are clients.
  private func beat() {
    while true {
      sleep(Self.heartbeat)
      let hasClients = state.withLock { state in
        for client in state.clients { client.stream.send(":\n\n") }
        state.isBeating = !state.clients.isEmpty
        return state.isBeating
      }
      if !hasClients { return }
    }
  }
}

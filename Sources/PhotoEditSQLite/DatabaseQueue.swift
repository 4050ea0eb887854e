// SPDX-License-Identifier: Apache-2.0
package import Dispatch
import PhotoEditStorage

/// A connection with its own serial queue: the only writer of a file in this process.
package final class DatabaseQueue: Sendable {
  /// The queue, for callers that need to determine whether they are on it.
  package let queue: DispatchQueue
  private let key = DispatchSpecificKey<ObjectIdentifier>()
  private let box: ConnectionBox

  package init(_ connection: sending Connection, label: String) {
    queue = DispatchQueue(label: label)
    box = ConnectionBox(connection)
    queue.setSpecific(key: key, value: ObjectIdentifier(self))
  }

  /// Indicates whether the current thread runs on the queue.
  package var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == ObjectIdentifier(self) }

  /// Runs a body with the connection immediately; must be called on the queue.
  package func current<Value, Failure: Error>(
    _ body: (Connection) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    dispatchPrecondition(condition: .onQueue(queue))
    return try body(box.connection)
  }

  /// Runs a body with the connection and waits for it; must not be called on the queue.
  package func sync<Value, Failure: Error>(
    _ body: (Connection) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    precondition(!isCurrent, "a connection cannot wait for itself")
    let result: Result<Value, Failure> = queue.sync {
      do throws(Failure) { return .success(try body(box.connection)) } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}

/// Transfers a connection to the queue.
// Unchecked: `DatabaseQueue` uses it only on its queue.
private final class ConnectionBox: @unchecked Sendable {
  let connection: Connection
  init(_ connection: Connection) { self.connection = connection }
}

/// A pool of read-only connections; each is used by one caller at a time.
///
/// In WAL mode readers never wait: every transaction sees the file as of its start.
package final class ReaderPool: Sendable {
  // Unchecked: a connection in the list is not in use.
  private struct Idle: @unchecked Sendable {
    var connections: [Connection] = []
  }

  private let idle = LockedValue(Idle())
  private let open: @Sendable () throws(DatabaseError) -> Connection
  private let idleLimit: Int

  /// - Parameters:
  ///   - idleLimit: The number of connections kept open for later readers.
  ///   - open: Opens another connection.
  package init(
    idleLimit: Int = 4, open: @escaping @Sendable () throws(DatabaseError) -> Connection
  ) {
    self.idleLimit = idleLimit
    self.open = open
  }

  /// Runs a body in one read transaction.
  package func read<Value, Failure: Error>(
    wrap: (DatabaseError) -> Failure, _ body: (Connection) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let connection: Connection
    if let idleConnection = idle.withLock({
      Idle(connections: $0.connections.popLast().map { [$0] } ?? [])
    })
    .connections.first {
      connection = idleConnection
    } else {
      do throws(DatabaseError) { connection = try open() } catch { throw wrap(error) }
    }
    let value = try connection.transaction(isWriting: false, wrap: wrap) { () throws(Failure) in
      try body(connection)
    }
    do throws(DatabaseError) { try connection.checkUnchanged() } catch { throw wrap(error) }
    giveBack(connection)
    return value
  }

  private func giveBack(_ connection: Connection) {
    if connection.isTemporary { return }
    let box = Idle(connections: [connection])
    idle.withLock { if $0.connections.count < idleLimit { $0.connections += box.connections } }
  }

  /// Closes the idle connections.
  package func closeIdle() { idle.withLock { $0.connections = [] } }
}

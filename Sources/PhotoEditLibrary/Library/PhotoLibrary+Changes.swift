// SPDX-License-Identifier: Apache-2.0
import Dispatch
import PhotoEditSQLite
import PhotoEditStorage

extension PhotoLibrary {
  /// Makes changes, all of them in one commit or none.
  ///
  /// The block runs on a serial queue of the library and only records requests; they are carried
  /// out when it has returned. The call returns after the commit, when the observers of this program
  /// have been told.
  ///
  /// - Returns: What the block returned, such as placeholders.
  /// - Throws: `LibraryError`, or what the block threw; nothing has changed then. A block that is
  ///   marked `throws(LibraryError)` leaves nothing else to be thrown.
  @discardableResult
  public func performChanges<Value: Sendable>(
    _ block: @escaping @Sendable (ChangeContext) throws -> Value
  ) async throws -> Value {
    try await result(of: block).get()
  }

  /// Makes changes, all of them in one commit or none; see the other form.
  @discardableResult
  public func performChanges<Value: Sendable>(
    _ block: @escaping @Sendable (ChangeContext) throws(LibraryError) -> Value
  ) async throws(LibraryError) -> Value {
    try await result(of: block).mapError(LibraryError.init(thrown:)).get()
  }

  /// Makes changes as `performChanges(_:)` does and waits for the commit.
  ///
  /// - Throws: `LibraryError` with `changeNotSupported` when called from inside a change block or by
  ///   an observer.
  @discardableResult
  public func performChangesAndWait<Value>(
    _ block: (ChangeContext) throws -> Value
  ) throws -> Value {
    try resultAndWait(of: block).get()
  }

  /// Makes changes and waits for the commit; see the other form.
  @discardableResult
  public func performChangesAndWait<Value>(
    _ block: (ChangeContext) throws(LibraryError) -> Value
  ) throws(LibraryError) -> Value {
    try resultAndWait(of: block).mapError(LibraryError.init(thrown:)).get()
  }

  private func result<Value: Sendable>(
    of block: @escaping @Sendable (ChangeContext) throws -> Value
  ) async -> Result<Value, any Error> {
    let writer: SerialConnection
    do throws(LibraryError) { writer = try openWriter() } catch { return .failure(error) }
    return await withCheckedContinuation { continuation in
      writer.queue.async {
        let idle = self.feed.idleRegistrations
        let result = Result { try self.perform(block) }
        self.feed.tell(self, waitingFor: idle) { continuation.resume(returning: result) }
      }
    }
  }

  private func resultAndWait<Value>(
    of block: (ChangeContext) throws -> Value
  ) -> Result<Value, any Error> {
    Result {
      let writer = try openWriter()
      guard !writer.isCurrent, !ChangeRegistration.isTelling(of: self) else {
        throw LibraryError.nestedBlock
      }
      let (value, idle) = try writer.queue.sync {
        let idle = feed.idleRegistrations
        return (try perform(block), idle)
      }
      let told = DispatchSemaphore(value: 0)
      feed.tell(self, waitingFor: idle) { told.signal() }
      told.wait()
      return value
    }
  }

  /// Runs a block and commits what it asked for; on the writer's queue.
  private func perform<Value>(_ block: (ChangeContext) throws -> Value) throws -> Value {
    let context = ChangeContext(self)
    defer { context.end() }
    let value = try block(context)
    context.close()
    try commit(context.operations)
    return value
  }

  /// Carries out requests in one commit; on the writer's queue.
  private func commit(_ operations: [any ChangeOperation]) throws(LibraryError) {
    guard !operations.isEmpty else { return }
    try reader.checkAvailable()
    for operation in operations { try operation.checkAccess(access) }
    try confirm(operations)
    let files = CommitFiles(layout)
    do throws(LibraryError) {
      for operation in operations { try operation.checkShape() }
      for operation in operations { try operation.prepare(files) }
      let commit = try openWriter().current { connection throws(LibraryError) in
        let database = LibraryDatabase(connection: connection)
        return try connection.transaction(
          isWriting: true, wrap: { LibraryError($0, path: self.layout.database) },
          // Still under the lock: nobody else can have begun to use the same names.
          beforeUndoing: { $0 ? files.leave() : files.takeBack() }
        ) { () throws(LibraryError) in
          let commit = Commit(
            database, files, date: configuration.clock(), visible: reader.visibleAssets)
          for operation in operations { try operation.apply(to: commit) }
          try commit.finish()
          try files.publish()
          return commit
        }
      }
      files.end()
      for operation in operations { operation.finish() }
      if !commit.isEmpty { FileSystem.touch(layout.generation) }
      tidy(after: commit)
    } catch {
      files.takeBack()
      for operation in operations { operation.takeBack() }
      throw error
    }
  }
}

extension PhotoLibrary {
  /// Asks before a block that deletes; one question for all of it.
  func confirm(_ operations: [any ChangeOperation]) throws(LibraryError) {
    guard let provider = configuration.confirmation else { return }
    var deletion = Deletion()
    for case let operation as any DeletingOperation in operations {
      operation.describe(in: &deletion)
    }
    guard deletion != Deletion() else { return }
    guard provider.allows(deletion) else { throw .notConfirmed }
  }
}

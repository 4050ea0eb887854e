// SPDX-License-Identifier: Apache-2.0
import Dispatch
import PhotoEditSQLite
import PhotoEditStorage

extension PhotoLibrary {
  /// Performs changes in one atomic commit.
  ///
  /// The block runs on a serial queue of the library and only records requests, which are applied
  /// after it has returned. The call returns after the commit, when the observers in this process
  /// have been notified. Cancellation of the task has no effect.
  ///
  /// - Returns: The block's return value, such as placeholders.
  /// - Throws: `LibraryError`, or the error that the block threw; nothing has changed then. With a
  ///   block that is marked `throws(LibraryError)`, only `LibraryError` is thrown.
  @discardableResult
  public func performChanges<Value: Sendable>(
    _ block: @escaping @Sendable (ChangeContext) throws -> Value
  ) async throws -> Value {
    try await result(of: block).get()
  }

  /// Performs changes in one atomic commit; see the other overload.
  @discardableResult
  public func performChanges<Value: Sendable>(
    _ block: @escaping @Sendable (ChangeContext) throws(LibraryError) -> Value
  ) async throws(LibraryError) -> Value {
    try await result(of: block).mapError(LibraryError.init(thrown:)).get()
  }

  /// Performs changes like `performChanges(_:)` and waits for the commit.
  ///
  /// - Throws: `LibraryError` with `changeNotSupported` if called inside a change block or by an
  ///   observer.
  @discardableResult
  public func performChangesAndWait<Value>(
    _ block: (ChangeContext) throws -> Value
  ) throws -> Value {
    try resultAndWait(of: block).get()
  }

  /// Performs changes and waits for the commit; see the other overload.
  @discardableResult
  public func performChangesAndWait<Value>(
    _ block: (ChangeContext) throws(LibraryError) -> Value
  ) throws(LibraryError) -> Value {
    try resultAndWait(of: block).mapError(LibraryError.init(thrown:)).get()
  }

  private func result<Value: Sendable>(
    of block: @escaping @Sendable (ChangeContext) throws -> Value
  ) async -> Result<Value, any Error> {
    let writer: DatabaseQueue
    do throws(LibraryError) { writer = try openWriter() } catch { return .failure(error) }
    return await withCheckedContinuation { continuation in
      writer.queue.async {
        let idle = self.feed.idleRegistrations
        let result = Result { try self.perform(block) }
        self.feed.notify(self, waitingFor: idle) { continuation.resume(returning: result) }
      }
    }
  }

  private func resultAndWait<Value>(
    of block: (ChangeContext) throws -> Value
  ) -> Result<Value, any Error> {
    Result {
      let writer = try openWriter()
      guard !writer.isCurrent, !ChangeRegistration.isNotifying(of: self) else {
        throw LibraryError.nestedBlock
      }
      let (value, idle) = try writer.queue.sync {
        let idle = feed.idleRegistrations
        return (try perform(block), idle)
      }
      let notified = DispatchSemaphore(value: 0)
      feed.notify(self, waitingFor: idle) { notified.signal() }
      notified.wait()
      return value
    }
  }

  /// Runs a block and commits its requests; called on the writer's queue.
  private func perform<Value>(_ block: (ChangeContext) throws -> Value) throws -> Value {
    let context = ChangeContext(self)
    defer { context.end() }
    let value = try block(context)
    context.close()
    try commit(context.operations)
    return value
  }

  /// Applies requests in one commit; called on the writer's queue.
  private func commit(_ operations: [any ChangeOperation]) throws(LibraryError) {
    guard !operations.isEmpty else { return }
    try reader.checkAvailable()
    for operation in operations { try operation.checkAccess(access) }
    try confirm(operations)
    let files = TransactionFiles(layout)
    do throws(LibraryError) {
      for operation in operations { try operation.checkShape() }
      for operation in operations { try operation.prepare(files) }
      let commit = try openWriter().current { connection throws(LibraryError) in
        let database = LibraryDatabase(connection: connection)
        return try connection.transaction(
          isWriting: true, wrap: { LibraryError($0, path: self.layout.database) },
          // The lock is still held, so no other process can have started to use the same names.
          beforeUndoing: { $0 ? files.keepForRecovery() : files.rollBack() }
        ) { () throws(LibraryError) in
          let commit = ChangeTransaction(
            database, files, date: configuration.clock(), visible: reader.visibleAssets,
            placeIndex: configuration.placeIndex, updatesSearch: configuration.updatesSearch)
          for operation in operations { try operation.apply(to: commit) }
          try commit.finish()
          try files.publish(at: commit.date)
          return commit
        }
      }
      files.end()
      for operation in operations { operation.finish() }
      if !commit.isEmpty { FileSystem.touch(layout.generation) }
      scheduleMaintenance(after: commit)
    } catch {
      files.rollBack()
      for operation in operations { operation.rollBack() }
      throw error
    }
  }

  /// Asks for confirmation if a block deletes objects, once for all its requests.
  func confirm(_ operations: [any ChangeOperation]) throws(LibraryError) {
    guard let provider = configuration.confirmation else { return }
    var deletion = PendingDeletion()
    for case let operation as any DestructiveOperation in operations {
      operation.describe(in: &deletion)
    }
    guard deletion != PendingDeletion() else { return }
    guard provider.allows(deletion) else { throw .notConfirmed }
  }
}

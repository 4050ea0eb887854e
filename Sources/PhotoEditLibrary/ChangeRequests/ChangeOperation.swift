// SPDX-License-Identifier: Apache-2.0

/// A recorded request.
///
/// First, every operation of a block is prepared: files are copied, read and checked, which may
/// take long and blocks no other process. Then every operation is applied, in one transaction.
protocol ChangeOperation: AnyObject {
  /// Throws an error if this program lacks the required access; called before anything else.
  func checkAccess(_ access: LibraryAccess) throws(LibraryError)
  /// Throws an error for a malformed request; called for all requests of a block before any file is
  /// touched.
  func checkShape() throws(LibraryError)
  /// Does the work that needs no database: stages and checks files.
  func prepare(_ commit: TransactionFiles) throws(LibraryError)
  /// Applies the change to the database rows.
  func apply(to commit: ChangeTransaction) throws(LibraryError)
  /// Completes the operation after the commit, such as removing the sources of moved files. Must
  /// not fail.
  func finish()
  /// Reverses `prepare` after a failed commit. Must not fail.
  func rollBack()
}

extension ChangeOperation {
  func checkAccess(_ access: LibraryAccess) throws(LibraryError) { try access.check(.readWrite) }
  func checkShape() throws(LibraryError) {}
  func prepare(_ commit: TransactionFiles) throws(LibraryError) {}
  func finish() {}
  func rollBack() {}
}

/// A request to delete objects.
protocol DestructiveOperation: ChangeOperation {
  /// Adds the objects that the request deletes.
  func describe(in deletion: inout PendingDeletion)
}

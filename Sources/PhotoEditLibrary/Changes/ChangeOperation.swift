// SPDX-License-Identifier: Apache-2.0

/// A recorded request.
///
/// First every operation of a block prepares: files are copied, read and checked, which may take
/// long and holds up no other process. Then, in one transaction, every operation is applied.
protocol ChangeOperation: AnyObject {
  /// Refuses what this program may not do; asked before anything else.
  func checkAccess(_ access: LibraryAccess) throws(LibraryError)
  /// Refuses a request of the wrong shape; called for all of a block before any file is touched.
  func checkShape() throws(LibraryError)
  /// Does what needs no database: stages and checks files.
  func prepare(_ commit: CommitFiles) throws(LibraryError)
  /// Changes rows.
  func apply(to commit: Commit) throws(LibraryError)
  /// Follows the commit: consumes what was to be moved. Must not fail.
  func finish()
  /// Follows a commit that failed: gives back what `prepare` took. Must not fail.
  func takeBack()
}

extension ChangeOperation {
  func checkAccess(_ access: LibraryAccess) throws(LibraryError) { try access.check(.readWrite) }
  func checkShape() throws(LibraryError) {}
  func prepare(_ commit: CommitFiles) throws(LibraryError) {}
  func finish() {}
  func takeBack() {}
}

/// A request that deletes.
protocol DeletingOperation: ChangeOperation {
  /// Adds what the request deletes.
  func describe(in deletion: inout Deletion)
}

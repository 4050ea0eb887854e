// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials

/// How a photo library behaves for one program: its name, its limits, and whom it asks.
public struct LibraryConfiguration: Sendable {
  /// What the program is called in the library's policy, in reverse-DNS style.
  public var client = "org.photoedit"
  /// How many superseded edits of an asset are kept.
  public var journalDepth = 20
  /// Seconds for which commits are kept in the history, counted back from the newest one.
  ///
  /// What is older is forgotten when there is time; the newest commit always stays. Every program
  /// that writes to a library prunes by its own number, so that the smallest one holds.
  public var historyRetention = 30 * 86_400.0
  /// Seconds to wait for another program that writes.
  public var patience = 5.0
  /// Asked where the policy of the library says that somebody is to be asked.
  public var authorization: (any AuthorizationProvider)?
  /// Who is asked before anything is deleted; nil when the program has asked already.
  public var confirmation: (any ConfirmationProvider)?
  /// Gets the errors that observers of changes throw.
  public var observerFailure: (@Sendable (any Error) -> Void)?
  /// Gives the date of a commit.
  public var clock: @Sendable () -> Date = { Date() }

  /// Makes the usual configuration.
  public init() {}
}

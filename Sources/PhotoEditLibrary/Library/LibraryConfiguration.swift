// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
import PhotoEdit

/// The settings of a photo library for one program: its name, limits and providers.
public struct LibraryConfiguration: Sendable {
  /// The name of the program in the library's policy, in reverse-DNS style.
  public var client = EditRecord.photoedit
  /// The number of superseded edits of an asset to keep.
  public var journalDepth = 20
  /// The number of seconds for which commits are kept in the history, counted back from the newest.
  ///
  /// Older commits are removed when the library is idle; the newest one is always kept. Every
  /// program that writes to a library prunes by its own setting, so the smallest one applies.
  public var historyRetention = 30 * 86_400.0
  /// The number of seconds to wait for another process that is writing.
  public var busyTimeout = 5.0
  /// The provider that decides on access if the policy requires asking.
  public var authorization: (any AuthorizationProvider)?
  /// The provider that confirms deletions; nil if the program has already asked.
  public var confirmation: (any ConfirmationProvider)?
  /// Receives the errors that change observers throw.
  public var observerFailure: (@Sendable (any Error) -> Void)?
  /// Returns the date of a commit.
  public var clock: @Sendable () -> Date = { Date() }

  /// Returns the places by which locations get names; nil for none.
  package var placeIndex: @Sendable () -> PlaceIndex? = { PlaceIndex.installed }

  /// Indicates whether commits update the search tables; false only to measure what that costs.
  package var updatesSearch = true

  /// Creates the default configuration.
  public init() {}
}

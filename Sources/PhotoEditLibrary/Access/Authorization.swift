// SPDX-License-Identifier: Apache-2.0

/// What a program may do with a library; the numbers are PhotoKit's.
public enum AuthorizationStatus: Int, Sendable, Hashable, CaseIterable {
  /// Nobody has decided yet; `requestAuthorization(for:)` asks.
  case notDetermined = 0
  /// The policy of the library forbids it, and this program cannot ask.
  case restricted = 1
  /// The file system or a person forbids it.
  case denied = 2
  /// Allowed.
  case authorized = 3
  /// Allowed for some assets, which are the only ones to be seen.
  case limited = 4
}

/// What a program wants to do with a library; the numbers are PhotoKit's.
public enum AccessLevel: Int, Sendable, Hashable, CaseIterable {
  /// Add assets and see nothing.
  case addOnly = 1
  /// See and change.
  case readWrite = 2
}

/// Decides what a program may do when the policy says that somebody is to be asked.
///
/// A desktop asks the user, a server asks its configuration. Without a provider nothing is allowed.
public protocol AuthorizationProvider: Sendable {
  /// Asks; called once for each library and program.
  func decide(client: String, library: String) async -> AccessGrant
}

/// What the policy of a library gives a program.
public enum AccessGrant: Sendable, Hashable {
  /// Nothing: fetches are empty, changes fail.
  case none
  /// Adding alone: fetches are empty, every other change fails.
  case addOnly
  /// Some assets, by local identifier; no albums and folders of people.
  case limited(Set<String>)
  /// Everything.
  case readWrite
  /// To be asked for.
  case undecided
}

extension AccessGrant {
  /// Whether fetches give anything.
  var canRead: Bool {
    switch self {
    case .readWrite, .limited: true
    case .none, .addOnly, .undecided: false
    }
  }
}

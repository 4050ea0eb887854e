// SPDX-License-Identifier: Apache-2.0

/// The access that a program has to a library; the raw values match PhotoKit.
public enum AuthorizationStatus: Int, Sendable, Hashable, CaseIterable {
  /// Not decided yet; `requestAuthorization(for:)` asks for a decision.
  case notDetermined = 0
  /// Forbidden by the library's policy; this program cannot ask for access.
  case restricted = 1
  /// Denied by the file system or by the user.
  case denied = 2
  /// Allowed.
  case authorized = 3
  /// Allowed for some assets only; all others are invisible.
  case limited = 4
}

/// The access that a program asks for; the raw values match PhotoKit.
public enum AccessLevel: Int, Sendable, Hashable, CaseIterable {
  /// Add assets without reading any.
  case addOnly = 1
  /// Read and change.
  case readWrite = 2
}

/// Decides on the access of a program if the policy requires asking.
///
/// A desktop app asks the user, a server reads its configuration. Without a provider, nothing is
/// allowed.
public protocol AuthorizationProvider: Sendable {
  /// Decides on the access of a client; called once per library and process.
  func decide(client: String, library: String) async -> AccessGrant
}

/// The access that the policy of a library grants to a program.
public enum AccessGrant: Sendable, Hashable {
  /// No access: fetches are empty, changes fail.
  case none
  /// Adding only: fetches are empty, all other changes fail.
  case addOnly
  /// Some assets, by local identifier; no user-created albums and folders.
  case limited(Set<String>)
  /// Full access.
  case readWrite
  /// Not decided yet; access must be requested.
  case undecided

  /// Indicates whether fetches return anything.
  var canRead: Bool {
    switch self {
    case .readWrite, .limited: true
    case .none, .addOnly, .undecided: false
    }
  }
}

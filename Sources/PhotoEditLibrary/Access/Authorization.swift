// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials

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

extension PhotoLibrary {
  /// Returns the access of this program to the library.
  ///
  /// Fetches by a program without read access are empty and never fail; forbidden changes fail with
  /// `accessRestricted` or `accessUserDenied`.
  public func authorizationStatus(for level: AccessLevel) -> AuthorizationStatus {
    Self.status(access.grant, level, layout)
  }

  /// Returns the access of a program to a library that is not open, such as an unreadable one.
  public static func authorizationStatus(
    for level: AccessLevel, at url: URL, configuration: Configuration = Configuration()
  ) -> AuthorizationStatus {
    let layout = LibraryLayout(at: url)
    return status(
      LibraryAccess(layout, client: configuration.client).grant, level, layout)
  }

  /// Returns the reason why the policy of a library cannot be read or parsed; nil if it can, or if
  /// there is no policy.
  ///
  /// Until the policy is repaired or removed, nothing is allowed: fetches are empty, and changes
  /// fail.
  public static func policyProblem(at url: URL) -> LibraryError? {
    LibraryAccess(LibraryLayout(at: url), client: "").policyError
  }

  private static func status(
    _ grant: AccessGrant, _ level: AccessLevel, _ layout: LibraryLayout
  ) -> AuthorizationStatus {
    guard LibraryAccess.permits(layout, writing: level == .addOnly) else { return .denied }
    return switch grant {
    case .none: .restricted
    case .undecided: .notDetermined
    case .addOnly: level == .addOnly ? .authorized : .restricted
    case .limited: level == .addOnly ? .authorized : .limited
    case .readWrite: .authorized
    }
  }

  /// Requests access if it has not been decided yet; otherwise returns the existing decision.
  ///
  /// The configuration's provider is asked once. Observers are notified of a grant; results that
  /// were fetched before then get change details that fill them.
  public func requestAuthorization(for level: AccessLevel) async -> AuthorizationStatus {
    if access.grant == .undecided {
      await access.decide { [configuration, layout] in
        await configuration.authorization?.decide(
          client: configuration.client, library: layout.root) ?? AccessGrant.none
      }
      feed.accessMayHaveChanged(self)
    }
    return authorizationStatus(for: level)
  }
}

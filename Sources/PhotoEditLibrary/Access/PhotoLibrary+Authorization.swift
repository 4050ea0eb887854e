// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials

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

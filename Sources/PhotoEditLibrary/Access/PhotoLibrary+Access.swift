// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials

extension PhotoLibrary {
  /// What this program may do with the library.
  ///
  /// Fetches of a program that may not read are empty and never an error; changes that it may not
  /// make fail with `accessRestricted` or `accessUserDenied`.
  public func authorizationStatus(for level: AccessLevel) -> AuthorizationStatus {
    Self.status(access.grant, level, layout)
  }

  /// What a program may do with a library that is not open, such as one that it may not read.
  public static func authorizationStatus(
    for level: AccessLevel, at url: URL, configuration: Configuration = Configuration()
  ) -> AuthorizationStatus {
    let layout = LibraryLayout(at: url)
    return status(
      LibraryAccess(layout, client: configuration.client).grant, level, layout)
  }

  /// Why the policy of a library cannot be read or understood; nil when it can, or when there is none.
  ///
  /// Until then nothing is allowed: fetches are empty, and changes fail.
  public static func policyProblem(at url: URL) -> LibraryError? {
    do throws(LibraryError) {
      _ = try LibraryPolicy.read(LibraryLayout(at: url).policy)
      return nil
    } catch {
      return error
    }
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

  /// Asks for permission where nobody has decided yet; otherwise gives what was decided.
  ///
  /// The configuration's provider is asked once. Observers are told of a grant; results that were
  /// fetched before get details that fill them.
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

// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform
import PhotoEditStorage

/// The current access of this program to a library.
///
/// The policy file is read again after every change of the file, so that a new grant takes effect
/// in running programs.
final class LibraryAccess: Sendable {
  private struct State {
    var version: FileVersion?
    var isRead = false
    var policy: Result<LibraryPolicy, LibraryError> = .success(LibraryPolicy.open)
    /// The decision of the provider, or nil if it has not been asked.
    var decision: AccessGrant?
    /// The pending or finished request to the provider; nil before the first request.
    var request: Task<Void, Never>?
  }

  let layout: LibraryLayout
  let client: String
  private let state = LockedValue(State())

  init(_ layout: LibraryLayout, client: String) {
    self.layout = layout
    self.client = client
  }

  /// The access granted by the policy and the provider's decision; none while the policy is
  /// unreadable.
  var grant: AccessGrant {
    let version = FileVersion(layout.policy)
    return state.withLock { state in
      if !state.isRead || state.version != version {
        state.isRead = true
        state.version = version
        do throws(LibraryError) {
          state.policy = .success(try LibraryPolicy.read(layout.policy))
        } catch { state.policy = .failure(error) }
      }
      guard case .success(let policy) = state.policy else { return .none }
      let grant = policy.grant(for: client)
      return grant == .undecided ? state.decision ?? .undecided : grant
    }
  }

  /// The reason why the policy cannot be read or parsed; nil if it can.
  var policyError: LibraryError? {
    _ = grant
    return state.withLock { state in
      if case .failure(let error) = state.policy { error } else { nil }
    }
  }

  /// Asks for a decision once, even for several tasks, and returns when it has been made.
  func decide(_ ask: @escaping @Sendable () async -> AccessGrant) async {
    let request = state.withLock { state in
      if let request = state.request { return request }
      let request = Task {
        let grant = await ask()
        self.state.withLock { $0.decision = grant == .undecided ? AccessGrant.none : grant }
      }
      state.request = request
      return request
    }
    await request.value
  }

  /// Returns whether the file system allows this program to read or write the library.
  static func permits(_ layout: LibraryLayout, writing: Bool) -> Bool {
    let mode = writing ? R_OK | W_OK : R_OK
    return access(layout.root, mode | X_OK) == 0 && access(layout.database, mode) == 0
  }

  /// Throws an error if this program lacks the access level for a change.
  func check(_ level: AccessLevel) throws(LibraryError) {
    if let policyError { throw policyError }
    switch (grant, level) {
    case (.readWrite, _), (.limited, _), (.addOnly, .addOnly): break
    case (.undecided, _): throw .undecided
    case (.addOnly, .readWrite), (.none, _):
      throw .restricted(client, level)
    }
    guard Self.permits(layout, writing: true) else { throw .readOnly(layout.root) }
  }
}

extension LibraryError {
  static let undecided = LibraryError(
    .accessUserDenied, "access to the library has not been requested",
    hint: "call requestAuthorization(for:) first")

  static func restricted(_ client: String, _ level: AccessLevel) -> LibraryError {
    LibraryError(
      .accessRestricted,
      "the library policy does not allow \(client) to "
        + (level == .addOnly ? "add to it" : "change its contents"),
      hint: "change the access level in the library's policy.json")
  }
}

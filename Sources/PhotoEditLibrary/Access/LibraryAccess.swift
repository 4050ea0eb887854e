// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
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

  static func badPolicy(_ path: String, _ reason: String) -> LibraryError {
    LibraryError(
      .accessRestricted, path: path, "invalid policy: \(reason)",
      hint: "correct or remove the file; until then, all access is denied")
  }
}

/// The file `policy.json` of a library: the access granted to each program, by name.
///
///     {"schemaVersion": 1, "default": "readWrite", "clients": {
///        "org.example.importer": "addOnly",
///        "org.example.frame": {"level": "limited", "assets": ["3F2504E0-…/L0/001"]}}}
///
/// Levels are `none`, `addOnly`, `limited`, `readWrite` and `ask`. A policy is advisory: programs
/// that follow it respect the owner's choice, but it does not protect the files from programs that
/// have read permission.
struct LibraryPolicy: Sendable, Hashable {
  /// The access granted to programs that are not listed.
  private(set) var fallback = AccessGrant.readWrite
  private(set) var clients: [String: AccessGrant] = [:]

  /// The maximum size of a policy file, in bytes.
  static let maximumLength = 16 << 20

  /// A policy that allows everything.
  static let open = LibraryPolicy(fallback: .readWrite, clients: [:])

  init(fallback: AccessGrant, clients: [String: AccessGrant]) {
    self.fallback = fallback
    self.clients = clients
  }

  func grant(for client: String) -> AccessGrant { clients[client] ?? fallback }

  /// Reads a policy; a missing file allows everything.
  ///
  /// - Throws: `LibraryError` if the policy cannot be parsed; there is no fallback.
  static func read(_ path: String) throws(LibraryError) -> LibraryPolicy {
    let bytes: FileBytes
    do throws(FileError) {
      guard try FileSystem.entry(at: path) != nil else { return .open }
      bytes = try FileBytes.reading(
        path, maximumBytes: maximumLength, followsLinks: false)
    } catch {
      throw error.kind == .empty ? .badPolicy(path, "file is empty") : LibraryError(error)
    }
    let limits = JSONLimits(
      maximumBytes: maximumLength, maximumDepth: 8, maximumStringBytes: 4096,
      maximumArrayCount: 1_000_000, maximumObjectCount: 100_000)
    let value = try translating(
      { LibraryError.badPolicy(path, "\($0 as JSONError)") },
      JSONValue(parsing: Array(bytes.buffer), limits: limits))
    return try LibraryPolicy(value, path)
  }

  private init(_ value: JSONValue, _ path: String) throws(LibraryError) {
    guard let members = value.objectValue, value["schemaVersion"]?.integerValue == 1 else {
      throw .badPolicy(path, "expected an object with \"schemaVersion\": 1")
    }
    for name in members.keys.sorted() where !["schemaVersion", "default", "clients"].contains(name)
    {
      throw .badPolicy(path, "unknown key \"\(name)\" (allowed: default, clients)")
    }
    if let level = members["default"] {
      fallback = try Self.grant(level, of: "default", path)
      if case .limited = fallback {
        throw .badPolicy(path, "\"default\" cannot be limited; list the programs in \"clients\"")
      }
    }
    guard let named = (members["clients"] ?? [:]).objectValue else {
      throw .badPolicy(path, "\"clients\" must be an object")
    }
    for (client, level) in named { clients[client] = try Self.grant(level, of: client, path) }
  }

  private static func grant(
    _ value: JSONValue, of name: String, _ path: String
  ) throws(LibraryError) -> AccessGrant {
    let level = value.stringValue ?? value["level"]?.stringValue
    switch level {
    case "none": return .none
    case "addOnly": return .addOnly
    case "readWrite": return .readWrite
    case "ask": return .undecided
    case "limited":
      guard let items = value["assets"]?.arrayValue else {
        throw .badPolicy(path, "\"\(name)\" is limited, but has no \"assets\"")
      }
      var identifiers: Set<String> = []
      for item in items {
        guard let text = item.stringValue, let identifier = LocalIdentifier(text, as: .asset) else {
          throw .badPolicy(path, "\"assets\" of \"\(name)\" must be asset identifiers")
        }
        identifiers.insert(identifier.description)
      }
      return .limited(identifiers)
    default:
      throw .badPolicy(
        path,
        "the level of \"\(name)\" is \(level ?? "not a string") "
          + "(allowed: none, addOnly, limited, readWrite, ask)")
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditStorage

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

extension LibraryError {
  static func badPolicy(_ path: String, _ reason: String) -> LibraryError {
    LibraryError(
      .accessRestricted, path: path, "invalid policy: \(reason)",
      hint: "correct or remove the file; until then, all access is denied")
  }
}

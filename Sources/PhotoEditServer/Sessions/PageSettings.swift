// SPDX-License-Identifier: Apache-2.0

/// The settings of the page, such as its language and its theme, in a private file of the user.
///
/// A browser forgets what the page stores when the server has another address, at every start.
struct PageSettings: Sendable {
  /// The number of settings; one for each filter that can be folded, and some others.
  static let maximumCount = 256
  private static let limits = JSONLimits(
    maximumBytes: 64 << 10, maximumDepth: 8, maximumStringBytes: 1 << 10)

  private let path: String
  private let createFolder: @Sendable () throws(FileError) -> Void
  /// Held from reading the file to writing it.
  private let lock = LockedValue(())

  /// - Parameter variable: Returns the value of an environment variable.
  init(_ variable: @escaping @Sendable (String) -> String?) {
    path = Drafts.stateFolder(variable).parent + "/photoedit/page.json"
    createFolder = { () throws(FileError) in try Drafts.createStateFolder(variable) }
  }

  /// The settings by name; none without a file that can be read.
  var values: [String: JSONValue] {
    guard
      let bytes = try? FileBytes.reading(
        path, maximumBytes: Self.limits.maximumBytes, followsLinks: false),
      case .object(let values)? = try? JSONValue(parsing: bytes.array, limits: Self.limits)
    else { return [:] }
    return values.filter { Self.isName($0.key) }
  }

  /// Stores settings beside the others; null removes one.
  func store(_ changes: [String: JSONValue]) throws(Problem) {
    if let name = changes.keys.sorted().first(where: { !Self.isName($0) }) {
      throw Problem(
        .badRequest,
        "the name \"\(name.prefix(60))\" is not 1 to 64 ASCII letters, digits, spaces and . - _ &")
    }
    try lock.withLock { _ throws(Problem) in
      var all = values
      for (name, value) in changes { all[name] = value.isNull ? nil : value }
      guard all.count <= Self.maximumCount,
        let bytes = try? JSONValue.object(all).canonicalBytes(limits: Self.limits)
      else {
        throw Problem(
          .badRequest,
          "the settings exceed their limits (allowed: \(Self.maximumCount) names, 64 kB)")
      }
      try translating(Problem.init) { () throws(FileError) in
        try createFolder()
        try StateFile.write(bytes, to: path)
      }
    }
  }

  private static func isName(_ name: String) -> Bool {
    (1...64).contains(name.utf8.count)
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: " .-_&".utf8.contains(byte)
        }
      }
  }
}

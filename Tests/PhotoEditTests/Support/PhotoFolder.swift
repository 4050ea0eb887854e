// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEdit
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

/// A folder with one photo, and two editors: A with filter graphs, B with renderings of its own.
final class PhotoFolder: Sendable {
  let temporary: TemporaryFolder
  let photo: String
  /// The bytes of the original, which never change.
  let original: [UInt8]

  init(_ image: String = "jpeg-17x31.jpg", as name: String = "photo.jpg") throws {
    temporary = try TemporaryFolder()
    original = try TestImages.bytes(image)
    photo = temporary.path(name)
    try temporary.write(original, to: name)
  }

  var digest: SHA256Digest { SHA256Digest(of: original) }

  var store: SidecarStore { store() }

  func store(
    rendering: String? = nil, force: Bool = false, depth: Int = 20, replacing: Bool = false
  ) -> SidecarStore {
    SidecarStore(
      path: photo, rendering: rendering.map { temporary.path($0) }, replacesExternalFiles: force,
      acceptsChangedOriginal: replacing, journalDepth: depth)
  }

  func path(_ name: String) -> String { temporary.path(name) }

  func bytes(_ name: String) throws -> [UInt8] {
    try [UInt8](Data(contentsOf: temporary.url(name)))
  }

  func digest(_ name: String) throws -> SHA256Digest { SHA256Digest(of: try bytes(name)) }

  func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

  /// Every file below the folder with its digest and mode; folders and links by name.
  func inventory() throws -> [String: String] {
    var found: [String: String] = [:]
    for name in try names() {
      var status = stat()
      guard lstat(path(name), &status) == 0 else { continue }
      let isFile = status.st_mode & S_IFMT == S_IFREG
      found[name] =
        String(status.st_mode, radix: 8) + (isFile ? " " + (try digest(name)).hex : "")
    }
    return found
  }

  /// Names that only a running or interrupted change may leave.
  func litter() throws -> [String] {
    try names().filter {
      $0.contains(".photoedit-") || $0.hasSuffix(".part") || $0.hasSuffix(".pending")
    }
  }

  /// Everything below the folder, except files that vanish in the meantime.
  private func names(in parent: String = "") throws -> [String] {
    var found: [String] = []
    for name in try FileSystem.names(in: path(parent)) {
      found.append(parent + name)
      if try FileSystem.entry(at: path(parent + name)) == .folder {
        found += try names(in: parent + name + "/")
      }
    }
    return found
  }

  /// Attributes of the original that an editor could change.
  func originalFacts() throws -> [Int] {
    var status = stat()
    guard lstat(photo, &status) == 0 else { throw FileError(errno: errno, "stat", path: photo) }
    return [
      Int(status.st_ino), Int(status.st_nlink), Int(status.st_mode), Int(status.st_size),
      status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec,
      status.st_atim.tv_sec, status.st_atim.tv_nsec,
    ]
  }
}

/// Another program that edits the same photos and stores its own adjustment data.
enum EditorB {
  static let identifier = "com.example.retouch"

  static func data(_ text: String) throws -> AdjustmentData {
    try AdjustmentData(formatIdentifier: identifier, formatVersion: "1.0", data: Data(text.utf8))
  }

  /// Requests an input as B does: its own adjustment data is understood.
  static func input(_ store: SidecarStore) async throws -> EditingInput {
    var options = EditingInputRequestOptions()
    options.canHandleAdjustmentData = { $0.formatIdentifier == identifier }
    return try await store.editingInput(options)
  }

  /// The output of a session of B.
  static func output(
    _ store: SidecarStore, _ text: String, rendering other: String? = nil
  ) async throws -> EditingOutput {
    let output = try await store.editingOutput(for: try await input(store))
    output.adjustmentData = try data(text)
    try Data(rendering(other ?? text)).write(to: output.renderedContentURL)
    return output
  }

  /// A whole session of B; the rendering differs by its text, or by one of its own.
  @discardableResult
  static func edit(
    _ store: SidecarStore, _ text: String, rendering other: String? = nil
  ) async throws -> EditState {
    try await store.commit(try await output(store, text, rendering: other))
  }

  /// A small upright JPEG that differs for each text, which is its comment.
  static func rendering(_ text: String) throws -> [UInt8] {
    let comment = Array(text.utf8)
    let length = comment.count + 2
    let bytes = try TestImages.bytes("jpeg-17x1.jpg")
    return bytes[..<2] + [0xFF, 0xFE, UInt8(length >> 8), UInt8(length & 255)] + comment
      + bytes[2...]
  }
}

/// The editing error thrown by a body, or nil if it succeeds.
func editingError(_ body: () async throws -> Void) async throws -> EditingError? {
  do {
    try await body()
    return nil
  } catch let error as EditingError {
    return error
  }
}

/// The attributes of a file besides its bytes.
struct PhotoFacts {
  let numbers: [Int]

  init(_ path: String) throws {
    var status = stat()
    guard lstat(path, &status) == 0 else { throw FileError(errno: errno, "stat", path: path) }
    numbers = [
      Int(status.st_ino), Int(status.st_nlink), Int(status.st_mode), Int(status.st_size),
      status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec,
    ]
  }
}

// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform
import PhotoEditStorage

/// A folder for one test; removed with its contents when the test ends.
final class ScratchFolder: Sendable {
  let path: String

  init() throws {
    var template = Array("/tmp/photoedit-movies-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw FileError(.io, path: "/tmp", reason: "mkdtemp") }
    path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
  }

  deinit {
    do { try FileSystem.removeFolder(path) } catch { print("cannot remove \(path): \(error)") }
  }

  func file(_ name: String) -> String { path + "/" + name }

  func write(_ bytes: [UInt8], _ name: String) throws -> String {
    let path = file(name)
    let file = try OpenFile(creating: path)
    let content = FileBytes(bytes)
    try withExtendedLifetime(content) { try file.write(content.buffer) }
    return path
  }

  var names: [String] { get throws { try FileSystem.names(in: path) } }
}

/// The bytes of a file.
func bytes(_ path: String) throws -> [UInt8] {
  let content = try FileBytes.reading(path)
  return withExtendedLifetime(content) { Array(content.buffer) }
}

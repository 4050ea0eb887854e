// SPDX-License-Identifier: Apache-2.0
import CPhotoEditWebFiles
import CPhotoEditZlib
import PhotoEditPlatform

/// The files of the page, embedded in the program.
struct StaticFiles: Sendable {
  private struct File: Sendable {
    let bytes: [UInt8]
    /// The same contents, compressed.
    let gzip: [UInt8]?
    let digest: String

    init(_ bytes: [UInt8], isCompressed: Bool) {
      self.bytes = bytes
      gzip = isCompressed ? StaticFiles.gzip(bytes) : nil
      digest = String(SHA256Digest(of: bytes).hex.prefix(32))
    }
  }

  private let files: [String: File]
  /// The folder from which files are read instead, for work on the page.
  private let folder: String?

  init(folder: String? = nil) {
    self.folder = folder
    var files: [String: File] = [:]
    var index = 0
    while let file = pe_web_file_at(index)?.pointee {
      let bytes = [UInt8](UnsafeBufferPointer(start: file.bytes, count: file.count))
      files[String(cString: file.path)] = File(bytes, isCompressed: true)
      index += 1
    }
    self.files = files
  }

  func bytes(of path: String) -> [UInt8]? { files[path]?.bytes }

  /// Returns the paths of a module and of those that it imports, directly or not.
  func modules(from path: String) -> [String] {
    var (found, waiting) = ([String](), [path])
    while let next = waiting.popLast() {
      guard !found.contains(next), let bytes = try? file(next)?.bytes else { continue }
      found.append(next)
      // A module that is loaded later is imported by a call.
      for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n")
      where line.hasPrefix("import ") {
        var parts = next.split(separator: "/").dropLast()
        let quoted = line.split(separator: "'").dropFirst().first ?? ""
        for part in quoted.split(separator: "/") where part != "." {
          if part == ".." { parts = parts.dropLast() } else { parts.append(part) }
        }
        waiting.append(parts.joined(separator: "/"))
      }
    }
    return found
  }

  func response(_ path: String, to request: Request) throws(Problem) -> HTTPResponse {
    guard let type = Self.type(of: path), let file = try file(path) else {
      throw Problem(.notFound, "no such file")
    }
    return Self.response(file, type: type, to: request)
  }

  /// Responds with contents that the server has written.
  static func response(_ bytes: [UInt8], type: String, to request: Request) -> HTTPResponse {
    response(File(bytes, isCompressed: true), type: type, to: request)
  }

  private static func response(
    _ file: File, type: String, to request: Request
  ) -> HTTPResponse {
    let tag = "\"\(file.digest)\""
    var fields = [("ETag", tag), ("Cache-Control", "no-cache"), ("Vary", "Accept-Encoding")]
    if request.head["if-none-match"] == tag { return HTTPResponse(status: 304, fields: fields) }
    fields.append(("Content-Type", type))
    let accepted = request.head["accept-encoding"]?.split { ", ".contains($0) } ?? []
    guard let gzip = file.gzip, accepted.contains("gzip") else {
      return HTTPResponse(status: 200, fields: fields, body: .bytes(file.bytes))
    }
    fields.append(("Content-Encoding", "gzip"))
    return HTTPResponse(status: 200, fields: fields, body: .bytes(gzip))
  }

  private static func gzip(_ bytes: [UInt8]) -> [UInt8]? {
    var output: UnsafeMutablePointer<UInt8>?
    var count = 0
    guard pe_zlib_gzip(bytes, bytes.count, &output, &count) == Int32(PE_ZLIB_OK),
      let output
    else { return nil }
    defer { free(output) }
    return Array(UnsafeBufferPointer(start: output, count: count))
  }

  private func file(_ path: String) throws(Problem) -> File? {
    guard let folder else { return files[path] }
    let path = folder + "/" + path
    guard FileSystem.itemExists(path) else { return nil }
    let bytes = try PhotoEditServer.files(FileBytes.reading(path, maximumBytes: 4 << 20).array)
    return File(bytes, isCompressed: false)
  }

  private static func type(of path: String) -> String? {
    switch FileSystem.splitName(FileSystem.lastName(of: path)).fileExtension {
    case "html": "text/html; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "js": "text/javascript; charset=utf-8"
    case "json": "application/json"
    case "svg": "image/svg+xml"
    case "webmanifest": "application/manifest+json"
    default: nil
    }
  }
}

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

  /// The positions of the embedded files by their paths.
  private let positions: [String: Int]
  /// The files that were sent, as they are sent.
  private let sent = LockedValue<[String: File]>([:])
  /// The folder from which files are read instead, for work on the page.
  private let folder: String?
  private let made = LockedValue<PageBundles?>(nil)

  /// The modules with which screens begin.
  private static let screens = ["js/editor/editor.js", "js/grid/timeline.js"]

  init(folder: String? = nil) {
    self.folder = folder
    var positions: [String: Int] = [:]
    while let file = pe_web_file_at(positions.count)?.pointee {
      positions[String(cString: file.path)] = positions.count
    }
    self.positions = positions
  }

  /// The bundles of the embedded modules, made when they are needed first; nil for those of a folder.
  private var bundles: PageBundles? {
    if folder != nil { return nil }
    return made.withLock { made in
      let bundles = made ?? PageBundles(screens: Self.screens) { module($0) }
      made = bundles
      return bundles
    }
  }

  private func module(_ path: String) -> PageModule? {
    bytes(of: path).map { PageModule(String(decoding: $0, as: UTF8.self), path: path) }
  }

  /// The paths of the embedded files.
  var paths: [String] { positions.keys.sorted() }

  /// Returns the embedded contents of a file, with its comments.
  func bytes(of path: String) -> [UInt8]? {
    guard let position = positions[path], let file = pe_web_file_at(position)?.pointee else {
      return nil
    }
    return [UInt8](UnsafeBufferPointer(start: file.bytes, count: file.count))
  }

  /// Returns the paths of the scripts of a screen that are to be loaded together.
  func scripts(of screen: String) -> [String] { bundles?.files(of: screen) ?? [] }

  /// Makes and compresses the scripts of the screens, so that no browser waits for that.
  func prepare() {
    for path in Self.screens.flatMap({ scripts(of: $0) }) { _ = try? file(path) }
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
    if folder == nil, let known = sent.withLock({ $0[path] }) { return known }
    guard let source = try source(path) else { return nil }
    let file = File(PageSource.stripped(source, of: path), isCompressed: folder == nil)
    if folder == nil { sent.withLock { $0[path] = file } }
    return file
  }

  /// Returns the contents of a file, with its comments.
  private func source(_ path: String) throws(Problem) -> [UInt8]? {
    guard let folder else {
      guard path.hasSuffix(".js"), let bundles else { return bytes(of: path) }
      let text = bundles.texts[path] ?? module(path).map { bundles.text(of: $0) }
      return text.map { Array($0.utf8) }
    }
    let path = folder + "/" + path
    guard FileSystem.itemExists(path) else { return nil }
    return try files(FileBytes.reading(path, maximumBytes: 4 << 20).array)
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

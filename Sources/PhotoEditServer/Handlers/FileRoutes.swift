// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform

extension WebService {
  /// The files of photos and videos, in ranges of bytes.
  var fileRoutes: [Route] {
    [
      Route(
        "GET", "/api/assets/{asset}/movie",
        "Return the video of an asset, or the part that Range asks for.",
        fields: FileVersion.declared,
        returns: .file("video/quicktime"), .file("video/quicktime", status: 206),
        fails: .missing, .conflict, .outside
      ) { request throws(Problem) in
        let state = try self.source.versions(of: request["asset"])
        // An unedited Live Photo has only the original video.
        let isOriginal = try request.fields == .original || !state.isEdited
        let content =
          state.isMovie
          ? (isOriginal ? state.original : state.current)
          : (isOriginal ? state.movies.original : state.movies.current)
        guard let content else { throw Problem(.notFound, "the photo has no video") }
        return try self.file(
          content.path, of: request["asset"], request.head["range"], fields: [])
      },
      Route(
        "GET", "/api/assets/{asset}/file",
        "Return the file of a photo as an attachment, or the part that Range asks for.",
        fields: FileVersion.declared, returns: .file("application/octet-stream"),
        .file("application/octet-stream", status: 206), fails: .missing, .conflict, .outside
      ) { request throws(Problem) in
        let (path, name) = try self.source.downloadedFiles(
          of: request["asset"], try request.fields)[0]
        return try self.file(
          path, of: request["asset"], request.head["range"],
          fields: [
            ("Content-Disposition", "attachment; filename*=UTF-8''" + Self.escaped(name)),
            ("Content-Security-Policy", "sandbox"),
          ])
      },
    ]
  }

  /// Responds with a file, or with the part of it that a Range field asks for.
  private func file(
    _ path: String, of asset: String, _ range: String?, fields: [(name: String, value: String)]
  ) throws(Problem) -> HTTPResponse {
    let file = try source.open(path, of: asset)
    let (descriptor, size) = try translating(Problem.init) { () throws(FileError) in
      (fcntl(file.descriptor, F_DUPFD_CLOEXEC, 0), try file.regularSize())
    }
    guard descriptor >= 0 else { throw Problem(.busy, "too many files are open") }
    var fields =
      fields + [
        ("Content-Type", Self.type(of: path)), ("Accept-Ranges", "bytes"),
      ]
    switch ByteRange(range, size: size) {
    case .whole:
      return HTTPResponse(
        status: 200, fields: fields, body: .file(descriptor: descriptor, 0..<size))
    case .part(let range):
      fields.append(
        ("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)"))
      return HTTPResponse(status: 206, fields: fields, body: .file(descriptor: descriptor, range))
    case .unsatisfiable:
      close(descriptor)
      var response = Problem(.rangeNotSatisfiable, "the file has \(size) bytes").response
      response.fields.append(("Content-Range", "bytes */\(size)"))
      return response
    }
  }

  /// The types that a browser plays or shows; others are only bytes.
  private static func type(of path: String) -> String {
    switch FileSystem.splitName(path).fileExtension.lowercased() {
    case "mov", "qt": "video/quicktime"
    case "mp4", "m4v": "video/mp4"
    case "webm": "video/webm"
    case "jpg", "jpeg": "image/jpeg"
    case "png": "image/png"
    default: "application/octet-stream"
    }
  }

  /// Returns a name in the form of RFC 8187.
  static func escaped(_ name: String) -> String {
    let plain = Set("!#$&+-.^_`|~".utf8)
    let digits = Array("0123456789ABCDEF".unicodeScalars)
    return name.utf8.reduce(into: "") { text, byte in
      let isPlain =
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
        || (0x61...0x7A).contains(byte) || plain.contains(byte)
      if isPlain {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        text.unicodeScalars.append("%")
        text.unicodeScalars.append(digits[Int(byte >> 4)])
        text.unicodeScalars.append(digits[Int(byte & 15)])
      }
    }
  }
}

extension PhotoSource {
  /// Returns the paths of a version of a photo and the names that they are given elsewhere: that of
  /// the photo and, for a Live Photo, that of its video.
  func downloadedFiles(
    of asset: String, _ version: FileVersion
  ) throws(Problem) -> [(path: String, name: String)] {
    let state = try versions(of: asset)
    let isOriginal = version == .original || !state.isEdited
    let name = try fileName(of: asset)
    let stem = FileSystem.splitName(name).stem
    func named(_ path: String) -> (path: String, name: String) {
      (path, stem + "." + FileSystem.splitName(FileSystem.lastName(of: path)).fileExtension)
    }
    let movie = isOriginal ? state.movies.original : state.movies.current
    return [isOriginal ? (state.original.path, name) : named(state.current.path)]
      + (movie.map { [named($0.path)] } ?? [])
  }
}

/// A version of a photo in a request.
enum FileVersion: String, CaseIterable {
  case current, original

  fileprivate static let declared = RouteFields(current, .query("version", \.self, .choice))
}

/// The part of a file that a Range field asks for.
enum ByteRange: Sendable, Hashable {
  /// The whole file: no range, several ranges, another unit, or a range that cannot be parsed.
  case whole
  /// A part of the file.
  case part(Range<Int>)
  /// A range after the end of the file.
  case unsatisfiable

  /// Parses a Range field for a file of a known size.
  init(_ field: String?, size: Int) {
    self = .whole
    guard let field, field.hasPrefix("bytes=") else { return }
    let text = field.dropFirst("bytes=".count)
    let sides = text.split(separator: "-", omittingEmptySubsequences: false)
    guard !text.contains(","), sides.count == 2 else { return }
    let (first, last) = (Self.number(sides[0]), Self.number(sides[1]))
    if sides[0].isEmpty {
      guard let last else { return }
      self = last == 0 || size == 0 ? .unsatisfiable : .part(max(0, size - last)..<size)
    } else if let first, sides[1].isEmpty || last != nil {
      guard first < size else {
        self = .unsatisfiable
        return
      }
      if let last, last < first { return }
      self = .part(first..<min(size, (last ?? size - 1) + 1))
    }
  }

  /// Returns the value of decimal digits; nil for anything else, and a huge number for many digits.
  private static func number(_ text: Substring) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return text.utf8.count > 15 ? 1 << 52 : Int(text)
  }
}

// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform

/// A text file of the repository, split into lines.
struct TextFile {
  /// The path relative to the package folder, such as `Sources/PhotoEditPixels/Region.swift`.
  let path: String
  let lines: [Substring]

  init(path: String, text: String) {
    self.path = path
    // Swift treats "\r\n" as one character that is not equal to "\n".
    lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
  }

  /// The file extension, or an empty string.
  var type: String {
    let name = path.split(separator: "/").last ?? ""
    return name.contains(".") ? String(name.split(separator: ".").last ?? "") : ""
  }

  /// The module a file of `Sources` or `Tests` belongs to.
  var module: String? {
    let folders = path.split(separator: "/")
    return folders.count > 2 ? String(folders[1]) : nil
  }

  /// Findings such as "Sources/PhotoEditPixels/Region.swift:12: …", one per line that has one.
  func findings(_ rule: (Substring) -> String?) -> [String] {
    lines.indices.compactMap { index in
      rule(lines[index]).map { "\(path):\(index + 1): \($0)" }
    }
  }
}

extension StringProtocol {
  /// Whether the text contains another one, compared by bytes; `contains` normalizes characters
  /// and takes a hundred times as long.
  func containsBytes(of text: String) -> Bool {
    withCString { whole in text.withCString { strstr(whole, $0) != nil } }
  }
}

/// The files of the package on disk, except ignored ones.
enum Repository {
  static let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

  /// All text files; files with a zero byte are not text.
  static let texts: [TextFile] = paths(under: "").compactMap { path in
    guard let bytes = contents(of: root + "/" + path), !bytes.contains(0) else { return nil }
    return TextFile(path: path, text: String(decoding: bytes, as: UTF8.self))
  }

  static func texts(under folder: String, type: String? = nil) -> [TextFile] {
    texts.filter { $0.path.hasPrefix(folder + "/") && (type == nil || $0.type == type) }
  }

  static var manifest: TextFile? { texts.first { $0.path == "Package.swift" } }

  private static let ignored: Set = [".git", ".build", ".swiftpm", "__pycache__"]

  private static func paths(under folder: String) -> [String] {
    guard let stream = opendir(root + "/" + folder) else { return [] }
    defer { closedir(stream) }
    var paths: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard name != ".", name != "..", !ignored.contains(name), !name.hasSuffix(".swp") else {
        continue
      }
      let path = folder.isEmpty ? name : folder + "/" + name
      var info = stat()
      guard lstat(root + "/" + path, &info) == 0 else { continue }
      switch info.st_mode & S_IFMT {
      case S_IFDIR: paths += self.paths(under: path)
      case S_IFREG: paths.append(path)
      default: break
      }
    }
    return paths.sorted()
  }

  private static func contents(of path: String) -> [UInt8]? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 {
      bytes += chunk[..<count]
    }
    return bytes
  }
}

// SPDX-License-Identifier: Apache-2.0

/// The circles of files in a module: sets of files each of which depends on all others.
///
/// A file depends on another one if it names a type that the other one declares at its top level.
/// Comments and texts do not count, nor do members of types, so that a circle that consists of
/// members alone is not found (decision record 0090).
struct FileCircles {
  /// The files by path, in which those with several paths to each other are one circle.
  private let files: [TextFile]
  /// The positions of the files on which each file depends.
  private let dependencies: [[Int]]

  init(_ files: [TextFile]) {
    self.files = files
    var declaring: [Substring: Int] = [:]
    for (index, file) in files.enumerated() {
      for name in file.lines.compactMap(Self.declaredType) { declaring[name] = index }
    }
    dependencies = files.enumerated().map { index, file in
      Set(Self.names(in: file).compactMap { declaring[$0] }).subtracting([index]).sorted()
    }
  }

  // MARK: Names

  private static let modifiers: Set<Substring> = [
    "public", "package", "internal", "final", "indirect", "nonisolated", "open",
  ]
  private static let keywords: Set<Substring> = [
    "struct", "class", "enum", "protocol", "actor", "typealias",
  ]

  /// The type that a line without indentation declares for other files; nil for any other line.
  static func declaredType(_ line: Substring) -> Substring? {
    guard line.first?.isLetter == true || line.first == "@" else { return nil }
    let words = line.split { " :<{(=".contains($0) }
      .drop { modifiers.contains($0) || $0.hasPrefix("@") }
    guard let keyword = words.first, keywords.contains(keyword) else { return nil }
    return words.dropFirst().first
  }

  /// The names in a file that could be those of types.
  static func names(in file: TextFile) -> Set<Substring> {
    var names: Set<Substring> = []
    var isText = false
    for line in file.lines { names.formUnion(Self.names(in: line, &isText)) }
    return names
  }

  /// - Parameter isText: Whether the line is in a text of several lines.
  private static func names(in line: Substring, _ isText: inout Bool) -> [Substring] {
    let bytes = line.utf8
    var names: [Substring] = []
    var index = bytes.startIndex
    // The depths of parentheses in the texts that surround the position.
    var texts: [Int] = isText ? [0] : []
    var isQuoted = isText
    func follows(_ text: String) -> Bool { bytes[index...].starts(with: text.utf8) }
    while index < bytes.endIndex {
      if isQuoted {
        if follows("\\(") {
          isQuoted = false
          texts[texts.count - 1] = 1
          index = bytes.index(index, offsetBy: 2)
        } else if isText, texts.count == 1, follows("\"\"\"") {
          (isText, isQuoted, texts) = (false, false, [])
          index = bytes.index(index, offsetBy: 3)
        } else if follows("\""), !(isText && texts.count == 1) {
          texts.removeLast()
          isQuoted = false
          index = bytes.index(after: index)
        } else {
          index =
            bytes.index(index, offsetBy: follows("\\") ? 2 : 1, limitedBy: bytes.endIndex)
            ?? bytes.endIndex
        }
        continue
      }
      switch bytes[index] {
      case UInt8(ascii: "/") where follows("//"): return names
      case UInt8(ascii: "\"") where follows("\"\"\""):
        (isText, isQuoted, texts) = (true, true, [0])
        index = bytes.index(index, offsetBy: 3)
      case UInt8(ascii: "\""):
        isQuoted = true
        texts.append(0)
        index = bytes.index(after: index)
      case UInt8(ascii: "("), UInt8(ascii: ")"):
        if !texts.isEmpty {
          texts[texts.count - 1] += bytes[index] == UInt8(ascii: "(") ? 1 : -1
          isQuoted = texts[texts.count - 1] == 0
        }
        index = bytes.index(after: index)
      case let byte where isNameByte(byte):
        let end = bytes[index...].firstIndex { !isNameByte($0) } ?? bytes.endIndex
        if (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) {
          names.append(line[index..<end])
        }
        index = end
      default: index = bytes.index(after: index)
      }
    }
    return names
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
  }

  // MARK: Parts

  /// The dependencies of files outside of a folder on files in it, as "A.swift: B.swift".
  func dependencies(onFolder folder: String) -> [String] {
    files.indices.flatMap { file in
      files[file].path.hasPrefix(folder + "/")
        ? []
        : dependencies[file].map { files[$0].path }.filter { $0.hasPrefix(folder + "/") }
          .map { "\(files[file].path): \($0)" }
    }
  }

  // MARK: Circles

  /// The paths of the files of the largest circle, sorted; a single one if there is no circle.
  var largest: [String] {
    var search = Search(dependencies)
    for file in files.indices where search.order[file] == nil { search.visit(file) }
    let circle = search.circles.max { $0.count < $1.count } ?? []
    return circle.map { files[$0].path }.sorted()
  }

  /// Tarjan's search for strongly connected components.
  private struct Search {
    private let dependencies: [[Int]]
    private(set) var order: [Int?]
    private var lowest: [Int]
    private var path: [Int] = []
    private var isOnPath: [Bool]
    private(set) var circles: [[Int]] = []
    private var count = 0

    init(_ dependencies: [[Int]]) {
      self.dependencies = dependencies
      order = Array(repeating: nil, count: dependencies.count)
      lowest = Array(repeating: 0, count: dependencies.count)
      isOnPath = Array(repeating: false, count: dependencies.count)
    }

    mutating func visit(_ file: Int) {
      let position = count
      count += 1
      (order[file], lowest[file], isOnPath[file]) = (position, position, true)
      path.append(file)
      for next in dependencies[file] {
        if let known = order[next] {
          if isOnPath[next] { lowest[file] = min(lowest[file], known) }
        } else {
          visit(next)
          lowest[file] = min(lowest[file], lowest[next])
        }
      }
      guard lowest[file] == position, let start = path.lastIndex(of: file) else { return }
      circles.append(Array(path[start...]))
      for other in path[start...] { isOnPath[other] = false }
      path.removeSubrange(start...)
    }
  }
}

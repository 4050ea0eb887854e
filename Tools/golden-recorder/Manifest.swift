// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditCodecs
import PhotoEditPixels
import PhotoEditStorage
import PhotoEditTestSupport

/// The lines of `MANIFEST.json` that describe goldens; all other lines are kept unchanged.
enum Manifest {
  private static let origin = "recorded by Tools/golden-recorder"

  /// Regenerates the lines from the files.
  static func update() throws {
    let path = "\(TestImages.folder)/MANIFEST.json"
    let text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    // One entry per line, as written by Tools/test-images/generate.
    let others = text.split(separator: "\n").map(String.init)
      .filter { $0.hasPrefix("  {") && !$0.contains(#""origin": "\#(origin)""#) }
      .map { $0.hasSuffix(",") ? String($0.dropLast()) : $0 }
    var lines = others.map { (path: pathField(of: $0), line: $0) }
    for file in try TestImages.filesOnDisk() where file.hasPrefix("goldens/") {
      lines.append((file, try line(for: file)))
    }
    lines.sort { Array($0.path.unicodeScalars).lexicographicallyPrecedes($1.path.unicodeScalars) }
    let result = "[\n" + lines.map(\.line).joined(separator: ",\n") + "\n]\n"
    try Recorder.write(Array(result.utf8), to: path)
  }

  /// Whether a file differs from its manifest entry, or has none.
  static func isNew(_ path: String) throws -> Bool {
    let entry = try TestImages.manifest().first { $0.path == path }
    return try entry?.sha256 != TestImages.sha256(path)
  }

  private static func line(for file: String) throws -> String {
    let bytes = try TestImages.bytes(file)
    let parts = file.split(separator: "/").map(String.init)
    guard parts.count == 3 else {
      throw Recorder.Refusal("'\(file)' is not a golden file; remove it")
    }
    var fields = [
      #""path": "\#(file)""#, #""origin": "\#(origin)""#, #""licence": "CC0-1.0""#,
      #""sha256": "\#(SHA256Digest(of: bytes).hex)""#,
    ]
    let purpose: String
    switch parts[2] {
    case "golden.png":
      let size = try ImageDecoders.open(FileBytes(bytes)).header.size
      fields += [#""width": \#(size.width)"#, #""height": \#(size.height)"#]
      purpose = "what the edit '\(parts[1])' gives"
    case "graph.json": purpose = "the edit '\(parts[1])' as adjustment data"
    case "golden.json": purpose = "input, tolerance and digest of '\(parts[1])'"
    default: throw Recorder.Refusal("'\(file)' is not a golden file; remove it")
    }
    fields.append(#""purpose": "\#(purpose)""#)
    return "  {" + fields.joined(separator: ", ") + "}"
  }

  private static func pathField(of line: String) -> String {
    let mark = #""path": ""#
    guard let start = line.firstRange(of: mark)?.upperBound else { return "" }
    return String(line[start...].prefix { $0 != "\"" })
  }
}

// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform

/// Node.js as the reference for the number format of ECMAScript.
enum Node {
  struct Failure: Error { let what: String }

  /// The path of the executable, or nil.
  static let path: String? = getenv("PATH").flatMap { list in
    String(cString: list).split(separator: ":").map { "\($0)/node" }
      .first { access($0, X_OK) == 0 }
  }

  /// `String(x)` of each value, passed as its bits so that no decimal digits are involved.
  static func write(_ values: [Double]) throws -> [String] {
    guard let path else { throw Failure(what: "node is not installed") }
    var template = Array("/tmp/photoedit-node-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Failure(what: "no temporary folder") }
    let bytes = template.dropLast().map { UInt8(truncatingIfNeeded: $0) }
    let folder = String(decoding: bytes, as: UTF8.self)
    let (input, output) = (folder + "/in", folder + "/out")
    defer {
      unlink(input)
      unlink(output)
      rmdir(folder)
    }
    try save(values.map { String($0.bitPattern, radix: 16) }.joined(separator: "\n"), to: input)
    let script = """
      const fs = require("fs"), view = new DataView(new ArrayBuffer(8));
      fs.writeFileSync(process.argv[2], fs.readFileSync(process.argv[1], "utf8").split("\\n")
        .map(bits => (view.setBigUint64(0, BigInt("0x" + bits)), String(view.getFloat64(0))))
        .join("\\n"));
      """
    try run([path, "-e", script, input, output])
    return try load(output).split(separator: "\n").map(String.init)
  }

  private static func run(_ arguments: [String]) throws {
    var process: pid_t = 0
    var strings = arguments.map { strdup($0) } + [nil]
    defer { for string in strings { free(string) } }
    guard posix_spawn(&process, arguments[0], nil, nil, &strings, environ) == 0 else {
      throw Failure(what: "cannot start node")
    }
    var status: Int32 = 0
    guard waitpid(process, &status, 0) == process, status == 0 else {
      throw Failure(what: "node ended with status \(status)")
    }
  }

  private static func save(_ text: String, to path: String) throws {
    guard let file = fopen(path, "w") else { throw Failure(what: "cannot write \(path)") }
    defer { fclose(file) }
    guard fputs(text, file) >= 0 else { throw Failure(what: "cannot write \(path)") }
  }

  private static func load(_ path: String) throws -> String {
    guard let file = fopen(path, "r") else { throw Failure(what: "cannot read \(path)") }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 {
      bytes += chunk[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

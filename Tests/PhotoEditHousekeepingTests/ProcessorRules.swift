// SPDX-License-Identifier: Apache-2.0

/// Finds code that only works on x86-64.
///
/// `Tools/arm64` compiles and runs the C code. For Swift there is no compiler with the libraries of
/// another processor, so its text is read.
enum ProcessorRules {
  /// The texts that no line of Swift contains, with the reason.
  private static let swiftBans: [String: String] = [
    "Float80": "a type of x86", "CLongDouble": "a type of x86",
    "_Builtin_intrinsics": "a module of x86",
    "_mm_": "an instruction of x86", "_mm256_": "an instruction of x86",
    "cpuid": "an instruction of x86",
    // CChar is Int8 or UInt8; only `truncatingIfNeeded` accepts both.
    "UInt8(bitPattern:": "does not accept a CChar that is UInt8; use UInt8(truncatingIfNeeded:)",
    "CChar(bitPattern:": "does not exist where CChar is UInt8; use CChar(truncatingIfNeeded:)",
    "map(UInt8.init": "traps where CChar is Int8; use UInt8(truncatingIfNeeded:)",
    "Pointer<Int8>": "is no pointer to CChar where that is UInt8",
    "to: Int8.self": "use CChar.self",
    "CChar] = [-": "does not fit a CChar that is UInt8",
    // O_DIRECTORY and O_NOFOLLOW, whose numbers are others on arm64.
    "0o200000": "a flag of open(2) on x86", "0o400000": "a flag of open(2) on x86",
  ]

  /// The texts that no line of Swift, Python or a shell script contains.
  private static let nameBans = ["x86_64-linux-gnu", "x86_64-unknown-linux", "-march=x86", "-mavx"]

  /// The findings in a file, as "Sources/A/B.swift:12: Float80: a type of x86".
  static func findings(in file: TextFile) -> [String] {
    guard ["swift", "py", "sh", ""].contains(file.type) else { return [] }
    // Most files have none of the texts, and are searched as a whole.
    let text = file.lines.joined(separator: "\n")
    let marks =
      nameBans + ["amd64", "syscall(", "arch(x86_64)", "arch(i386)", "/statm", " mmap("]
      + swiftBans.keys
    guard marks.contains(where: text.containsBytes) else { return [] }
    let isSwift = file.type == "swift"
    let lines = file.findings { line in
      let names = nameBans.filter(line.containsBytes) + (isForOne(line) ? ["amd64"] : [])
      let texts = isSwift ? swiftFindings(line) : []
      let all = names.map { $0 + ": ask dpkg-architecture or uname" } + texts
      return all.isEmpty ? nil : all.joined(separator: ", ")
    }
    return lines + (isSwift ? branchFindings(in: file) : []) + pageFindings(in: file)
  }

  /// Returns whether a line names one architecture of Debian and not the other.
  private static func isForOne(_ line: Substring) -> Bool {
    line.containsBytes(of: "amd64") && !line.containsBytes(of: "arm64")
  }

  private static func swiftFindings(_ line: Substring) -> [String] {
    var found = swiftBans.keys.sorted().filter(line.containsBytes)
      .map { "\($0): \(swiftBans[$0] ?? "")" }
    // A number instead of a name: those of the calls differ.
    if let call = line.firstRange(of: "syscall("), line[call.upperBound...].first?.isNumber == true
    {
      found.append("syscall(: the number of a call of x86")
    }
    return found
  }

  /// The conditions on x86 without a branch for other processors.
  private static func branchFindings(in file: TextFile) -> [String] {
    // The conditions that are open: the line of each that names x86, and whether there is a branch
    // for other processors.
    var open: [(line: Int?, isServed: Bool)] = []
    var found: [String] = []
    for (index, line) in file.lines.enumerated() {
      let text = line.drop { $0 == " " }
      if text.hasPrefix("#if ") { open.append((line: nil, isServed: false)) }
      guard !open.isEmpty else { continue }
      let last = open.count - 1
      if text.hasPrefix("#if ") || text.hasPrefix("#elseif ") {
        if text.containsBytes(of: "arch(arm64)") {
          open[last].isServed = true
        } else if text.containsBytes(of: "arch(x86_64)") || text.containsBytes(of: "arch(i386)") {
          open[last].line = index
        }
      } else if text.hasPrefix("#else") {
        open[last].isServed = true
      } else if text.hasPrefix("#endif") {
        let condition = open.removeLast()
        if let line = condition.line, !condition.isServed {
          found.append("\(file.path):\(line + 1): a condition on x86 without another branch")
        }
      }
    }
    return found
  }

  /// Counts of pages in a file that does not ask for their size: 4, 16 or 64 KiB on arm64.
  private static func pageFindings(in file: TextFile) -> [String] {
    let asks = ["_SC_PAGE", "SC_PAGE", "pe_page_size", "getpagesize"]
    guard !file.lines.contains(where: { line in asks.contains(where: line.containsBytes) }) else {
      return []
    }
    return file.findings { line in
      line.containsBytes(of: "/statm\"") || line.containsBytes(of: " mmap(")
        ? "pages of an unknown size: ask sysconf" : nil
    }
  }
}

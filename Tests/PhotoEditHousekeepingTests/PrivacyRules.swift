// SPDX-License-Identifier: Apache-2.0

/// Finds machine-specific paths and hosts in texts.
enum PrivacyRules {
  // Assembled from parts because this file is checked too.
  private static let folders = ["work", "root", "home"].map { "/\($0)/" }
  private static let registries = [
    ["pypi", "org"], ["pythonhosted", "org"], ["npmjs", "org"], ["npmjs", "com"],
    ["crates", "io"], ["proxy.golang", "org"], ["rubygems", "org"], ["deb.debian", "org"],
    ["archive.ubuntu", "com"], ["ghcr", "io"], ["docker", "io"], ["quay", "io"],
  ].map { $0.joined(separator: ".") }
  private static let privateEndings = ["internal", "local", "lan", "corp", "svc", "home"]

  static func findings(in file: TextFile) -> [String] {
    file.findings { line in
      let found = machinePaths(in: line) + registries.filter(line.containsBytes) + hosts(in: line)
      return found.isEmpty ? nil : found.joined(separator: ", ")
    }
  }

  /// The absolute machine paths in a line; `docs/home/index.md` is a path of the project.
  private static func machinePaths(in line: Substring) -> [String] {
    folders.filter(line.containsBytes).filter { folder in
      line.ranges(of: folder).contains { range in
        guard range.lowerBound > line.startIndex else { return true }
        let before = line[line.index(before: range.lowerBound)]
        return !before.isLetter && !before.isNumber && !"._-)}".contains(before)
      }
    }
  }

  /// The hosts in a line that are known only in a private network.
  private static func hosts(in line: Substring) -> [String] {
    guard line.containsBytes(of: "://") else { return [] }
    return line.matches(of: /[a-z+]+:\/\/(?:[^\s\/@"]*@)?([A-Za-z0-9.\-]+)/).compactMap { match in
      let labels = match.1.split(separator: ".")
      let isNumeric = labels.count == 4 && labels.allSatisfy { UInt8($0) != nil }
      let isPrivate =
        labels.count > 1 && privateEndings.contains(labels.last.map(String.init) ?? "")
      return (isNumeric && match.1 != "127.0.0.1") || isPrivate ? String(match.1) : nil
    }
  }
}

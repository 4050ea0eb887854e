// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
import Glibc

/// The files of one run.
public enum Scratch {
  /// A folder in memory, because every input is written to it; removed when the fuzzer exits.
  public static let folder: URL = {
    let url = URL(filePath: "/dev/shm/photoedit-fuzz-\(getpid())")
    do {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    } catch {
      fatalError("\(error)")
    }
    atexit { try? FileManager.default.removeItem(at: Scratch.folder) }
    return url
  }()

  /// The path of a file in the folder.
  public static func path(_ name: String) -> String { folder.appending(path: name).path }

  /// The bytes of a test image.
  public static func image(_ name: String) -> Data {
    // Tools/fuzz/Sources/FuzzSupport/Scratch.swift: five names below the root.
    let root = "/" + #filePath.split(separator: "/").dropLast(5).joined(separator: "/")
    do {
      return try Data(contentsOf: URL(filePath: "\(root)/TestImages/inputs/\(name)"))
    } catch {
      fatalError("\(error)")
    }
  }

  /// Writes a file, or aborts the run: a fuzzer without disk space would find nothing.
  public static func write(_ bytes: Data, _ name: String) {
    do {
      try bytes.write(to: URL(filePath: path(name)))
    } catch {
      fatalError("\(error)")
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditStorage

/// The `photoedit` program under test.
package enum BuiltProgram {
  /// The folder of the program: `PHOTOEDIT_BUILD`, or the one of the running executable.
  ///
  /// A program found in PATH could be another version.
  package static let folder: String = {
    let named = ProcessInfo.processInfo.environment["PHOTOEDIT_BUILD"] ?? ""
    guard named.isEmpty else { return named }
    let bundle = (try? FileSystem.resolved("/proc/self/exe")) ?? CommandLine.arguments[0]
    return FileSystem.folder(of: bundle)
  }()

  /// The path of the program.
  package static let path = folder + "/photoedit"
}

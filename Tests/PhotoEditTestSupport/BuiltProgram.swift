// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// The `photoedit` program under test.
package enum BuiltProgram {
  /// The folder of the program: `PHOTOEDIT_BUILD`, or the one of the test bundle.
  ///
  /// A program found in PATH could be another version.
  package static let folder: String = {
    if let folder = ProcessInfo.processInfo.environment["PHOTOEDIT_BUILD"] { return folder }
    let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let bundle = link ?? CommandLine.arguments[0]
    return String(bundle.prefix(upTo: bundle.lastIndex(of: "/") ?? bundle.startIndex))
  }()

  /// The path of the program.
  package static let path = folder + "/photoedit"
}

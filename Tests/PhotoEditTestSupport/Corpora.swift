// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// Finds collections of real files that are not part of the package.
///
/// Tests that use them have `.enabled(if: Corpora.path != nil, "…")` and are skipped without them.
package enum Corpora {
  /// The folder named by `PHOTOEDIT_CORPORA`, or `../shared/corpora` next to the package, or nil.
  package static let path: String? = {
    let expected =
      ProcessInfo.processInfo.environment["PHOTOEDIT_CORPORA"]
      ?? "\(TestImages.packageRoot)/../shared/corpora"
    var isFolder = false
    let exists = FileManager.default.fileExists(atPath: expected, isDirectory: &isFolder)
    return exists && isFolder ? expected : nil
  }()
}

// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
package import Storage
import Synchronization

/// What an editing session leaves behind: a rendered JPEG and the record to reopen the edit.
///
/// Staged files vanish with the output, or with the process, unless they are committed.
public final class EditingOutput: Sendable {
  private struct Contents {
    var adjustmentData: AdjustmentData?
    var assets: [Digest: Data] = [:]
    var isCommitted = false
  }

  /// Where the rendered JPEG is to be written, upright, before the commit.
  public let renderedContentURL: URL

  /// What the photo is called that the output belongs to.
  package let assetName: String
  /// The session's input; nil for a photo that is made together with its edit.
  let input: EditingInput?
  package let staging: StagingFolder

  /// Whether the photo is made in the same commit.
  package var isForNewAsset: Bool { input == nil }
  private let contents = Mutex(Contents())

  init(input: EditingInput, staging: StagingFolder) {
    assetName = input.assetName
    self.input = input
    self.staging = staging
    renderedContentURL = URL(filePath: staging.file("rendered.jpg"))
  }

  /// Makes the output of a photo that is made in the same commit.
  package init(newAsset name: String, staging: StagingFolder) {
    assetName = name
    input = nil
    self.staging = staging
    renderedContentURL = URL(filePath: staging.file("rendered.jpg"))
  }

  /// The record from which the edit can be reopened; must be set before the commit.
  public var adjustmentData: AdjustmentData? {
    get { contents.withLock { $0.adjustmentData } }
    set { contents.withLock { $0.adjustmentData = newValue } }
  }

  /// Files that the record needs and knows by their digests alone.
  package var assets: [Digest: Data] {
    get { contents.withLock { $0.assets } }
    set { contents.withLock { $0.assets = newValue } }
  }

  /// Claims the only commit this output has; false when it was used.
  package func claim() -> Bool {
    contents.withLock { contents in
      defer { contents.isCommitted = true }
      return !contents.isCommitted
    }
  }

  /// Gives the claim back after a commit that failed.
  package func release() { contents.withLock { $0.isCommitted = false } }
}

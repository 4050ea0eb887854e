// SPDX-License-Identifier: Apache-2.0

extension FilterGraph {
  /// The graph as a look, which is the same for all images and however its attachments are stored.
  ///
  /// It has no source, no unused attachments, and no embedded contents of attachments. The digest
  /// of a look identifies it in reports and in results.
  public var look: FilterGraph {
    var look = self
    look.source = nil
    look.removeUnusedAssets()
    for name in look.assets.keys { look.assets[name]?.data = nil }
    return look
  }
}

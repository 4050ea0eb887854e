// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditStorage

/// The properties of a photo according to another program's library, which take precedence over
/// those in its files.
struct StatedProperties: Sendable, Hashable {
  var metadata: SidecarMetadata
  var burst: String?
  var burstSelection: BurstSelection = []
  var representsBurst = false

  /// Takes the properties from an export without bursts.
  init(_ metadata: SidecarMetadata) { self.metadata = metadata }
}

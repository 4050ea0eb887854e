// SPDX-License-Identifier: Apache-2.0

/// The policy on decoding in a confined process.
///
/// libheif, libde265, libwebp, libtiff, giflib, LibRaw and libavcodec read bytes that strangers
/// wrote. In a confined process, which has its memory, its threads and one socket but no files,
/// network or other processes, a fault of one of them refuses an image or a video and affects
/// nothing else. JPEG and PNG are decoded in the process itself.
public enum SandboxPolicy: String, Sendable, Hashable, CaseIterable {
  /// Decodes in a confined process if one can be started, and otherwise in the process itself.
  ///
  /// A process can be started if `DecoderProgram` knows its program.
  case auto
  /// Refuses what would have to be decoded in the process itself, or in one without protection by
  /// the kernel.
  case require
  /// Decodes in the process itself.
  case off

  private static let current = LockedValue(SandboxPolicy.auto)

  /// The policy of this process for images whose options have none; `auto` at first.
  public static var standard: SandboxPolicy {
    get { current.withLock { $0 } }
    set { current.withLock { $0 = newValue } }
  }
}

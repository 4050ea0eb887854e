// SPDX-License-Identifier: Apache-2.0
public import PhotoEditStorage

/// Files by their digests, for `RenderOptions.assetFiles`; may be shared by renderings on any threads.
public final class AssetFiles: Sendable {
  private let files = Guarded<[Digest: [UInt8]]>([:])

  /// Makes an empty collection.
  public init() {}

  /// Adds a file; gives its digest.
  @discardableResult
  public func add(_ bytes: [UInt8]) -> Digest {
    let digest = Digest(of: bytes)
    files.withLock { $0[digest] = bytes }
    return digest
  }

  /// The bytes of a file; nil where nobody has added it.
  public subscript(digest: Digest) -> [UInt8]? { files.withLock { $0[digest] } }
}

// SPDX-License-Identifier: Apache-2.0
public import PhotoEditStorage

/// A collection of files keyed by digest, for `RenderOptions.assetFiles`; can be shared by
/// renderings on any threads.
public final class AssetFiles: Sendable {
  private let files = LockedValue<[SHA256Digest: [UInt8]]>([:])

  /// Creates an empty collection.
  public init() {}

  /// Adds a file and returns its digest.
  @discardableResult
  public func add(_ bytes: [UInt8]) -> SHA256Digest {
    let digest = SHA256Digest(of: bytes)
    files.withLock { $0[digest] = bytes }
    return digest
  }

  /// Returns the bytes of a file, or nil if the file has not been added.
  public subscript(digest: SHA256Digest) -> [UInt8]? { files.withLock { $0[digest] } }
}

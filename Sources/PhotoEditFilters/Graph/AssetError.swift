// SPDX-License-Identifier: Apache-2.0
public import PhotoEditStorage

/// Why a file that a graph needs cannot be used.
public enum AssetError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A node names an asset that the graph does not list.
  case unknown(String)
  /// The graph lists the asset, but what it says of it is damaged or of a newer version.
  case malformed(String)
  /// The file is neither in the graph nor where files of assets are looked for.
  case missing(String, Digest)
  /// A file of another content was given for the digest.
  case changed(String, Digest)
  /// The file is damaged, or something else than what the node needs.
  case unreadable(String, String)

  /// One sentence with the way out.
  public var description: String {
    switch self {
    case .unknown(let name): "the graph lists no asset '\(name)'"
    case .malformed(let name):
      "what the graph says of the asset '\(name)' is damaged, or of a newer version; its file must "
        + "have type, digest and bytes, and data with that digest"
    case .missing(let name, let digest):
      "the file of the asset '\(name)' (\(digest)) is missing; give it again"
    case .changed(let name, let digest):
      "the file of the asset '\(name)' is not the one that was used (\(digest))"
    case .unreadable(let name, let reason): "the asset '\(name)' cannot be read: \(reason)"
    }
  }
}

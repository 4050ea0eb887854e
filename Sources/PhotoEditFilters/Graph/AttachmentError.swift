// SPDX-License-Identifier: Apache-2.0
public import PhotoEditStorage

/// An error in an attachment of a graph.
public enum AttachmentError: PhotoEditError, Hashable {
  /// A node refers to an attachment that the graph does not list.
  case unknown(String)
  /// The graph lists the attachment, but its entry is damaged or from a newer version.
  case malformed(String)
  /// The file is neither in the graph nor in the search path for attachments.
  case missing(String, SHA256Digest)
  /// The given file does not match the digest.
  case changed(String, SHA256Digest)
  /// The file is damaged or not of the kind the node needs.
  case unreadable(String, String)
  /// The libraries for the attachment are not installed; their Debian packages.
  case libraryMissing(packages: String, reason: String)

  /// The class and the name of the failure.
  public var facts: FailureFacts {
    if case .libraryMissing(let packages, _) = self {
      return FailureFacts(
        .unavailable, "libraryMissing", hint: "run 'apt-get install \(packages)'")
    }
    return FailureFacts(.invalidEdit, "asset")
  }

  /// One sentence with a suggested solution.
  public var description: String {
    switch self {
    case .unknown(let name): "graph has no attachment '\(name)'"
    case .malformed(let name):
      "attachment '\(name)': entry is damaged or from a newer version; it must have type, digest "
        + "and bytes, and data must match the digest"
    case .missing(let name, let digest):
      "attachment '\(name)': file is missing (\(digest)); provide it again"
    case .changed(let name, let digest):
      "attachment '\(name)': file does not match the recorded digest (expected \(digest))"
    case .unreadable(let name, let reason): "attachment '\(name)': cannot be read: \(reason)"
    case .libraryMissing(_, let reason): "fonts cannot be read: \(reason)"
    }
  }
}

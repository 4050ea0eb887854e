// SPDX-License-Identifier: Apache-2.0
import CPhotoEditDigest

extension Digest {
  /// The library that hashes, and its version: "OpenSSL 3.0.17 1 Jul 2025".
  package static var libraryVersion: String { String(cString: pe_digest_version()) }
}

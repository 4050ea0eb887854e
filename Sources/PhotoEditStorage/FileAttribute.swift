// SPDX-License-Identifier: Apache-2.0
import CPhotoEditSystem

extension FileSystem {
  /// The value of an extended attribute; nil when the file has none of that name or of that length.
  ///
  /// A symbolic link is not followed.
  package static func attribute(
    _ name: String, of path: String, maximumBytes: Int = 1024
  ) -> [UInt8]? {
    var value = [UInt8](repeating: 0, count: maximumBytes)
    let count = pe_get_attribute(path, name, &value, value.count)
    return count >= 0 ? Array(value.prefix(count)) : nil
  }

  /// Sets an extended attribute; false where the file system has none, or no room for it.
  @discardableResult
  package static func setAttribute(_ name: String, of path: String, to value: [UInt8]) -> Bool {
    pe_set_attribute(path, name, value, value.count) == 0
  }
}

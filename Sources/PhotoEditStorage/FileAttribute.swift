// SPDX-License-Identifier: Apache-2.0
import CPhotoEditSystem

extension FileSystem {
  /// Returns the value of an extended attribute; nil if it does not exist or is too long.
  ///
  /// Symbolic links are not followed.
  package static func attribute(
    _ name: String, of path: String, maximumBytes: Int = 1024
  ) -> [UInt8]? {
    var value = [UInt8](repeating: 0, count: maximumBytes)
    let count = pe_get_attribute(path, name, &value, value.count)
    return count >= 0 ? Array(value.prefix(count)) : nil
  }

  /// Sets an extended attribute; returns false if unsupported or without space.
  @discardableResult
  package static func setAttribute(_ name: String, of path: String, to value: [UInt8]) -> Bool {
    pe_set_attribute(path, name, value, value.count) == 0
  }
}

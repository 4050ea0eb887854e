// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditContainers
package import PhotoEditStorage

extension SidecarStore {
  /// What another program's record beside a photo says.
  package struct ForeignRecord {
    /// Where it is.
    package let path: String
    /// The record, or why it cannot be read.
    package let edit: Result<AppleEdit, ForeignEditError>
  }

  /// The first record of another program beside the photo, in the spellings that they use.
  ///
  /// - Throws: `FileError` for one that is there and cannot be read from disk.
  package func foreignRecord() throws(FileError) -> ForeignRecord? {
    for path in [paths.sidecar] + paths.foreignSidecars where entry(at: path) == .file {
      let bytes: FileBytes
      do throws(FileError) {
        bytes = try FileBytes.reading(path, maximumBytes: PropertyList.maximumLength)
      } catch {
        if error.kind == .empty {
          return ForeignRecord(path: path, edit: .failure(.notAPropertyList))
        }
        throw error
      }
      guard let list = try? PropertyList(bytes: bytes.array) else {
        return ForeignRecord(path: path, edit: .failure(.notAPropertyList))
      }
      if SidecarDocument.isOurs(list) { continue }
      do throws(ForeignEditError) {
        return ForeignRecord(path: path, edit: .success(try AppleEdit(list)))
      } catch {
        return ForeignRecord(path: path, edit: .failure(error))
      }
    }
    return nil
  }
}

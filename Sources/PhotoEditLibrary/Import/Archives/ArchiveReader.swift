// SPDX-License-Identifier: Apache-2.0
import CPhotoEditArchive
import PhotoEditPlatform
import PhotoEditStorage

/// libarchive, which is loaded when the first archive is imported.
package enum ArchiveLibrary {
  /// The project.
  package static let name = "libarchive"
  /// The file name of the library.
  package static let fileName = String(cString: pe_archive_library_name())
  /// The version of the compiled headers.
  package static let version = String(cString: pe_archive_version())
  /// The Debian package that contains the library.
  package static let package = SharedLibrary.debianPackage(of: fileName)
  /// The formats that are read.
  package static let formats = ["zip", "tar", "7z"]

  /// Loads the library; the reason if that fails, otherwise nil.
  package static var refusal: String? {
    var message = [CChar](repeating: 0, count: Int(PE_ARCHIVE_MESSAGE_CAPACITY))
    guard pe_archive_load(&message) != 0 else { return nil }
    return String(untilZero: message)
  }
}

/// The entries of an archive, from its beginning to its end.
final class ArchiveReader {
  /// The description of an entry.
  struct Entry {
    /// The bytes of its name; nil if they cannot be read.
    let name: [UInt8]?
    /// The name of the entry that a hard link leads to.
    let target: [UInt8]?
    let kind: pe_archive_kind
    let isEncrypted: Bool
    /// The stated size in bytes.
    let size: Int?
  }

  /// Data that cannot be read.
  struct Damage: Error {
    let reason: String
    /// Indicates whether nothing else of the archive can be read.
    let isFinal: Bool
  }

  private let file: OpenFile
  private let reader: OpaquePointer

  /// Opens an archive; loads the library.
  init(_ file: consuming OpenFile) throws(LibraryError) {
    if let reason = ArchiveLibrary.refusal {
      throw LibraryError(
        .requestNotSupportedForAsset, path: file.path, "archives cannot be read: \(reason)",
        hint: "run 'apt-get install \(ArchiveLibrary.package)'")
    }
    guard let reader = pe_archive_create() else {
      throw LibraryError(.operationInterrupted, path: file.path, "not enough memory")
    }
    self.reader = reader
    self.file = file
    guard pe_archive_open(reader, self.file.pathByDescriptor) == .PE_ARCHIVE_OK else {
      throw .unreadableArchive(self.file.path, message)
    }
  }

  deinit { pe_archive_destroy(reader) }

  private var message: String { String(cString: pe_archive_message(reader)) }

  /// Indicates whether the rest of an entry is skipped without reading it.
  var canSkip: Bool { pe_archive_can_skip(reader) != 0 }

  /// Returns the next entry; nil after the last one.
  func next() throws(Damage) -> Entry? {
    var entry = pe_archive_entry()
    let code = pe_archive_next(reader, &entry)
    switch code {
    case .PE_ARCHIVE_OK: break
    case .PE_ARCHIVE_END: return nil
    default: throw Damage(reason: message, isFinal: code == .PE_ARCHIVE_FATAL)
    }
    func bytes(_ text: UnsafePointer<CChar>?) -> [UInt8]? {
      text.map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
    }
    return Entry(
      name: bytes(entry.name), target: bytes(entry.target), kind: entry.kind,
      isEncrypted: entry.is_encrypted != 0, size: entry.size < 0 ? nil : Int(entry.size))
  }

  /// Reads the next bytes of the entry; returns their number, 0 at its end.
  func read(into memory: UnsafeMutableRawBufferPointer) throws(Damage) -> Int {
    var count = 0
    let code = pe_archive_read(reader, memory.baseAddress, memory.count, &count)
    guard code == .PE_ARCHIVE_OK else {
      throw Damage(reason: message, isFinal: code == .PE_ARCHIVE_FATAL)
    }
    return count
  }
}

extension LibraryError {
  static func unreadableArchive(_ path: String, _ reason: String) -> LibraryError {
    LibraryError(
      .invalidResource, path: path, "the archive cannot be read: \(reason)",
      hint: "get it again, or unpack it and import the folder")
  }

  static func movedArchive(_ path: String) -> LibraryError {
    LibraryError(
      .invalidResource, path: path,
      "an archive is not changed, so its files cannot be moved", hint: "import it without --move")
  }
}

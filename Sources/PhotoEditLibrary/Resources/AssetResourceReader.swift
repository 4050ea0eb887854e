// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// Reads the file of a resource in chunks and verifies at the end that it matches the record.
///
/// The file is open from the start, so it can be read to its end even if an edit replaces it.
struct AssetResourceReader: ~Copyable {
  /// The chunk size in bytes.
  static let chunkSize = 256 << 10

  private let file: OpenFile
  private let resource: AssetResource
  private var builder: DigestBuilder? = DigestBuilder()
  private var done = 0

  private init(_ resource: AssetResource, _ file: consuming OpenFile) {
    self.resource = resource
    self.file = file
  }

  /// Opens the file of a resource.
  ///
  /// - Throws: `missingResource` if it is gone, `invalidResource` if its size differs.
  static func opening(
    _ resource: AssetResource, in library: LibraryReader
  ) throws(LibraryError) -> AssetResourceReader {
    let path = try path(of: resource, in: library)
    let file = try inFiles(OpenFile(reading: path, followsLinks: resource.isOutside))
    guard try size(of: file) == resource.size else { throw damage(resource, path) }
    return AssetResourceReader(resource, file)
  }

  /// Returns the path of the file if the process may access it.
  private static func path(
    of resource: AssetResource, in library: LibraryReader
  ) throws(LibraryError) -> String {
    if resource.isOutside { return resource.file }
    guard let identifier = LocalIdentifier(resource.assetLocalIdentifier, as: .asset),
      library.canSee(identifier)
    else { throw .noObject(resource.assetLocalIdentifier) }
    return try inFiles(library.layout.path(of: resource.file))
  }

  private static func damage(_ resource: AssetResource, _ path: String) -> LibraryError {
    resource.isOutside ? .changedResource(path) : .damagedFile(path)
  }

  private static func size(of file: borrowing OpenFile) throws(LibraryError) -> Int {
    return try inFiles(file.regularSize())
  }

  /// The fraction of the file that was read, 0 to 1.
  var progress: Double { resource.size == 0 ? 1 : Double(done) / Double(resource.size) }

  /// Returns the next chunk; nil after the last one.
  ///
  /// - Throws: `invalidResource` if the bytes are not those that were imported.
  mutating func next() throws(LibraryError) -> [UInt8]? {
    guard done < resource.size else {
      guard let built = builder.take() else { return nil }
      guard built.finish() == resource.digest else { throw Self.damage(resource, file.path) }
      return nil
    }
    var chunk = [UInt8](repeating: 0, count: min(Self.chunkSize, resource.size - done))
    let count = try inFiles(
      chunk.withUnsafeMutableBufferPointer { memory throws(FileError) in
        try file.read(into: UnsafeMutableRawBufferPointer(memory))
      })
    guard count == chunk.count else { throw Self.damage(resource, file.path) }
    chunk.withUnsafeBytes { builder?.update($0) }
    done += count
    return chunk
  }
}

// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditPixels
import PhotoEditPlatform
import PhotoEditRendering
import PhotoEditStorage

/// The thumbnails in the folder of a library; see `LibraryLayout`.
///
/// A file name contains the digest of the source and the shape, so thumbnails that an edit made
/// obsolete are never requested again. A file is a JPEG followed by the digest of its bytes; a
/// damaged or truncated file is ignored. Nothing here is essential: after any failure, the
/// thumbnail is rendered again.
final class ThumbnailStore: Sendable {
  /// Changes whenever thumbnails are rendered differently.
  private static let version = 1
  /// Larger images are not stored.
  static let maximumPixels = 1 << 22
  private static let signature = Array("photoedit-thumb1".utf8)

  private let layout: LibraryLayout
  /// The approximate limit in bytes.
  private let budget: Int
  private let isWritable: Bool
  /// The bytes written since the last inspection of the folder; nil before the first one.
  private let written = LockedValue<Int?>(nil)

  /// - Parameter isWritable: Whether the folder is writable; determined by default.
  init(_ layout: LibraryLayout, budget: Int, isWritable: Bool? = nil) {
    self.layout = layout
    self.budget = budget
    self.isWritable =
      budget > 0 && (isWritable ?? LibraryAccess.permits(layout, writing: true))
  }

  /// Returns the thumbnail if it is stored and intact.
  func image(_ key: ImageKey) -> ImageBuffer? {
    let path = Self.relativePath(key)
    guard let file = try? layout.read(path, maximumBytes: Self.maximumPixels * 4),
      let jpeg = Self.content(of: file)
    else { return nil }
    // A thumbnail that cannot be decoded is rendered again.
    return try? ImageDecoders.decode(FileBytes(jpeg))
  }

  /// Stores a thumbnail if possible.
  func put(_ image: ImageBuffer, _ key: ImageKey) {
    guard isWritable, image.size.pixelCount <= Self.maximumPixels,
      let jpeg = try? Thumbnail(image).jpeg()
    else { return }
    let relativePath = Self.relativePath(key)
    do throws(FileError) {
      try layout.createFolder(FileSystem.folder(of: relativePath))
      // Not synced: the digest reveals a file that is incomplete after a crash.
      let staged = layout.path(
        "\(relativePath).\(getpid())-\(UInt32.random(in: 0...UInt32.max)).new")
      let bytes = FileBytes(jpeg + Self.signature + SHA256Digest(of: jpeg).bytes)
      do throws(FileError) {
        try OpenFile(creating: staged).write(bytes.buffer)
        try FileSystem.rename(staged, to: layout.path(relativePath))
      } catch {
        try FileSystem.remove(staged)
        throw error
      }
      limit(adding: bytes.count)
    } catch {
      // The disk may be full, or another file may occupy the path of the folder.
    }
  }

  /// Removes the thumbnails of a file that was removed from the library.
  ///
  /// - Parameter file: The path of the file; its name contains the beginning of its digest.
  static func removeThumbnails(_ file: String, in layout: LibraryLayout) {
    let stem = FileSystem.splitName(FileSystem.lastName(of: file)).stem
    guard let digest = stem.split(separator: "-").last, digest.count == 16 else { return }
    let folder = "\(LibraryLayout.thumbnailsName)/\(digest.prefix(2))"
    do throws(FileError) {
      guard try layout.hasFolder(folder) else { return }
      for name in try FileSystem.names(in: layout.path(folder)) where name.hasPrefix(digest) {
        try FileSystem.remove(layout.path(folder + "/" + name))
      }
    } catch {
      // The file is removed later, when it is among the oldest.
    }
  }

  // MARK: Names and contents

  /// Returns the path "cache/thumbnails/3f/3f25…-….jpg": the digests of content and shape.
  private static func relativePath(_ key: ImageKey) -> String {
    let shape = key.shape
    let crop = [shape.crop.x, shape.crop.y, shape.crop.width, shape.crop.height]
      .map { "\($0.bitPattern)" }.joined(separator: ",")
    let text =
      "\(version) \(Renderer.semanticsVersion) \(shape.box) \(shape.mode.rawValue) "
      + "\(shape.isExact) \(shape.mayEnlarge) \(crop)"
    let (content, how) = (key.digest.hex, SHA256Digest(of: Array(text.utf8)).hex)
    return "\(LibraryLayout.thumbnailsName)/\(content.prefix(2))/\(content)-\(how.prefix(16)).jpg"
  }

  /// Returns the JPEG of a file if its digest is correct.
  private static func content(of file: FileBytes) -> [UInt8]? {
    let bytes = file.array
    let end = bytes.count - signature.count - 32
    guard end > 0, bytes[end..<end + signature.count].elementsEqual(signature) else { return nil }
    let jpeg = Array(bytes[..<end])
    return SHA256Digest(of: jpeg).bytes.elementsEqual(bytes[(bytes.count - 32)...]) ? jpeg : nil
  }

  // MARK: Limits

  /// Removes the oldest files when the limit is exceeded; inspects the folder only occasionally.
  private func limit(adding byteCount: Int) {
    let isDue = written.withLock { written in
      let sum = (written ?? budget) + byteCount
      let isDue = sum > budget / 8
      written = isDue ? 0 : sum
      return isDue
    }
    guard isDue else { return }
    var files: [(path: String, size: Int, date: Int)] = []
    do throws(FileError) {
      for folder in try FileSystem.names(in: layout.path(LibraryLayout.thumbnailsName)) {
        let folder = "\(LibraryLayout.thumbnailsName)/\(folder)"
        guard try layout.hasFolder(folder) else { continue }
        for name in try FileSystem.names(in: layout.path(folder)) {
          let path = layout.path(folder + "/" + name)
          var status = stat()
          guard lstat(path, &status) == 0 else { continue }
          files.append((path, Int(status.st_size), Int(status.st_mtim.tv_sec)))
        }
      }
      var sum = files.reduce(0) { $0.addingSaturated($1.size) }
      guard sum > budget else { return }
      for file in files.sorted(by: { $0.date < $1.date }) where sum > budget / 8 * 7 {
        try FileSystem.remove(file.path)
        sum -= file.size
      }
    } catch {
      // The next attempt follows soon.
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// Detects file systems whose locks are unreliable or not visible to other machines.
enum NetworkFileSystem {
  /// Returns the name of the network file system that contains a folder; nil for a local disk.
  static func name(of folder: String) -> String? {
    guard let magic = FileSystem.type(of: folder) else { return nil }
    return name(magic: magic, type: magic == fuse ? mountType(of: folder) : nil)
  }

  /// FUSE_SUPER_MAGIC, which local and remote file systems share.
  private static let fuse: UInt32 = 0x6573_5546

  /// Returns the name of a network file system; nil for a local one.
  ///
  /// - Parameters:
  ///   - magic: `f_type` of statfs(2).
  ///   - type: The type in the mount table, such as "fuse.sshfs"; needed only for FUSE.
  static func name(magic: UInt32, type: String?) -> String? {
    switch magic {
    case 0x6969: return "NFS"
    case 0x517B, 0xFF53_4D42, 0xFE53_4D42: return "SMB"
    case 0x0102_1997: return "9P"
    case 0x564C: return "NCP"
    case 0x5346_414F, 0x6B41_4653: return "AFS"
    case 0x7375_7245: return "Coda"
    case 0x00C3_6400: return "Ceph"
    case 0x0BD0_0BD0: return "Lustre"
    case fuse:
      let remote = [
        "sshfs", "rclone", "gvfsd-fuse", "s3fs", "davfs", "curlftpfs", "glusterfs", "goofys",
        "gcsfuse", "smbnetfs", "kio-fuse", "google-drive-ocamlfuse", "onedriver",
      ]
      guard let kind = type?.split(separator: ".").last.map(String.init), remote.contains(kind)
      else { return nil }
      return kind
    default: return nil
    }
  }

  /// Returns the type of the mount that contains a folder, by the longest mount point above it.
  private static func mountType(of folder: String) -> String? {
    do throws(FileError) {
      let path = try FileSystem.resolved(folder)
      let file = try OpenFile(reading: "/proc/self/mountinfo")
      let bytes = try FileBytes.readingToEnd(of: file.descriptor, name: file.path)
      return mountType(of: path, in: String(decoding: bytes.array, as: UTF8.self))
    } catch {
      return nil
    }
  }

  /// Parses lines such as "36 35 98:0 / /mnt rw,noatime master:1 - ext3 /dev/root rw".
  static func mountType(of path: String, in mounts: String) -> String? {
    var best: (length: Int, type: String)?
    for line in mounts.split(separator: "\n") {
      let fields = line.split(separator: " ")
      guard fields.count > 6, let dash = fields.firstIndex(of: "-"), dash + 1 < fields.count
      else { continue }
      // Spaces in names are escaped as \040.
      let point = String(fields[4]).replacing("\\040", with: " ")
      let isAbove = point == "/" || path == point || path.hasPrefix(point + "/")
      guard isAbove, point.utf8.count >= best?.length ?? 0 else { continue }
      best = (point.utf8.count, String(fields[dash + 1]))
    }
    return best?.type
  }
}

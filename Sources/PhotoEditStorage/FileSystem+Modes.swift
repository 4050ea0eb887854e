// SPDX-License-Identifier: Apache-2.0
import CPhotoEditSystem
import PhotoEditPlatform

/// The permissions of created files.
extension FileSystem {
  /// Sets the permissions of a new file by the umask, without exceeding those of its original.
  ///
  /// Until then only the owner has access. If the original has different permissions for its group
  /// and for others, the file is assigned to the same group. If that fails, or if the original has
  /// an access control list, group and others get only the permissions common to both.
  ///
  /// - Parameter original: The file from which this one was created, if any.
  package static func share(_ path: String, like original: String?) {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { return }
    defer { close(file) }
    share(file, like: original.map { [$0] } ?? [])
  }

  /// Sets the permissions of a new file by the umask, without exceeding those of any of its
  /// originals; see the other function.
  static func share(_ file: Int32, like originals: [String]) {
    if let allowed = sharedMode(file, like: originals) { fchmod(file, allowed & ~mask) }
  }

  /// Removes those permissions of an existing file that exceed those of originals whose contents
  /// are added to it; a device or pipe is left unchanged.
  package static func restrict(_ file: Int32, like originals: [String]) {
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
    // The group is that of earlier originals.
    let allowed = sharedMode(file, like: originals, changesGroup: false) ?? 0o600
    fchmod(file, status.st_mode & allowed)
  }

  /// Returns the permissions that all originals have in common; nil if one of them cannot be
  /// examined, so that only the owner keeps access.
  private static func sharedMode(
    _ file: Int32, like originals: [String], changesGroup: Bool = true
  ) -> mode_t? {
    var (allowed, changesGroup): (mode_t, Bool) = (0o666, changesGroup)
    for original in originals {
      guard let mode = sharedMode(file, original, changesGroup: changesGroup) else { return nil }
      allowed &= mode | 0o600
      // The other originals may belong to other groups.
      changesGroup = false
    }
    return allowed
  }

  /// Returns the permissions of an original that apply to the same users of the new file.
  private static func sharedMode(
    _ file: Int32, _ original: String, changesGroup: Bool
  ) -> mode_t? {
    var (source, created) = (stat(), stat())
    guard stat(original, &source) == 0, fstat(file, &created) == 0 else { return nil }
    let (group, others) = (source.st_mode >> 3 & 0o7, source.st_mode & 0o7)
    if group == others { return source.st_mode }
    let hasAccessList = pe_has_access_list(original) != 0
    let isSameGroup =
      source.st_gid == created.st_gid
      || changesGroup && fchown(file, uid_t.max, source.st_gid) == 0
    if isSameGroup && !hasAccessList { return source.st_mode }
    return (group & others) << 3 | group & others
  }

  /// Removes all permissions to write to a finished file.
  ///
  /// The permissions to read stay, so the file is never readable by more users than before. A
  /// failure has no effect: some file systems have no permissions.
  package static func makeReadOnly(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_mode & 0o7777 != status.st_mode & 0o444
    else { return }
    chmod(path, status.st_mode & 0o444)
  }

  /// The umask of the process.
  ///
  /// It can only be read by changing it briefly, so it is read once: two threads reading it at the
  /// same time could leave the process with the wrong one.
  private static let mask: mode_t = {
    let mask = umask(0o022)
    umask(mask)
    return mask
  }()

  /// Sets the modification time of a file, in seconds since 1970; a failure has no effect.
  package static func setModificationTime(of path: String, to seconds: Double) {
    let whole = seconds.rounded(.down)
    guard abs(whole) < 1e12 else { return }
    let time = timespec(tv_sec: Int(whole), tv_nsec: Int((seconds - whole) * 1e9))
    utimensat(AT_FDCWD, path, [time, time], AT_SYMLINK_NOFOLLOW)
  }

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

  /// Removes old temporary files of this user in an open folder.
  ///
  /// Only names of the exact forms that temporary files of runs have count, since other files of
  /// photoedit also begin with ".photoedit-": the record of an export, and edits that a commit has
  /// not completed. What cannot be removed is left.
  ///
  /// - Parameter seconds: The age of the files, which excludes those of running processes.
  /// - Returns: The number of removed files and folders.
  static func sweep(
    _ folder: borrowing OpenFile, olderThan seconds: Int
  ) throws(FileError) -> Int {
    let limit = time(nil) - seconds
    var count = 0
    for name in try folder.names() {
      var status = stat()
      guard fstatat(folder.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0,
        status.st_mtim.tv_sec < limit, status.st_uid == geteuid()
      else { continue }
      switch status.st_mode & S_IFMT {
      case S_IFDIR:
        if StagingFolder.removeIfStale(name, in: folder) { count += 1 }
      case S_IFREG where isTemporary(name):
        if unlinkat(folder.descriptor, name, 0) == 0 { count += 1 }
      default: break
      }
    }
    return count
  }

  /// The beginning of the name of a file that tries what a file system allows.
  package static let trialPrefix = ".photoedit-trial-"

  /// Returns whether a name is that of a trial, or of a file that a worker of a run has not
  /// finished: 32 hexadecimal digits.
  private static func isTemporary(_ name: String) -> Bool {
    func rest(after prefix: String) -> Substring.UTF8View? {
      name.hasPrefix(prefix) ? name.dropFirst(prefix.count).utf8 : nil
    }
    if let number = rest(after: trialPrefix) {
      return !number.isEmpty && number.allSatisfy { (0x30...0x39).contains($0) }
    }
    guard let digits = rest(after: ".photoedit-") else { return false }
    return digits.count == 32
      && digits.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }
}

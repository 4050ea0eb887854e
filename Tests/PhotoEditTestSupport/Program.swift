// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform

/// Runs external programs without a shell.
package enum Program {
  /// The path of a program: the one installed by `Tools/setup`, or the first in PATH.
  ///
  /// Another version earlier in PATH may lack features that the tests need.
  package static func find(_ name: String) -> String? {
    let folders = "/usr/bin:" + (getenv("PATH").map { String(cString: $0) } ?? "")
    return folders.split(separator: ":").map { $0 + "/" + name }.first { access($0, X_OK) == 0 }
  }

  /// Runs a program without input until it exits; writes its output to a file, discards its errors.
  ///
  /// Returns the exit code; -1 if it was ended by a signal or could not be started.
  package static func run(_ path: String, _ arguments: [String], output: String) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) }
    words.append(nil)
    defer { words.forEach { free($0) } }
    // Dispatch threads block signals, and a shell without SIGCHLD would wait indefinitely.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var child: pid_t = 0
    guard posix_spawn(&child, path, &actions, &attributes, words, environ) == 0 else { return -1 }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 && errno == EINTR {}
    return status & 0x7f == 0 ? status >> 8 & 0xff : -1
  }
}

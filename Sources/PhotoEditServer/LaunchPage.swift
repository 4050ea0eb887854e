// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform
import PhotoEditStorage

/// A private file that leads the browser to the link.
///
/// The browser's command line names the file, so that no list of processes contains the code.
struct LaunchPage: Sendable {
  private let path: String

  /// Opens a link in the user's browser, if there is a display; returns nil otherwise.
  static func open(_ link: String, _ variable: (String) -> String?) -> LaunchPage? {
    guard variable("DISPLAY") != nil || variable("WAYLAND_DISPLAY") != nil,
      let folder = PrivateFolder.path(variable)
    else { return nil }
    let path = folder + "/open-" + Secret.random(bits: 64) + ".html"
    let page =
      "<!doctype html><meta charset=\"utf-8\"><title>photoedit</title>"
      + "<meta http-equiv=\"refresh\" content=\"0; url=\(link)\"><a href=\"\(link)\">photoedit</a>\n"
    do {
      try OpenFile(creating: path).write(Array(page.utf8))
    } catch {
      return nil
    }
    let opened = LaunchPage(path: path)
    guard spawn(["xdg-open", path]) else {
      opened.remove()
      return nil
    }
    return opened
  }

  func remove() { try? FileSystem.remove(path) }

  private static func spawn(_ words: [String]) -> Bool {
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
    arguments.append(nil)
    defer { for argument in arguments { free(argument) } }
    var process = pid_t()
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // Standard output is for the link.
    for descriptor in [1, 2] as [Int32] {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
    }
    return posix_spawnp(&process, words[0], &actions, nil, arguments, environ) == 0
  }
}

/// The folder of sockets and launch pages, which only the user can access.
enum PrivateFolder {
  /// Returns the folder, which is created if necessary; nil without one.
  static func path(_ variable: (String) -> String?) -> String? {
    let runtime = variable("XDG_RUNTIME_DIR").flatMap { $0.hasPrefix("/") ? $0 : nil }
    let parent = runtime ?? Drafts.stateFolder(variable).parent
    let folder = parent + "/photoedit"
    do throws(FileError) {
      if runtime == nil { try Drafts.createStateFolder(variable) }
      try FileSystem.createFolder(folder)
      return try OpenFile(folder: folder, followsLink: false).isPrivate() ? folder : nil
    } catch {
      return nil
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import CPhotoEditMicroHTTPD
import PhotoEditPlatform
package import PhotoEditServeArguments

/// The server of `photoedit serve`.
package enum WebServer {
  /// The version of the program.
  package static let version = programVersion

  /// Serves photos until the command is canceled.
  package static func run(
    _ arguments: ServeArguments, _ environment: CommandEnvironment
  ) throws(CommandFailure) {
    if arguments.printsLink, arguments.input == nil, arguments.library == nil {
      for link in try ControlSocket.requestLinks(environment.variable) { environment.print(link) }
      return
    }
    let key = try ServedInput.key(arguments, environment)
    let control = ControlSocket(key: key, environment.variable)
    if arguments.printsLink {
      environment.print(try control.requestLink())
      return
    }
    let source = try ServedInput.source(arguments, environment)
    let endpoint = try Endpoint(arguments)
    let logins = LoginSessions(cookie: endpoint.cookie)
    let files = StaticFiles(folder: try webFolder(arguments))
    let roots = try Roots(arguments)
    let service = try translating(
      { CommandFailure(ExitCode($0.failureClass), $0.message, hint: $0.hint) }
    ) { () throws(LibraryError) in
      try WebService(
        source, isReadOnly: arguments.isReadOnly, logins: logins, files: files,
        drafts: Drafts(environment.variable), presets: Presets(environment.variable),
        settings: PageSettings(environment.variable), uploads: Uploads(environment.variable),
        roots: roots, isSecure: endpoint.isSecure)
    }
    let logs = arguments.logsAccess
    guard
      let server = HTTPServer(
        gate: Gate(host: endpoint.host, origin: endpoint.origin),
        beginUpload: { request, count throws(Problem) in
          try service.beginUpload(request, byteCount: count)
        },
        isLoggedIn: logins.isLoggedIn,
        respond: service.responder { line in if logs { environment.note(line) } })
    else { throw CommandFailure(.busy, "cannot start threads", hint: "raise the process limit") }

    let link: @Sendable () -> String = { "\(endpoint.origin)/#code=\(logins.makeCode())" }
    let isServed = server.run(on: endpoint.socket) {
      control.listen(link)
      let first = link()
      environment.print("address: \(endpoint.origin)/")
      environment.print("link: \(first)")
      environment.output.flush()
      environment.note("open the link: it works once, for ten minutes; Ctrl-C ends the server")
      if endpoint.isProxied {
        environment.note("TLS and a login are the task of the reverse proxy")
      }
      // While the browser starts.
      _ = ThreadGroup.detach { files.prepare() }
      let page = arguments.staysClosed ? nil : LaunchPage.open(first, environment.variable)
      let hasEnded = LockedValue(false)
      environment.cancellation.withHandler({ hasEnded.change { $0 = true } }) {
        hasEnded.wait { $0 ? () : nil }
      }
      page?.remove()
      service.end()
      control.close()
      endpoint.close()
    }
    guard isServed else {
      throw CommandFailure(.unavailable, "cannot start the server", hint: "try again")
    }
    try environment.checkCancellation()
  }

  private static func webFolder(_ arguments: ServeArguments) throws(CommandFailure) -> String? {
    #if DEBUG
      return arguments.webFolder
    #else
      guard arguments.webFolder == nil else {
        throw .usage("--web-folder: is only available in debug builds", hint: "omit it")
      }
      return nil
    #endif
  }
}

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

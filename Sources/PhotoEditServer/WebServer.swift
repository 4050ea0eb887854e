// SPDX-License-Identifier: Apache-2.0
import CPhotoEditMicroHTTPD
package import PhotoEditCommandLine
import PhotoEditLibrary
import PhotoEditPlatform
package import PhotoEditServeArguments
import PhotoEditStorage

/// The server of `photoedit serve`.
package enum WebServer {
  /// The version of the program.
  package static let version = programVersion

  /// Serves photos until the command is canceled.
  package static func run(
    _ arguments: ServeArguments, _ environment: CommandEnvironment
  ) throws(CommandFailure) {
    let key = try ServedInput.key(arguments, environment)
    let control = ControlSocket(key: key, environment.variable)
    if arguments.printsLink {
      environment.print(try control.requestLink())
      return
    }
    let source = try ServedInput.source(arguments, environment)
    let endpoint = try Endpoint(arguments, key: key)
    let logins = LoginSessions(cookie: endpoint.cookie)
    let files = StaticFiles(folder: try webFolder(arguments))
    let roots = try Roots(arguments)
    let service = try translating(
      { CommandFailure(Problem($0).code, $0.message, hint: $0.hint) }
    ) { () throws(LibraryError) in
      try WebService(
        source, isReadOnly: arguments.isReadOnly, logins: logins, files: files,
        drafts: Drafts(environment.variable), presets: Presets(environment.variable),
        uploads: Uploads(environment.variable), roots: roots, isSecure: endpoint.isSecure)
    }
    let logs = arguments.logsAccess
    guard
      let server = HTTPServer(
        gate: Gate(host: endpoint.host, origin: endpoint.origin),
        beginUpload: { request, count throws(Problem) in
          try service.beginUpload(request, byteCount: count)
        },
        respond: service.responder { line in if logs { environment.note(line) } })
    else { throw CommandFailure(.busy, "cannot start threads", hint: "raise the process limit") }

    let link: @Sendable () -> String = { "\(endpoint.origin)/#code=\(logins.makeCode())" }
    let isServed = server.run(on: endpoint.socket) {
      control.listen(link)
      let first = link()
      environment.print("address: \(endpoint.origin)/")
      environment.print("link: \(first)")
      environment.output.flush()
      if endpoint.isProxied {
        environment.note("TLS and a login are the task of the reverse proxy")
      }
      let page = arguments.staysClosed ? nil : LaunchPage.open(first, environment.variable)
      let hasEnded = LockedValue(false)
      environment.cancellation.withHandler({ hasEnded.change { $0 = true } }) {
        hasEnded.wait { $0 ? () : nil }
      }
      page?.remove()
      service.removeUploads()
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

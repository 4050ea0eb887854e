// SPDX-License-Identifier: Apache-2.0
package import PhotoEditCommandLine

/// The version of the programs.
package let programVersion = "0.2.0"

/// The arguments of `serve`, which `photoedit` checks and `photoedit-serve` carries out.
package struct ServeArguments: Sendable {
  /// The photo or the folder.
  package var input: String?
  package var library: String?
  package var port = 8737
  package var address: String?
  package var socket: String?
  package var listen: String?
  package var origin: String?
  package var isReadOnly = false
  package var staysClosed = false
  package var printsLink = false
  package var logsAccess = false
  package var imports: [String] = []
  package var exports: [String] = []
  package var webFolder: String?

  package init() {}

  /// The abstract of the command.
  package static let abstract = "Show and edit photos in the browser, on this machine only."

  package static let discussion = """
    Prints a link that works once, for ten minutes, and opens it in the browser where there is a \
    display. The page works until the server stops (Ctrl-C). Other programs and other users of \
    the machine cannot use it. A folder is served with its subfolders. Edits are stored as by 'photoedit apply': originals are never \
    changed, and all other commands see the edits.
    """

  package static let examples = [
    CommandExample("serve photo.jpg", "edit a photo in the browser"),
    CommandExample("serve --library ~/Photos", "browse a library"),
    CommandExample("serve --link", "print another link to each running server"),
  ]

  package static let all: [Argument<Self>] = [
    .positional("INPUT", \.input, "Photo or folder."),
    .option("library", short: "L", \.library, value: "DIR", "Photo library."),
    .flag("no-open", \.staysClosed, "Do not open a browser."),
    .option(
      "port", \.port, in: 0...65535, value: "N",
      "TCP port; the next free one if it is in use, 0 for any."),
    .flag("read-only", \.isReadOnly, "Do not allow changes."),
    .option(
      "import-from", \.imports, value: "DIR",
      "Folder from which the page can import into the library."),
    .option(
      "export-to", \.exports, value: "DIR",
      "Folder into which the page can export photos of the library."),
    .option(
      "address", \.address, value: "A",
      "Loopback address (default: one of 127.0.0.0/8, another one at every start)."),
    .option("socket", \.socket, value: "PATH", "Listen on a local socket, for a reverse proxy."),
    .option(
      "listen", \.listen, value: "A:P",
      "Listen on another address, for a reverse proxy; needs --origin."),
    .option(
      "origin", \.origin, value: "URL", "Address of the reverse proxy, such as https://name."),
    .flag(
      "link", \.printsLink,
      "Print another link to the running server of INPUT, or of every input."),
    .flag("log", \.logsAccess, "Write a line for each request to standard error."),
    .option("web-folder", \.webFolder, value: "DIR", "Read the page from a folder.").hidden,
  ]
}

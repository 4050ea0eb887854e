// SPDX-License-Identifier: Apache-2.0
import PhotoEdit
import PhotoEditStorage

@testable import PhotoEditServer

/// Requests as a browser sends them.
enum TestRequests {
  static let host = "127.9.8.7:8737"
  static let gate = Gate(host: host, origin: "http://" + host)

  /// Returns the head of a request; `fields` replace those of the same name, nil removes one.
  static func head(
    _ method: String = "GET", _ target: String = "/", version: String = "HTTP/1.1",
    _ fields: [(String, String?)] = [], byteCount: Int? = nil
  ) -> RequestHead {
    var all: [RequestHead.Field] = [.init(name: "host", value: host)]
    for (name, value) in fields {
      if name == "host" { all.removeAll { $0.name == "host" } }
      if let value { all.append(.init(name: name, value: value)) }
    }
    let head = RequestHead(
      method: method, target: target, version: version, fields: all, byteCount: 0)
    return RequestHead(
      method: method, target: target, version: version, fields: all,
      byteCount: byteCount ?? head.expectedByteCounts.upperBound)
  }

  /// Returns a request that passed the gate.
  static func request(
    _ method: String = "GET", _ target: String = "/", _ fields: [(String, String?)] = [],
    body: String = ""
  ) -> Request? {
    RequestTarget(target).map {
      Request(head: head(method, target, fields), target: $0, body: Array(body.utf8))
    }
  }

  /// Returns a service for photos, with its state in a folder.
  static func service(
    _ source: any PhotoSource, in folder: String, isReadOnly: Bool = false,
    roots: Roots = .none
  ) throws -> WebService {
    try WebService(
      source, isReadOnly: isReadOnly, logins: LoginSessions(cookie: "photoedit-8737"),
      files: StaticFiles(), drafts: Drafts { $0 == "XDG_STATE_HOME" ? folder : nil },
      presets: Presets { $0 == "XDG_DATA_HOME" ? folder : nil },
      settings: PageSettings { $0 == "XDG_STATE_HOME" ? folder : nil },
      uploads: Uploads { $0 == "XDG_STATE_HOME" ? folder : nil }, roots: roots)
  }
}

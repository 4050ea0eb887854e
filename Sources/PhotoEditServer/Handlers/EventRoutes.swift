// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditLibrary
import PhotoEditStorage

extension WebService {
  /// The stream of events, and the commits of a library.
  var eventRoutes: [Route] {
    [
      Route("GET", "/api/events") { request throws(Problem) in
        let names = request.target.query["views"]?.split(separator: ",").map(String.init) ?? []
        let token = request.head["last-event-id"] ?? request.target.query["after"]
        let stream = try self.changes.subscribe(
          views: Set(names), after: token?.isEmpty == false ? token : nil,
          tab: request.target.query["tab"], request.head)
        return HTTPResponse(
          status: 200,
          fields: [("Content-Type", "text/event-stream"), ("Cache-Control", "no-store")],
          body: .stream(stream))
      },
      Route("GET", "/api/changes") { request throws(Problem) in
        guard let library = self.source.library else {
          throw Problem(.notFound, "the history requires a library")
        }
        let since = request.target.query["since"] ?? ""
        let commits = try translating(Problem.init) { () throws(LibraryError) in
          let changes =
            since.isEmpty
            ? try library.fetchPersistentChanges()
            : try library.fetchPersistentChanges(since: try PersistentChangeToken(since))
          var commits: [JSONValue] = []
          for commit in changes.prefix(Self.maximumCommits) { commits.append(try commit.summary) }
          return commits
        }
        return .json(.object(["changes": .array(commits)]))
      },
    ]
  }

  /// The number of commits in one response.
  private static let maximumCommits = 1000
}

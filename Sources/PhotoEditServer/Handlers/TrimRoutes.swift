// SPDX-License-Identifier: Apache-2.0
import PhotoEditMovieFiles

extension WebService {
  /// The times that trims of videos keep.
  var trimRoutes: [Route] {
    [
      Route(
        "GET", "/api/assets/{asset}/trim",
        "Return the seconds of the original video that a trim keeps, from a key frame on.",
        discussion: "The times are null for a container whose key frames are only known from its "
          + "packets, such as Matroska.",
        fields: TrimQuery.declared,
        returns: .json(["start": .number.orNull, "end": .number.orNull]),
        fails: .missing, .conflict, .invalidGraph("Nothing is left, or the video is damaged.")
      ) { request throws(Problem) in
        let state = try self.source.versions(of: request["asset"])
        guard state.isMovie else { throw Problem(.notFound, "the asset is not a video") }
        let query = try request.fields
        let file = try self.source.open(state.original.path, of: request["asset"])
        let kept: ClosedRange<Double>?
        do throws(MovieError) {
          kept = try PassthroughExport.keptRange(of: file, start: query.start, end: query.end)
        } catch {
          throw Problem(.invalidGraph, Problem(error).detail)
        }
        return .json([
          "start": kept.map { .number($0.lowerBound) } ?? .null,
          "end": kept.map { .number($0.upperBound) } ?? .null,
        ])
      }
    ]
  }
}

/// The times of a trim.
private struct TrimQuery: Sendable {
  static let declared = RouteFields(
    Self(), .query("start", \.start, .seconds), .query("end", \.end, .seconds))

  var start = 0.0
  var end: Double?
}

extension FieldType<Double> {
  /// A time of a video in a query.
  fileprivate static var seconds: Self {
    Self(.number, write: { .number($0) }) { (value, name) throws(Problem) in
      guard let seconds = value.stringValue.flatMap(Double.init), (0...1e9).contains(seconds) else {
        throw Problem(.badRequest, "\(name) is not a number of seconds")
      }
      return seconds
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
public import PhotoEditFilters

/// What a filter graph means for a movie: what can be done to its packets and header, and what
/// needs its frames decoded and encoded anew.
public struct MovieRecipe: Sendable, Hashable {
  /// The changes that leave frames as they are, in the order of the graph.
  public private(set) var edits: [MovieEdit] = []
  /// What is to be done to the frames before `edits`; nil when they can stay as they are.
  ///
  /// Turns and flips are among it, because crops and the like depend on the order.
  public private(set) var frames: FilterGraph?
  /// The first node that needs frames, such as "node 'n2' (sepia)"; nil when none does.
  public private(set) var firstFrameNode: String?

  /// Sorts the nodes of a graph.
  ///
  /// - Throws: `GraphObstacle` for the first node that cannot be understood or done to a movie.
  public init(_ graph: FilterGraph) throws(GraphObstacle) {
    if let obstacle = graph.obstacles.first { throw obstacle }
    var frames = graph
    for node in graph.needed where node.isEnabled {
      let filter = try node.resolved()
      if type(of: filter).description.family == .movie {
        guard node.isPlain else {
          throw GraphObstacle(
            node: node.id, .unsupported("inputs, a mask, a blend mode or an opacity on a movie"))
        }
      } else if !(node.isPlain && Self.turn(filter) != nil) {
        firstFrameNode = firstFrameNode ?? "node '\(node.id)' (\(node.filter))"
      }
    }
    for node in graph.needed where node.isEnabled {
      let filter = try node.resolved()
      if let operation = Self.operation(filter) {
        edits.append(operation)
        do throws(GraphEditError) { try frames.remove(node: node.id) } catch {
          throw GraphObstacle(node: node.id, .unsupported("an input of another node"))
        }
      } else if firstFrameNode == nil, let turn = Self.turn(filter) {
        edits.append(turn)
      }
    }
    if firstFrameNode != nil { self.frames = frames }
  }

  /// Turning and mirroring, which the display matrix can say.
  private static func turn(_ filter: any Filter) -> MovieEdit? {
    switch filter {
    case let filter as Rotate90: .rotate90(turns: filter.turns)
    case let filter as Flip: .flip(filter.axis == .horizontal ? .horizontal : .vertical)
    default: nil
    }
  }

  private static func operation(_ filter: any Filter) -> MovieEdit? {
    switch filter {
    case let filter as Trim:
      .trim(start: filter.start, end: filter.end == 0 ? nil : filter.end)
    case is Mute: .mute
    case let filter as Volume: .volume(filter.amount)
    case let filter as CreationDate: MovieDate(filter).map { .creationDate($0) }
    case let filter as Location:
      MovieLocation(
        latitude: filter.latitude, longitude: filter.longitude, altitude: filter.altitude.first
      ).map { .location($0) }
    case is RemoveLocation: .location(nil)
    default: nil
    }
  }
}

extension MovieDate {
  /// The moment that a filter says; nil for a date that its checks would refuse.
  fileprivate init?(_ filter: CreationDate) {
    let numbers = (filter.date + filter.time).compactMap { Int(exactly: $0) }
    guard numbers.count == 6 else { return nil }
    let zone = filter.utcOffset.magnitude
    self.init(
      "\(digits(numbers[0], 4))-\(digits(numbers[1], 2))-\(digits(numbers[2], 2))"
        + "T\(digits(numbers[3], 2)):\(digits(numbers[4], 2)):\(digits(numbers[5], 2))"
        + (filter.utcOffset < 0 ? "-" : "+") + digits(Int(zone / 60), 2)
        + digits(Int(zone % 60), 2))
  }
}

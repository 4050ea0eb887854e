// SPDX-License-Identifier: Apache-2.0
import PhotoEditContainers
public import PhotoEditFilters

/// The effect of a filter graph on a video: edits of its packets and header, and filters that
/// require its frames to be decoded and re-encoded.
public struct MovieEditPlan: Sendable, Hashable {
  /// The edits that leave frames unchanged, in graph order.
  public private(set) var edits: [MovieEdit] = []
  /// The filters that are applied to the frames before `edits`; nil if no frame changes.
  ///
  /// Rotations and flips are included, because crops and similar filters depend on the order.
  public private(set) var frames: FilterGraph?
  /// The first node that requires frames, such as "node 'n2' (sepia)"; nil if absent.
  public private(set) var firstFrameNode: String?

  /// Classifies the nodes of a graph.
  ///
  /// - Throws: `UnsupportedNode` for the first node that is unsupported or cannot be applied to a
  ///   video.
  public init(_ graph: FilterGraph) throws(UnsupportedNode) {
    if let unsupportedNode = graph.blockingReasons.first { throw unsupportedNode }
    var frames = graph
    for node in graph.needed where node.isEnabled {
      let filter = try node.resolved()
      if type(of: filter).description.dependency == .movie {
        guard node.isPlain else {
          throw UnsupportedNode(
            node: node.id, .unsupported("inputs, a mask, a blend mode or an opacity for a video"))
        }
      } else if !(node.isPlain && Self.orientationEdit(filter) != nil) {
        firstFrameNode = firstFrameNode ?? "node '\(node.id)' (\(node.filter))"
      }
    }
    for node in graph.needed where node.isEnabled {
      let filter = try node.resolved()
      if let operation = Self.operation(filter) {
        edits.append(operation)
        do throws(GraphEditError) { try frames.remove(node: node.id) } catch {
          throw UnsupportedNode(node: node.id, .unsupported("an input of another node"))
        }
      } else if firstFrameNode == nil, let orientationEdit = Self.orientationEdit(filter) {
        edits.append(orientationEdit)
      }
    }
    if firstFrameNode != nil { self.frames = frames }
  }

  /// Returns the rotation or flip that the display matrix can express.
  private static func orientationEdit(_ filter: any Filter) -> MovieEdit? {
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
  /// Creates the date of a filter; nil for a date that its validation would reject.
  fileprivate init?(_ filter: CreationDate) {
    let numbers = (filter.date + filter.time).compactMap { Int(exactly: $0) }
    guard numbers.count == 6 else { return nil }
    let zone = filter.utcOffset.magnitude
    self.init(
      "\(zeroPadded(numbers[0], 4))-\(zeroPadded(numbers[1]))-\(zeroPadded(numbers[2]))"
        + "T\(zeroPadded(numbers[3])):\(zeroPadded(numbers[4])):\(zeroPadded(numbers[5]))"
        + (filter.utcOffset < 0 ? "-" : "+") + zeroPadded(Int(zone / 60))
        + zeroPadded(Int(zone % 60)))
  }
}

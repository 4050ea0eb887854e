// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs

extension Asset {
  /// A rectangle that the asset's files mark in the photo, such as a face.
  ///
  /// Positions and sizes are parts of the width and the height of the original as displayed. Not in
  /// PhotoKit.
  public struct Region: Sendable, Hashable, Codable {
    /// The kinds of regions.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
      /// A human face.
      case face
      /// An animal.
      case pet
      /// The position in focus.
      case focus
      /// A bar code.
      case barCode
    }

    /// The kind of region.
    public let kind: Kind
    /// The name of what it shows; nil if not stated.
    public let name: String?
    /// The center, from the left edge.
    public let x: Double
    /// The center, from the upper edge.
    public let y: Double
    /// The width.
    public let width: Double
    /// The height.
    public let height: Double
  }
}

extension Asset.Region {
  init(_ region: PhotoRegion) {
    kind =
      switch region.kind {
      case .face: .face
      case .pet: .pet
      case .focus: .focus
      case .barCode: .barCode
      }
    func rounded(_ value: Double) -> Double { (value * 1e6).rounded() / 1e6 }
    name = region.name
    (x, y) = (rounded(region.x), rounded(region.y))
    (width, height) = (rounded(region.width), rounded(region.height))
  }

  /// Reads the column: one region per line, its fields separated by tabs; other lines are ignored.
  static func list(_ column: String?) -> [Asset.Region] {
    (column?.split(separator: "\n") ?? []).compactMap { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      guard fields.count == 6, let kind = Kind(rawValue: String(fields[0])) else { return nil }
      let numbers = fields[1..<5].compactMap { Double($0) }.filter { (0...1).contains($0) }
      guard numbers.count == 4 else { return nil }
      return Asset.Region(
        kind: kind, name: fields[5].isEmpty ? nil : String(fields[5]), x: numbers[0],
        y: numbers[1], width: numbers[2], height: numbers[3])
    }
  }

  static func column(_ regions: [Asset.Region]) -> String? {
    // Names contain no control characters.
    TextList(
      regions.map {
        "\($0.kind.rawValue)\t\($0.x)\t\($0.y)\t\($0.width)\t\($0.height)\t\($0.name ?? "")"
      }
    ).text
  }

  var json: JSONValue {
    [
      "kind": .string(kind.rawValue), "name": name.map { .string($0) } ?? .null, "x": .number(x),
      "y": .number(y),
      "width": .number(width), "height": .number(height),
    ]
  }
}

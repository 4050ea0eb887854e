// SPDX-License-Identifier: Apache-2.0
public import PhotoEditFilters
public import PhotoEditPixels

/// The translation of a third-party edit: a graph and a report on every setting.
///
/// A setting that has an effect is in exactly one of the three lists. Other settings are in none of
/// them: they have their identity value or do not concern pixels, such as the name of a preset.
public struct EditConversion: Hashable, Sendable {
  /// The program that the settings come from.
  public enum Format: String, Sendable, Hashable {
    /// Lightroom or Camera Raw: XMP with the prefix crs.
    case lightroom
    /// Apple Photos: an AAE.
    case apple
  }

  /// One setting, its value as written, and the result of its translation.
  public struct Setting: Hashable, Sendable, CustomStringConvertible {
    /// The name of the setting in its program.
    public var name: String
    /// The value as its program writes it, shortened if it is long.
    public var value: String
    /// The equivalent filter, or the reason why no filter is used.
    public var note: String

    /// The setting as text, such as "Exposure2012 +0.50: exposure:ev=0.5".
    public var description: String { "\(name) \(value): \(note)" }
  }

  /// The image for which an edit is translated.
  public struct Target: Hashable, Sendable {
    /// The size of the image with the orientation applied.
    public var size: PixelSize
    /// The orientation of the stored pixels.
    public var orientation: Orientation

    /// Creates a target.
    public init(size: PixelSize, orientation: Orientation = .up) {
      self.size = size
      self.orientation = orientation
    }
  }

  /// The program that the settings come from.
  public let format: Format
  /// The filters in the order in which they are applied.
  public internal(set) var graph = FilterGraph()
  /// Settings that have an exact equivalent.
  public internal(set) var mapped: [Setting] = []
  /// Settings that are approximated by the nearest filter; pixels differ.
  public internal(set) var approximated: [Setting] = []
  /// Settings that have an effect in their program but no equivalent here.
  public internal(set) var unmapped: [Setting] = []

  init(_ format: Format) { self.format = format }

  /// Adds a filter.
  ///
  /// - Returns: The reason why the filter cannot be added; nil if it was added.
  mutating func add(_ filter: any Filter) -> String? {
    do throws(ParameterError) {
      try graph.append(filter)
      return nil
    } catch {
      return "\(error)"
    }
  }
}

extension Filter {
  /// Returns the filter in command-line syntax with the given parameters.
  func argumentText(_ names: [String]) -> String {
    let values = values
    let pairs = names.compactMap { name in values[name].map { name + "=" + $0.rounded.argument } }
    return type(of: self).description.name + (pairs.isEmpty ? "" : ":")
      + pairs.joined(separator: ",")
  }
}

/// Returns the beginning of a text from a file, for messages and reports.
func shortened(_ text: String, to limit: Int = 80) -> String {
  let scalars = text.unicodeScalars
  guard let end = scalars.index(scalars.startIndex, offsetBy: limit, limitedBy: scalars.endIndex),
    end != scalars.endIndex
  else { return text }
  return String(scalars[..<end]) + "…"
}

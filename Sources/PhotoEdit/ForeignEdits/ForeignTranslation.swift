// SPDX-License-Identifier: Apache-2.0
public import PhotoEditFilters
public import PhotoEditPixels

/// What becomes of another program's edit here: a graph, and an account of every setting.
///
/// A setting that does something is in exactly one of the three lists. Those that do nothing are in
/// none: they have their neutral value, or say nothing about pixels, such as the name of a preset.
public struct ForeignTranslation: Hashable, Sendable {
  /// Whose settings they are.
  public enum Format: String, Sendable, Hashable {
    /// Lightroom or Camera Raw: XMP with the prefix crs.
    case lightroom
    /// Apple Photos: an AAE.
    case apple
  }

  /// One setting, its value as it was written, and what became of it.
  public struct Setting: Hashable, Sendable, CustomStringConvertible {
    /// The setting in the words of its program.
    public var name: String
    /// Its value in the words of its program, shortened where it is long.
    public var value: String
    /// The filter that stands for it, or why there is none.
    public var note: String

    /// "Exposure2012 +0.50: exposure:ev=0.5".
    public var description: String { "\(name) \(value): \(note)" }
  }

  /// The picture for which an edit is translated.
  public struct Target: Hashable, Sendable {
    /// Its size as people see it.
    public var size: PixelSize
    /// How its stored pixels are turned for that.
    public var orientation: Orientation

    /// Makes a target.
    public init(size: PixelSize, orientation: Orientation = .up) {
      self.size = size
      self.orientation = orientation
    }
  }

  /// Whose settings they are.
  public let format: Format
  /// The filters, in the order in which they are applied.
  public internal(set) var graph = FilterGraph()
  /// Settings that mean the same here.
  public internal(set) var mapped: [Setting] = []
  /// Settings for which the nearest filter stands; pixels differ.
  public internal(set) var approximated: [Setting] = []
  /// Settings that do something there and nothing here.
  public internal(set) var unmapped: [Setting] = []

  init(_ format: Format) { self.format = format }

  /// Adds a filter.
  ///
  /// - Returns: Why that is impossible; nil when it was added.
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
  /// The filter in the spelling of the command line, with some of its parameters or all.
  func words(_ names: [String]) -> String {
    let values = values
    let pairs = names.compactMap { name in values[name].map { name + "=" + $0.rounded.argument } }
    return type(of: self).description.name + (pairs.isEmpty ? "" : ":")
      + pairs.joined(separator: ",")
  }
}

/// The beginning of a text that a file gives, for messages and reports.
func shortened(_ text: String, to limit: Int = 80) -> String {
  let scalars = text.unicodeScalars
  guard let end = scalars.index(scalars.startIndex, offsetBy: limit, limitedBy: scalars.endIndex),
    end != scalars.endIndex
  else { return text }
  return String(scalars[..<end]) + "…"
}

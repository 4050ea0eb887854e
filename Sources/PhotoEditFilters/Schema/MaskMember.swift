// SPDX-License-Identifier: Apache-2.0
import PhotoEditContainers

/// The role of one mask in a group of masks.
public struct MaskMember: Hashable, Sendable {
  /// The effect of a mask on the mask of the members before it.
  public enum Operation: String, Hashable, Sendable, CaseIterable {
    /// The mask is added.
    case add
    /// The mask is removed.
    case subtract
    /// Only what both cover remains.
    case intersect
  }

  /// The effect of the mask on those before it.
  public var operation: Operation
  /// The share of that effect, 0 to 1; at 0 the members before it remain as they are.
  public var opacity: Double
  /// Indicates whether the mask is inverted first.
  public var isInverted: Bool
  /// A name for people, up to 100 bytes of UTF-8 without control characters; empty for none.
  public var name: String

  /// Creates a member.
  public init(
    _ operation: Operation = .add, opacity: Double = 1, isInverted: Bool = false, name: String = ""
  ) {
    (self.operation, self.opacity) = (operation, opacity)
    (self.isInverted, self.name) = (isInverted, name)
  }

  /// The maximum size of a name in UTF-8.
  static let maximumBytesOfName = 100

  /// Returns the member with its number changed by a function.
  func map(_ change: (Double) -> Double) -> MaskMember {
    MaskMember(operation, opacity: change(opacity), isInverted: isInverted, name: name)
  }

  /// Returns why the member is invalid; nil if it is valid.
  var problem: String? {
    if !(0...1).contains(opacity) { return "opacity \(jsonNumber(opacity))" }
    if name.utf8.count > Self.maximumBytesOfName { return "name of \(name.utf8.count) bytes" }
    let control = name.unicodeScalars.first { $0.properties.generalCategory == .control }
    return control.map { "name with the control character \($0.value)" }
  }
}

// MARK: JSON

extension MaskMember {
  /// Reads a member from an object; nil for anything else, also for an unknown key, which would be
  /// lost.
  init?(_ json: JSONValue) {
    guard Self.problem(with: json) == nil else { return nil }
    self.init(
      (json["op"]?.stringValue).flatMap(Operation.init(rawValue:)) ?? .add,
      opacity: json["opacity"]?.numberValue ?? 1, isInverted: json["invert"]?.boolValue ?? false,
      name: json["name"]?.stringValue ?? "")
  }

  /// Returns why JSON is not a member; nil if it is one.
  static func problem(with json: JSONValue) -> String? {
    guard case .object(let fields) = json else { return "no object" }
    guard let operation = fields["op"] else { return "no op" }
    guard operation.stringValue.flatMap(Operation.init(rawValue:)) != nil else {
      return "op \(operation.stringValue.map { "'\($0)'" } ?? "that is no text")"
    }
    for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
      let isValid: Bool? =
        switch name {
        case "op": true
        case "opacity": value.numberValue != nil
        case "invert": value.boolValue != nil
        case "name": value.stringValue != nil
        default: nil
        }
      guard let isValid else { return "unknown key '\(name)'" }
      if !isValid { return "\(name) of another type" }
    }
    return nil
  }

  /// The object; values that a reader assumes are left out.
  var json: JSONValue {
    var fields: [String: JSONValue] = ["op": .string(operation.rawValue)]
    if opacity != 1 { fields["opacity"] = .number(opacity) }
    if isInverted { fields["invert"] = .bool(true) }
    if !name.isEmpty { fields["name"] = .string(name) }
    return .object(fields)
  }
}

// MARK: Command line

extension MaskMember {
  /// The member in command-line notation, such as "subtract:0.5:invert=Sky".
  ///
  /// In the name, the characters that separate members and parameters are written like "%2F".
  var argument: String {
    var text = operation.rawValue
    if opacity != 1 { text += ":" + jsonNumber(opacity) }
    if isInverted { text += ":invert" }
    if name.isEmpty { return text }
    let escaped = name.unicodeScalars.map { scalar -> String in
      "%/,".unicodeScalars.contains(scalar)
        ? "%" + String(scalar.value, radix: 16, uppercase: true) : String(scalar)
    }
    return text + "=" + escaped.joined()
  }

  /// Reads "op", "op:opacity", "op:opacity:invert" or "op:invert", possibly with "=name" after it.
  ///
  /// - Parameter number: Reads a number.
  init?(argument: Substring, number: (Substring) -> Double?) {
    // Scalars, since a name may begin with one that combines with the character before it.
    let end = argument.unicodeScalars.firstIndex(of: "=")
    var parts = argument[..<(end ?? argument.endIndex)]
      .split(separator: ":", omittingEmptySubsequences: false)
    guard let operation = Operation(rawValue: String(parts.removeFirst())) else { return nil }
    self.init(operation)
    if let text = parts.first, text != "invert" {
      guard let value = number(text) else { return nil }
      opacity = value
      parts.removeFirst()
    }
    isInverted = parts.first == "invert"
    guard parts.count == (isInverted ? 1 : 0) else { return nil }
    if let end {
      guard let name = Self.unescaped(argument.unicodeScalars[end...].dropFirst()) else {
        return nil
      }
      self.name = name
    }
  }

  /// Returns a name without "%2F" and the like; nil if there is no character after a "%".
  private static func unescaped(_ text: Substring.UnicodeScalarView) -> String? {
    let parts = text.split(separator: "%", omittingEmptySubsequences: false)
    var name = String.UnicodeScalarView(parts[0])
    for part in parts.dropFirst() {
      let digits = part.prefix(2)
      guard digits.count == 2, digits.allSatisfy(\.properties.isASCIIHexDigit),
        let code = UInt8(String(Substring(digits)), radix: 16), code < 0x80
      else { return nil }
      name.append(Unicode.Scalar(code))
      name.append(contentsOf: part.dropFirst(2))
    }
    return String(name)
  }
}

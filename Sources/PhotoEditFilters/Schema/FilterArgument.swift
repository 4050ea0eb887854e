// SPDX-License-Identifier: Apache-2.0

/// A filter in command-line notation: `name`, or `name:key=value,key=value`.
///
/// Values of `file` and `text` may contain commas, and those of `text` also what is not a name before
/// an equals sign; a trailing comma is ignored otherwise.
package struct FilterArgument: Sendable, CustomStringConvertible {
  /// The name of the filter.
  package let name: String
  /// The keys and values in the order given.
  package var pairs: [(key: String, value: String)] = []

  /// Parses an argument.
  package init(_ argument: String) throws(ParameterError) {
    guard let colon = argument.firstIndex(of: ":") else {
      if argument.isEmpty || argument.contains("=") { throw .malformed(argument: argument) }
      name = argument
      return
    }
    name = String(argument[..<colon])
    for part in argument[argument.index(after: colon)...].split(
      separator: ",", omittingEmptySubsequences: false)
    {
      let last = pairs.last?.key
      if let equals = part.firstIndex(of: "="), equals != part.startIndex,
        last != "text" || Self.isName(part[..<equals])
      {
        pairs.append((String(part[..<equals]), String(part[part.index(after: equals)...])))
      } else if last == "text" || last == "file" && !part.contains("=") {
        pairs[pairs.count - 1].value += "," + part
      } else if !part.isEmpty {
        throw .malformed(argument: argument)
      }
    }
  }

  private static func isName(_ text: Substring) -> Bool {
    text.utf8.allSatisfy { (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) }
  }

  /// The first value of a key; nil if it is not given.
  package subscript(key: String) -> String? { pairs.first { $0.key == key }?.value }

  /// Removes the first value of each key, so that a second one is rejected, and returns them.
  package mutating func take(_ keys: Set<String>) -> [String: String] {
    var taken: [String: String] = [:]
    pairs.removeAll { key, value in
      guard keys.contains(key), taken[key] == nil else { return false }
      taken[key] = value
      return true
    }
    return taken
  }

  /// The argument, parsed or composed.
  package var description: String {
    pairs.isEmpty
      ? name : name + ":" + pairs.map { "\($0.key)=\($0.value)" }.joined(separator: ",")
  }
}

// SPDX-License-Identifier: Apache-2.0
import PhotoEditCommandLine
import PhotoEditFilters

extension CommandEnvironment {
  /// Writes one object on a line of its own, with the schema's version.
  func write(_ fields: [String: JSONValue]) throws(CommandFailure) {
    var fields = fields
    fields["schemaVersion"] = 1
    do {
      let bytes = try JSONValue.object(fields).canonicalBytes(limits: resultLimits)
      output.write(escapingUnsafe(String(decoding: bytes, as: UTF8.self)) + "\n")
    } catch {
      throw CommandFailure(.internalFault, "the result cannot be written as JSON: \(error)")
    }
  }
}

/// The bounds of a recipe are not those of a result: what is stored is listed.
private let resultLimits = JSONLimits(
  maximumBytes: 256 << 20, maximumStringBytes: 16 << 20, maximumArrayCount: 10_000_000)

/// Escapes what could move the cursor of a terminal or reorder a line; the JSON means the same.
private func escapingUnsafe(_ json: String) -> String {
  guard json.unicodeScalars.contains(where: \.steersDisplay) else { return json }
  return json.unicodeScalars.reduce(into: "") { text, scalar in
    text += scalar.steersDisplay ? escape(scalar) : String(scalar)
  }
}

extension JSONValue {
  /// A list of texts.
  static func texts(_ texts: some Sequence<String>) -> JSONValue {
    .array(texts.map { .string($0) })
  }

  /// A text, or null.
  static func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

  /// A whole number.
  static func whole(_ number: Int) -> JSONValue { .number(Double(number)) }
}

// SPDX-License-Identifier: Apache-2.0
import CommandLineKit
import Filters

extension CommandEnvironment {
  /// Writes one object on a line of its own, with the schema's version.
  func write(_ fields: [String: JSONValue]) throws(CommandFailure) {
    var fields = fields
    fields["schemaVersion"] = 1
    do {
      output.write(bytes: try JSONValue.object(fields).canonicalBytes() + [10])
    } catch {
      throw CommandFailure(.internalFault, "the result cannot be written as JSON: \(error)")
    }
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

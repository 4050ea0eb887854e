// SPDX-License-Identifier: Apache-2.0

/// Lines with a label and a text, aligned for display.
struct LabelledLines {
  private var lines: [(label: String, text: String)] = []

  /// Adds a line if the text is not nil.
  mutating func add(_ label: String, _ text: String?) {
    if let text { lines.append((label, text)) }
  }

  /// Adds one line for each text, with the label before the first one.
  mutating func add(_ label: String, each texts: [String]) {
    for (index, text) in texts.enumerated() { lines.append((index == 0 ? label : "", text)) }
  }

  /// Writes the lines to standard output with control characters escaped.
  func print(in environment: CommandEnvironment) {
    let width = lines.map { printable($0.label).count }.max() ?? 0
    for line in lines {
      let padding = String(repeating: " ", count: width - printable(line.label).count)
      environment.print(line.label + padding + "  " + line.text)
    }
  }
}

extension CommandEnvironment {
  /// Writes an object on its own line, with the version of the schema.
  func write(_ fields: [String: JSONValue]) throws(CommandFailure) {
    output.write(try jsonLine(fields))
  }

  /// Writes an object to the report and, with `--json`, to standard output; returns whether it was
  /// written to standard output.
  func deliver(
    _ fields: @autoclosure () -> [String: JSONValue]
  ) throws(CommandFailure) -> Bool {
    try deliver(try jsonLine(fields()))
  }
}

/// Returns an object on its own line, with the version of the schema.
func jsonLine(_ fields: [String: JSONValue]) throws(CommandFailure) -> String {
  var fields = fields
  fields["schemaVersion"] = 1
  return escapingUnsafe(try JSONValue.object(fields).canonicalText()) + "\n"
}

extension JSONValue {
  /// Returns the canonical text of a result.
  func canonicalText() throws(CommandFailure) -> String {
    let bytes = try translating(
      { (error: JSONWritingError) in
        CommandFailure(.internalFault, "cannot encode the result as JSON: \(error)")
      }, canonicalBytes(limits: resultLimits))
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// The limits of a result are larger than those of a graph, because it lists stored contents.
let resultLimits = JSONLimits(
  maximumBytes: 256 << 20, maximumStringBytes: 16 << 20, maximumArrayCount: 10_000_000)

/// Escapes characters that move the cursor of a terminal or reorder a line; the JSON stays
/// equivalent.
private func escapingUnsafe(_ json: String) -> String {
  guard json.unicodeScalars.contains(where: \.steersDisplay) else { return json }
  return json.unicodeScalars.reduce(into: "") { text, scalar in
    text += scalar.steersDisplay ? escape(scalar) : String(scalar)
  }
}

/// Shell quoting of names in commands that users can paste.
enum Shell {
  /// Returns the name as one word of a POSIX shell; a leading dash is not read as an option.
  static func quoted(_ name: String) -> String {
    let word = name.hasPrefix("-") ? "./" + name : name
    let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:@%+=,")
    if !word.isEmpty, word.allSatisfy({ plain.contains($0) }) { return word }
    return "'" + word.replacing("'", with: #"'\''"#) + "'"
  }
}

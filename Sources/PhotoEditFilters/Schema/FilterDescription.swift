// SPDX-License-Identifier: Apache-2.0

/// A filter's declaration without its type, for listings and lookups.
public struct FilterDescription: Sendable, Hashable {
  /// One parameter of the filter.
  public struct Entry: Sendable, Hashable {
    /// The name in stored edits and on the command line.
    public let name: String
    /// The type of its values.
    public let type: ParameterType
    /// The unit of measurement.
    public let unit: ParameterUnit
    /// The default value.
    public let `default`: ParameterValue
    /// The identity value, if any.
    public let identity: ParameterValue?
    /// The default argument on a command line that names only the filter.
    public let argument: ParameterValue
    /// A one-sentence description.
    public let summary: String
  }

  /// The name in stored edits and on the command line.
  public let name: String
  /// The current version.
  public internal(set) var version: Int
  /// A one-sentence description.
  public let summary: String
  /// Other names that lookups accept.
  public let aliases: [String]
  /// The names of equivalent operations in other programs.
  public let equivalents: String
  /// The definition in one line.
  public let formula: String
  /// The source of the definition.
  public let source: String
  /// The transfer encoding in which it computes.
  public let transferEncoding: TransferEncoding
  /// The pixel dependency.
  public let dependency: PixelDependency
  /// The inputs that it reads in addition to its parameters.
  public let inputs: FilterInputs
  /// The accuracy of the rendering compared to the definition.
  public let tolerance: String
  /// The parameters, in display order.
  public let parameters: [Entry]

  /// Returns all information about the filter for scripts.
  package func json(group: String?) -> JSONValue {
    [
      "name": .string(name), "version": .whole(version), "summary": .string(summary),
      "group": group.map { .string($0) } ?? .null,
      "aliases": .texts(aliases), "peers": .string(equivalents),
      "formula": .string(formula), "source": .string(source), "inputs": .string(inputs.rawValue),
      "takes": .string(inputs.summary), "light": .string(transferEncoding.rawValue),
      "family": .string(dependency.rawValue), "reach": .string(dependency.summary),
      "edges": dependency.edgeRule.map { .string($0) } ?? .null,
      "tolerance": .string(tolerance), "parameters": .array(parameters.map(\.json)),
    ]
  }
}

extension Filter {
  /// The schema without its type.
  public static var description: FilterDescription { schema.description }

  /// The value of every parameter, rounded as in stored edits.
  public var values: [String: ParameterValue] {
    Self.schema.parameters.reduce(into: [:]) { values, parameter in
      let value = parameter.read(self)
      // Integers are exact, regardless of their length.
      if case .integer = parameter.type {
        values[parameter.name] = value
      } else {
        values[parameter.name] = value.rounded
      }
    }
  }

  /// The transfer encoding in which its effect is blended with its input.
  var transferEncoding: TransferEncoding {
    guard case .text(let name)? = values["light"] else { return Self.schema.transferEncoding }
    return TransferEncoding(rawValue: name) ?? Self.schema.transferEncoding
  }

  /// Creates the filter from stored values; missing values keep their defaults.
  ///
  /// - Throws: `ParameterError` with the value and the allowed values.
  public init(values: [String: ParameterValue]) throws(ParameterError) {
    self.init()
    for (name, value) in values.sorted(by: { $0.key < $1.key }) { try set(name, to: value) }
    complete(given: Set(values.keys))
    try check()
  }

  /// Sets one parameter.
  ///
  /// - Throws: `ParameterError` with the value and the allowed values.
  public mutating func set(_ name: String, to value: ParameterValue) throws(ParameterError) {
    let parameter = try Self.parameter(named: name)
    guard parameter.type.problem(with: value) == nil, parameter.write(&self, value) else {
      throw parameter.refusal(of: value)
    }
  }

  /// Sets one parameter to a value in command-line notation.
  package mutating func set(_ name: String, argument: String) throws(ParameterError) {
    let parameter = try Self.parameter(named: name)
    guard let value = parameter.type.value(argument: argument) else {
      throw .invalidValue(
        filter: Self.schema.name, parameter: name,
        value: parameter.type.problem(withArgument: argument),
        allowed: parameter.type.allowed(unit: parameter.unit))
    }
    try set(name, to: value)
  }

  /// Checks the range of every value and the rules between values.
  public func check() throws(ParameterError) {
    for parameter in Self.schema.parameters {
      let value = parameter.read(self)
      if parameter.type.problem(with: value) != nil { throw parameter.refusal(of: value) }
    }
    try validate()
  }

  static func parameter(named name: String) throws(ParameterError) -> Parameter<Self> {
    guard let parameter = schema.parameters.first(where: { $0.name == name }) else {
      throw .unknownParameter(
        filter: schema.name, name: name,
        nearest: nearestMatch(to: name, among: schema.parameters.map(\.name)))
    }
    return parameter
  }
}

extension Parameter {
  fileprivate func refusal(of value: ParameterValue) -> ParameterError {
    .invalidValue(
      filter: Root.schema.name, parameter: name, value: type.problem(with: value) ?? value.argument,
      allowed: type.allowed(unit: unit))
  }
}

extension FilterDescription.Entry {
  fileprivate var json: JSONValue {
    var fields: [String: JSONValue] = [
      "name": .string(name), "type": .string(type.name), "unit": .string(unit.rawValue),
      "summary": .string(summary), "default": `default`.json, "neutral": identity?.json ?? .null,
      "argument": argument.json, "argumentText": .string(argument.argument),
      "defaultText": .string(`default`.argument),
      "neutralText": identity.map { .string($0.argument) } ?? .null,
      "allowed": .string(type.allowed(unit: unit)),
    ]
    switch type {
    case .number(let range, let ui):
      fields["range"] = Self.json(range)
      fields["usefulRange"] = Self.json(ui)
    case .integer(let range):
      fields["range"] = [.whole(range.lowerBound), .whole(range.upperBound)]
    case .choice(let choices): fields["choices"] = .texts(choices)
    case .flag: break
    case .vector(let count, let range):
      fields["count"] = .whole(count)
      fields["range"] = Self.json(range)
    case .points(let count):
      fields["pointCount"] = [.whole(count.lowerBound), .whole(count.upperBound)]
    case .numbers(let counts, let range):
      fields["counts"] = .array(counts.map { .whole($0) })
      fields["range"] = Self.json(range)
    case .text(let maximum): fields["maximumBytes"] = .whole(maximum)
    case .color: break
    case .stops(let count):
      fields["stopCount"] = [.whole(count.lowerBound), .whole(count.upperBound)]
    case .strokes(let count, let points):
      fields["strokeCount"] = [.whole(count.lowerBound), .whole(count.upperBound)]
      fields["pointCount"] = [.whole(1), .whole(points)]
    case .members(let count):
      fields["memberCount"] = [.whole(count.lowerBound), .whole(count.upperBound)]
      fields["choices"] = .texts(MaskMember.Operation.allCases.map(\.rawValue))
    case .asset(let kind): fields["kind"] = .string(kind.rawValue)
    }
    return .object(fields)
  }

  private static func json(_ range: ClosedRange<Double>) -> JSONValue {
    [.number(range.lowerBound), .number(range.upperBound)]
  }
}

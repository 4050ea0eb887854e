// SPDX-License-Identifier: Apache-2.0
import PhotoEditContainers

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
  public let version: Int
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
}

extension Filter {
  /// The schema without its type.
  public static var description: FilterDescription {
    FilterDescription(
      name: schema.name, version: schema.version, summary: schema.summary,
      aliases: schema.aliases, equivalents: schema.equivalents, formula: schema.formula,
      source: schema.source, transferEncoding: schema.transferEncoding,
      dependency: schema.dependency, inputs: schema.inputs,
      tolerance: schema.tolerance,
      parameters: schema.parameters.map {
        .init(
          name: $0.name, type: $0.type, unit: $0.unit, default: $0.default, identity: $0.identity,
          argument: $0.argument ?? $0.default, summary: $0.summary)
      })
  }

  /// The value of every parameter, rounded as in stored edits.
  public var values: [String: ParameterValue] {
    var values: [String: ParameterValue] = [:]
    for parameter in Self.schema.parameters {
      let value = parameter.read(self)
      // Integers are exact, regardless of their length.
      if case .integer = parameter.type {
        values[parameter.name] = value
      } else {
        values[parameter.name] = value.rounded
      }
    }
    return values
  }

  /// The transfer encoding in which its effect is blended with its input.
  var transferEncoding: TransferEncoding {
    guard case .text(let name)? = values["light"],
      let transferEncoding = TransferEncoding(rawValue: name)
    else {
      return Self.schema.transferEncoding
    }
    return transferEncoding
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
        filter: Self.schema.name, parameter: name, value: "'\(argument)'",
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

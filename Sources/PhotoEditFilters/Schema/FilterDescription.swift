// SPDX-License-Identifier: Apache-2.0
import PhotoEditContainers

/// A filter's declaration without its type, for listings and lookups.
public struct FilterDescription: Sendable, Hashable {
  /// One parameter of the filter.
  public struct Entry: Sendable, Hashable {
    /// The name in stored edits and on the command line.
    public let name: String
    /// Values it takes.
    public let type: ParameterType
    /// What it is measured in.
    public let unit: Unit
    /// The value when nothing is said.
    public let `default`: ParameterValue
    /// The value without effect; nil where there is none.
    public let neutral: ParameterValue?
    /// The value on a command line that names the filter without this parameter.
    public let argument: ParameterValue
    /// One sentence.
    public let summary: String
  }

  /// The name in stored edits and on the command line.
  public let name: String
  /// The version that is written.
  public let version: Int
  /// One sentence.
  public let summary: String
  /// Other names under which it is found.
  public let aliases: [String]
  /// What the operation is called elsewhere.
  public let peers: String
  /// The definition in one line.
  public let formula: String
  /// Where the definition comes from.
  public let source: String
  /// The form of light in which it computes.
  public let light: Light
  /// Which neighbours of a pixel it looks at.
  public let family: FilterFamily
  /// What it reads besides its parameters.
  public let inputs: FilterInputs
  /// How closely the rendering follows the definition.
  public let tolerance: String
  /// The knobs, in the order people meet them.
  public let parameters: [Entry]
}

extension Filter {
  /// The schema without its type.
  public static var description: FilterDescription {
    FilterDescription(
      name: schema.name, version: schema.version, summary: schema.summary,
      aliases: schema.aliases, peers: schema.peers, formula: schema.formula,
      source: schema.source, light: schema.light, family: schema.family, inputs: schema.inputs,
      tolerance: schema.tolerance,
      parameters: schema.parameters.map {
        .init(
          name: $0.name, type: $0.type, unit: $0.unit, default: $0.default, neutral: $0.neutral,
          argument: $0.argument ?? $0.default, summary: $0.summary)
      })
  }

  /// The value of every parameter, rounded as it is stored.
  public var values: [String: ParameterValue] {
    var values: [String: ParameterValue] = [:]
    for parameter in Self.schema.parameters {
      let value = parameter.read(self)
      // Whole numbers are exact, however long.
      if case .integer = parameter.type {
        values[parameter.name] = value
      } else {
        values[parameter.name] = value.rounded
      }
    }
    return values
  }

  /// The light in which its effect is mixed with what it works on.
  var light: Light {
    guard case .text(let name)? = values["light"], let light = Light(rawValue: name) else {
      return Self.schema.light
    }
    return light
  }

  /// Makes the filter from stored values; what is missing keeps its default.
  ///
  /// - Throws: `ParameterError` naming the value and what would be allowed.
  public init(values: [String: ParameterValue]) throws(ParameterError) {
    self.init()
    for (name, value) in values.sorted(by: { $0.key < $1.key }) { try set(name, to: value) }
    complete(given: Set(values.keys))
    try check()
  }

  /// Changes one parameter.
  ///
  /// - Throws: `ParameterError` naming the value and what would be allowed.
  public mutating func set(_ name: String, to value: ParameterValue) throws(ParameterError) {
    let parameter = try Self.parameter(named: name)
    guard parameter.type.problem(with: value) == nil, parameter.write(&self, value) else {
      throw parameter.refusal(of: value)
    }
  }

  /// Changes one parameter to a value in the spelling of the command line.
  package mutating func set(_ name: String, argument: String) throws(ParameterError) {
    let parameter = try Self.parameter(named: name)
    guard let value = parameter.type.value(argument: argument) else {
      throw .invalidValue(
        filter: Self.schema.name, parameter: name, value: "'\(argument)'",
        allowed: parameter.type.allowed(unit: parameter.unit))
    }
    try set(name, to: value)
  }

  /// Checks every value against its range and the rules between them.
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
        nearest: nearestWord(to: name, among: schema.parameters.map(\.name)))
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

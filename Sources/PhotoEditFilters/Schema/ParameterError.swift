// SPDX-License-Identifier: Apache-2.0

/// An invalid value for a filter, with its name and the allowed values.
public enum ParameterError: Error, Hashable, Sendable, CustomStringConvertible {
  /// No filter has that name.
  case unknownFilter(name: String, nearest: String?)
  /// The filter has no parameter with that name.
  case unknownParameter(filter: String, name: String, nearest: String?)
  /// The value is of the wrong type or out of range.
  case invalidValue(filter: String, parameter: String, value: String, allowed: String)
  /// Two values contradict each other, or do not fit the image.
  case conflict(filter: String, reason: String)
  /// The filter was given without a required amount.
  case missingValue(filter: String, example: String)
  /// A parameter is given twice.
  case repeated(name: String, String)
  /// The text is not `name:key=value,…`.
  case malformed(argument: String)

  /// One sentence with a suggested solution.
  public var description: String {
    switch self {
    case .unknownFilter(let name, let nearest):
      "there is no filter '\(name)'" + Self.suggestion(nearest)
        + "; 'photoedit filters' lists them"
    case .unknownParameter(let filter, let name, let nearest):
      "'\(filter)' has no parameter '\(name)'" + Self.suggestion(nearest)
        + "; 'photoedit filters \(filter)' lists them"
    case .invalidValue(let filter, let parameter, let value, let allowed):
      "'\(filter)' cannot take \(parameter) = \(value); allowed: \(allowed)"
    case .conflict(let filter, let reason): "'\(filter)' cannot be applied: \(reason)"
    case .missingValue(let filter, let example):
      "'\(filter)' without a value changes nothing; say how much, as in \(example)"
    case .repeated(let name, let argument):
      "'\(argument)' says \(name) twice; say it once"
    case .malformed(let argument):
      "'\(argument)' is not a filter; write name:key=value,key=value"
    }
  }

  private static func suggestion(_ nearest: String?) -> String {
    nearest.map { "; did you mean '\($0)'?" } ?? ""
  }
}

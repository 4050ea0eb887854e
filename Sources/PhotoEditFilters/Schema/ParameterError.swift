// SPDX-License-Identifier: Apache-2.0
public import PhotoEditStorage

/// An invalid value for a filter, with its name and the allowed values.
public enum ParameterError: PhotoEditError, Hashable {
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

  /// The class and the name of the failure.
  public var facts: FailureFacts { FailureFacts(.invalidEdit, "parameter") }

  /// One sentence with a suggested solution.
  public var description: String {
    switch self {
    case .unknownFilter(let name, let nearest):
      "unknown filter '\(name)'" + Self.suggestion(nearest)
        + " (see 'photoedit filters')"
    case .unknownParameter(let filter, let name, let nearest):
      "\(filter): unknown parameter '\(name)'" + Self.suggestion(nearest)
        + " (see 'photoedit filters \(filter)')"
    case .invalidValue(let filter, let parameter, let value, let allowed):
      "\(filter): invalid \(parameter) \(value) (allowed: \(allowed))"
    case .conflict(let filter, let reason): "\(filter): \(reason)"
    case .missingValue(let filter, let example):
      "\(filter): specify a parameter; the defaults have no effect (example: \(example))"
    case .repeated(let name, let argument):
      "'\(argument)': \(name) is specified twice; specify it once"
    case .malformed(let argument):
      "'\(argument)': not a filter; use name:key=value,key=value"
    }
  }

  private static func suggestion(_ nearest: String?) -> String {
    nearest.map { "; did you mean '\($0)'?" } ?? ""
  }
}

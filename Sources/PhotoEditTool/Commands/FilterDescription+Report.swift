// SPDX-License-Identifier: Apache-2.0
import PhotoEditCommandLine
import PhotoEditFilters

extension FilterDescription {
  /// Prints all information about the filter.
  func print(group: String?, in environment: CommandEnvironment) {
    environment.print("\(name): \(summary)")
    var lines = LabelledLines()
    lines.add("group", group)
    lines.add("version", "\(version)")
    lines.add("inputs", inputs.summary)
    lines.add("pixel dependency", "\(dependency.rawValue): \(dependency.summary)")
    lines.add("edges", dependency.edgeRule)
    lines.add("transfer encoding", transferEncoding.rawValue)
    lines.add("tolerance", tolerance)
    lines.add("aliases", aliases.isEmpty ? nil : aliases.joined(separator: ", "))
    lines.add("equivalents", equivalents.isEmpty ? nil : equivalents)
    lines.add("formula", formula)
    lines.add("source", source)
    lines.print(in: environment)
    guard !parameters.isEmpty else { return environment.print("No parameters.") }
    for parameter in parameters {
      environment.print()
      environment.print("\(parameter.name): \(parameter.summary)")
      parameter.lines.print(in: environment)
    }
  }
}

extension FilterDescription.Entry {
  fileprivate var lines: LabelledLines {
    var lines = LabelledLines()
    lines.add("  allowed", type.allowed(unit: unit))
    if case .number(let range, let ui) = type, ui != range {
      lines.add("  slider range", "\(jsonNumber(ui.lowerBound))…\(jsonNumber(ui.upperBound))")
    }
    lines.add("  default", `default`.argument)
    lines.add("  identity", identity?.argument)
    // The default argument applies to a filter name alone, even if the default value has no effect.
    lines.add("  default argument", argument == `default` ? nil : argument.argument)
    return lines
  }
}

// SPDX-License-Identifier: Apache-2.0

/// A command that lists the filters or describes one of them.
struct FiltersCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "filters", "List filters, or describe one.",
    discussion: "Filters can also be found by their aliases; case and hyphens are ignored.",
    examples: [
      CommandExample("filters", "list names and summaries by group"),
      CommandExample("filters exposure", "describe a filter and its parameters"),
      CommandExample("filters --json", "print the entire catalog as one JSON object"),
    ],
    writesJSON: true,
    arguments: [
      .positional("NAME", \.name, "Filter name or alias (default: list all filters).")
    ])

  var name: String?

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    let chosen = try name.map(Self.find)
    if environment.wantsJSON {
      let listed = chosen.map { [$0] } ?? Self.listed
      let filters = listed.map { $0.description.json(group: FilterCatalog.group(of: $0)) }
      return try environment.write(["filters": .array(filters)])
    }
    if let chosen {
      chosen.description.print(group: FilterCatalog.group(of: chosen), in: environment)
    } else {
      Self.list(in: environment)
    }
  }

  /// Image filters, followed by the operations on videos.
  private static var listed: [any Filter.Type] {
    FilterCatalog.all + FilterCatalog.movieOperations
  }

  private static func find(_ name: String) throws(CommandFailure) -> any Filter.Type {
    do throws(ParameterError) {
      return try FilterCatalog.filter(named: name)
    } catch .unknownFilter(let name, let nearest) {
      throw .usage(
        "unknown filter '\(name)'",
        hint: nearest.map(didYouMean) ?? "run 'photoedit filters' to list them")
    } catch {
      throw .usage("\(error)")
    }
  }

  private static func list(in environment: CommandEnvironment) {
    let width = listed.map { $0.description.name.count }.max() ?? 0
    let members = Dictionary(grouping: listed) { FilterCatalog.group(of: $0) }
    let groups = FilterCatalog.groupNames + [FilterCatalog.movieGroupName]
    for (index, group) in groups.enumerated() {
      if index > 0 { environment.print() }
      environment.print("\(group):")
      for type in members[group] ?? [] {
        let filter = type.description
        let padding = String(repeating: " ", count: width - filter.name.count)
        environment.print("  \(filter.name)\(padding)  \(filter.summary)")
      }
    }
  }
}

extension FilterDescription {
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

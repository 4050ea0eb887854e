// SPDX-License-Identifier: Apache-2.0
import CommandLineKit
import Filters

/// Lists the filters, or tells everything about one.
struct FiltersCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "filters", "Lists the filters, or explains one.",
    discussion: "A filter is also found under its aliases, whatever case and hyphens they have.",
    examples: [
      CommandExample("filters", "names and summaries"),
      CommandExample("filters exposure", "parameters, ranges, defaults, light, source"),
      CommandExample("filters --json", "the whole catalogue as one object"),
    ],
    writesJSON: true,
    arguments: [
      .positional("NAME", \.name, "A filter's name or alias; all filters when left out.")
    ])

  var name: String?

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    let chosen = try name.map(Self.find)
    if environment.wantsJSON {
      let listed = chosen.map { [$0] } ?? FilterCatalog.descriptions
      return try environment.write(["filters": .array(listed.map(\.json))])
    }
    if let chosen {
      chosen.print(in: environment)
    } else {
      Self.list(in: environment)
    }
  }

  private static func find(_ name: String) throws(CommandFailure) -> FilterDescription {
    do throws(ParameterError) {
      return try FilterCatalog.filter(named: name).description
    } catch .unknownFilter(let name, let nearest) {
      throw .usage(
        "there is no filter '\(name)'",
        hint: nearest.map(didYouMean) ?? "'photoedit filters' lists them")
    } catch {
      throw .usage("\(error)")
    }
  }

  private static func list(in environment: CommandEnvironment) {
    let width = FilterCatalog.descriptions.map(\.name.count).max() ?? 0
    for (index, family) in FilterFamily.allCases.enumerated() {
      if index > 0 { environment.print() }
      environment.print("\(family.rawValue):")
      for filter in FilterCatalog.descriptions where filter.family == family {
        let padding = String(repeating: " ", count: width - filter.name.count)
        environment.print("  \(filter.name)\(padding)  \(filter.summary)")
      }
    }
  }
}

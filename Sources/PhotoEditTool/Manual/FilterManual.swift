// SPDX-License-Identifier: Apache-2.0
import PhotoEditCommandLine
import PhotoEditFilters

/// The manual page photoedit-filters(7), generated from the schemas of the filters.
enum FilterManual {
  static func page(date: String) -> ManualPage {
    var page = ManualPage(
      "photoedit-filters", section: 7, "Filters of photoedit.", date: date)
    page.heading("DESCRIPTION")
    page.paragraphs(
      """
      A filter is written as NAME or NAME:KEY=VALUE,KEY=VALUE. A parameter that is not given has \
      its default; some filters have their full effect if only their name is given. Options of \
      the node are id, in, mask, opacity and blend. 'photoedit filters NAME' also shows the \
      formula and the source of a filter.

      Vectors are written as a:b:c, the points of curves as x:y/x:y.
      """)
    let groups = FilterCatalog.groupNames + [FilterCatalog.movieGroupName]
    let filters = FilterCatalog.all + FilterCatalog.movieOperations
    for group in groups {
      page.heading(group.uppercased())
      for type in filters where FilterCatalog.group(of: type) == group {
        let filter = type.description
        page.subheading(filter.name)
        page.paragraphs(filter.summary)
        page.list(filter.parameters.map { (.name($0.name), text(of: $0)) })
      }
    }
    page.seeAlso([("photoedit", 1), ("photoedit-apply", 1), ("photoedit-filters", 1)])
    return page
  }

  private static func text(of parameter: FilterDescription.Entry) -> String {
    let summary = parameter.summary.hasSuffix(".") ? parameter.summary : parameter.summary + "."
    return summary + " Allowed: \(parameter.type.allowed(unit: parameter.unit))."
      + (parameter.default.argument.isEmpty ? "" : " Default: \(parameter.default.argument).")
  }
}

// SPDX-License-Identifier: Apache-2.0

extension ProgramDescription {
  /// Returns the manual pages of section 1: one for the program, and one for each command.
  ///
  /// - Parameters:
  ///   - date: The date of the pages: "November 22, 2026".
  ///   - environment: The variables that the program reads, with their meanings.
  ///   - topics: Pages of section 7.
  package func manualPages(
    date: String, environment: [(name: String, meaning: String)], topics: [ManualPage]
  ) -> [ManualPage] {
    let further = topics.map { (name: $0.name, section: $0.section) }
    return [programPage(date, environment, further)]
      + commands.map { commandPage($0.info, date, further) }
  }

  private func pageName(_ command: String) -> String {
    ([name] + command.split(separator: " ").map(String.init)).joined(separator: "-")
  }

  private func programPage(
    _ date: String, _ environment: [(name: String, meaning: String)],
    _ further: [(name: String, section: Int)]
  ) -> ManualPage {
    var page = ManualPage(name, section: 1, abstract, date: date)
    page.heading("SYNOPSIS")
    page.macros(".Nm")
    page.macros(".Ar command")
    page.macros(".Op Ar options")
    page.heading("DESCRIPTION")
    page.paragraphs(
      "Each command has a manual page of its own. '\(name) help COMMAND' shows the same text.")
    for group in groups {
      page.subheading(group.title)
      page.list(
        group.commands.map {
          let info = $0.info
          return (.page(pageName(info.name), section: 1), info.abstract)
        })
    }
    page.heading("OPTIONS")
    page.paragraphs("Every command accepts these options:")
    let slot = Slot(CommonOptions())
    page.list(
      CommonOptions.arguments(writesJSON: true, in: slot).map {
        (.argument($0.info), $0.info.row.text)
      })
    page.heading("ENVIRONMENT")
    page.list(environment.map { (.variable($0.name), $0.meaning) })
    page.heading("EXIT STATUS")
    page.list(ExitCode.allCases.map { (.name("\($0.rawValue)"), sentence($0.meaning)) })
    examples(of: examples, in: &page)
    page.seeAlso(further)
    return page
  }

  private func commandPage(
    _ info: CommandInfo, _ date: String, _ further: [(name: String, section: Int)]
  ) -> ManualPage {
    var page = ManualPage(pageName(info.name), section: 1, info.abstract, date: date)
    let shown = info.arguments.filter { !$0.isHidden }
    let positional = shown.filter { $0.kind == .positional }
    let options = shown.filter { $0.kind != .positional && $0.section != CommonOptions.section }
    page.heading("SYNOPSIS")
    page.macros(".Nm \(ManualPage.argument(name + " " + info.name))")
    page.macros(".Op Ar options")
    for option in options where option.isRequired {
      page.macros("." + ManualLabel.argument(option).macros)
    }
    for argument in positional {
      page.macros((argument.isRequired ? "." : ".Op ") + ManualLabel.argument(argument).macros)
    }
    page.heading("DESCRIPTION")
    page.paragraphs(info.discussion.isEmpty ? info.abstract : info.discussion)
    if !positional.isEmpty {
      page.heading("ARGUMENTS")
      page.list(positional.map { (.argument($0), $0.row.text) })
    }
    page.heading("OPTIONS")
    page.list(options.map { (.argument($0), $0.row.text) })
    page.paragraphs("The options of every command are described in \(name)(1).")
    page.heading("EXIT STATUS")
    page.paragraphs("The exit codes are listed in \(name)(1).")
    examples(of: info.examples, in: &page)
    page.seeAlso([(name: name, section: 1)] + further)
    return page
  }

  private func examples(of examples: [CommandExample], in page: inout ManualPage) {
    guard !examples.isEmpty else { return }
    page.heading("EXAMPLES")
    for example in examples {
      page.paragraphs(sentence(example.text).dropLast() + ":")
      page.literal(["\(name) \(example.line)"])
    }
  }

  /// Returns a clause as a sentence.
  private func sentence(_ clause: String) -> String {
    clause.prefix(1).uppercased() + clause.dropFirst() + (clause.hasSuffix(".") ? "" : ".")
  }
}

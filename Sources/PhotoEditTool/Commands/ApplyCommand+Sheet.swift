// SPDX-License-Identifier: Apache-2.0

/// The page with each photo before and after, for `--sheet`.
extension ApplyCommand {
  /// Checks the options of `--sheet` before anything is edited.
  func checkSheet(_ path: String) throws(CommandFailure) {
    if edit.isDryRun || edit.output.isStandardOutput || inputs.contains("-") {
      throw .usage("--sheet: requires renderings in files", hint: "omit --sheet")
    }
    try OutputArguments(output: path).check(.page)
    try Publishing.check(path, replacesFiles: edit.output.replacesFiles)
  }

  /// Writes a page with the photos of a report.
  func write(
    _ lines: [JSONValue], to path: String, _ environment: CommandEnvironment
  ) throws(CommandFailure) {
    var given = graph
    try given.readFiles()
    let unstored = try given.applied(
      to: given.edit(environment) ?? FilterGraph(), for: .arguments)
    try Sheet.write(
      to: path, replacesFiles: edit.output.replacesFiles, SheetCommand.thumbnail, edit.rendering,
      environment
    ) { sheet throws(CommandFailure) in
      for line in lines {
        guard let input = line["input"]?.stringValue else { continue }
        try environment.checkCancellation()
        if let message = line["error"]?["message"]?.stringValue {
          try sheet.addFailure(input, message)
        } else if let output = line["output"]?.stringValue {
          let target = try library.target(input, environment) { edit.store($0, isMovie: false) }
          var entry = try Sheet.Entry(target)
          if hasNoSidecar {
            entry.after = output
            entry.filters = unstored.nodes
          }
          entry.losses = (line["losses"]?.arrayValue ?? []).compactMap {
            $0["detail"]?.stringValue
          }
          try sheet.add(entry, environment)
        }
      }
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform
internal import PhotoEditStorage

extension ProgramDescription {
  /// Runs the process with its own arguments and streams and exits with the exit code.
  package func main() -> Never {
    exit(run(in: .live()).rawValue)
  }

  /// Parses the arguments, runs the requested command and reports any failure.
  package func run(in environment: CommandEnvironment) -> ExitCode {
    failure(in: environment)?.exitCode ?? .success
  }

  /// Parses the arguments, runs the requested command, and reports and returns any failure.
  package func failure(in environment: CommandEnvironment) -> CommandFailure? {
    var environment = environment
    var command: (any Command.Type)?
    var failure: CommandFailure?
    do {
      try run(in: &environment, command: &command)
      environment.output.flush()
    } catch {
      failure = error
    }
    environment.progress.clear()
    // A canceled command fails in its own way, but the cause is the signal. A command that finished
    // before it noticed the signal has succeeded, so that scripts do not repeat it.
    if failure != nil || environment.output.failure != nil {
      let hasOtherFailure = failure.map { $0.code != "cancelled" } ?? false
      if environment.cancellation.isCancelled || !hasOtherFailure {
        failure = environment.cancellationFailure ?? failure
      }
    }
    if let failure, !failure.isReported {
      environment.report(failure, input: nil, command: command?.info)
    }
    environment.output.flush()
    return failure
  }

  private func run(
    in environment: inout CommandEnvironment, command: inout (any Command.Type)?
  ) throws(CommandFailure) {
    environment.apply(CommonOptions(), program: name)
    let damaged = environment.damagedArguments.sorted().map {
      DamagedArgument(position: $0, text: environment.arguments[$0 - 1])
    }
    var arguments = environment.arguments
    for argument in damaged { arguments[argument.position - 1] = argument.word }
    let needsAll = [Self.completionCommand, "help"].contains(arguments.first)
    // One that begins with a hyphen may be an option, which must not be left out.
    if let argument = damaged.first(where: { needsAll || $0.text.utf8.first == 0x2D }) {
      throw argument.usageError
    }
    if arguments.first == Self.completionCommand {
      let words = Array(arguments.dropFirst(2))  // after "--"
      let completion = completion(of: words, in: environment)
      return environment.output.write(completion.lines(for: words.last ?? ""))
    }
    let (root, slot) = (Slot(RootOptions()), Slot(CommonOptions()))
    let parser = ArgumentParser(
      arguments: RootOptions.arguments.flatMap(\.parts).map { $0.bound(to: root) }
        + CommonOptions.arguments(writesJSON: true, in: slot), stopsAtCommand: true)
    var tokens = try parser.parse(arguments[...])
    let (options, common) = (root.value, slot.value)
    environment.apply(common, program: name)

    let length = Self.helpLength(arguments[...]) ?? common.help
    if options.showsVersion {
      environment.output.write(versionText(isJSON: common.wantsJSON))
    } else if options.describes {
      environment.output.write(description.line + "\n")
    } else if tokens.first == "help" {
      let topic = tokens.dropFirst().filter { $0 != "--help" && $0 != "-h" }
      environment.output.write(try help(on: topic[...], .long, environment.columns))
    } else if let length {
      environment.output.write(try help(on: tokens, length, environment.columns))
    } else if tokens.isEmpty {
      environment.error.write(help(columns: environment.columns))
      throw .reported(.usage)
    } else if let damaged = tokens.first.flatMap(DamagedArgument.init(word:)) {
      throw damaged.usageError
    } else {
      let found = try self.command(in: &tokens)
      command = found
      try run(found, tokens, common, &environment)
    }
  }

  private func run<Root: Command>(
    _: Root.Type, _ tokens: ArraySlice<String>, _ common: CommonOptions,
    _ environment: inout CommandEnvironment
  ) throws(CommandFailure) {
    environment.command = Root.self
    let configuration = Root.configuration
    let (value, slot) = (Slot(Root()), Slot(common))
    if common.wantsJSON, !configuration.writesJSON {
      throw .usage("--json: '\(configuration.name)' does not support JSON output")
    }
    let parser = ArgumentParser(arguments: Root.arguments(in: value, slot))
    var leftOut: [DamagedArgument] = []
    let problem: CommandFailure?
    do throws(CommandFailure) {
      _ = try parser.parse(tokens, &leftOut)
      problem = nil
    } catch {
      // Options after the error were not parsed, but `--json` determines how the error is reported.
      let requestsJSON = configuration.writesJSON && Self.options(tokens).contains("--json")
      slot.value.wantsJSON = common.wantsJSON || requestsJSON
      problem = error
    }
    environment.apply(slot.value, program: name)
    if let length = slot.value.help {
      environment.output.write(try help(on: [configuration.name], length, environment.columns))
      return
    }
    if let problem { throw problem }
    try check()
    if configuration.stopsCleanly, environment.watchesSignals {
      SignalHandler.start(environment.cancellation)
    }
    defer { finish(environment) }
    for argument in leftOut { environment.report(argument.failure, input: argument.text) }
    environment.leftOutCount = leftOut.count
    try value.value.run(in: environment)
    if !leftOut.isEmpty { throw .reported(.someFailed) }
  }

  /// Returns the arguments before `--`, which may be options.
  private static func options(_ tokens: ArraySlice<String>) -> ArraySlice<String> {
    tokens.prefix { $0 != "--" }
  }

  /// Returns the requested length of help, if any, even if the arguments are otherwise invalid.
  private static func helpLength(_ tokens: ArraySlice<String>) -> HelpText.Length? {
    let options = options(tokens)
    if options.contains("--help") { return .long }
    return options.contains("-h") ? .short : nil
  }
}

/// The options before the command.
struct RootOptions: Sendable {
  var showsVersion = false
  var describes = false

  static let arguments: [Argument<Self>] = [
    .flag(
      "version", "Show the version of the program and its components."
    ) { $0.showsVersion = true },
    .flag("describe", "Print all commands and options as JSON.") { $0.describes = true },
  ]
}

// SPDX-License-Identifier: Apache-2.0
internal import Glibc

extension ProgramDescription {
  /// Runs the process: its arguments, its streams, its exit code.
  package func main() -> Never {
    exit(run(in: .live()).rawValue)
  }

  /// Reads the arguments, runs what they ask for and reports what went wrong.
  package func run(in environment: CommandEnvironment) -> ExitCode {
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
    // A command that was told to stop fails in its own way; the reason is the signal.
    let isSettled = failure.map { $0.code != "cancelled" } ?? false
    if environment.cancellation.isCancelled || !isSettled {
      failure = environment.cancellationFailure ?? failure
    }
    if let failure, !failure.isReported {
      environment.report(failure, input: nil, command: command?.info)
    }
    environment.output.flush()
    return failure?.exitCode ?? .success
  }

  private func run(
    in environment: inout CommandEnvironment, command: inout (any Command.Type)?
  ) throws(CommandFailure) {
    var options = RootOptions()
    environment.apply(options.common, program: name)
    if let place = environment.damagedArgument {
      throw .usage(
        "argument \(place): it is not UTF-8", hint: "rename the file, or name its folder")
    }
    let parser = ArgumentParser(
      parts: RootOptions.arguments.flatMap(\.parts), stopsAtCommand: true)
    var words = try parser.parse(environment.arguments[...], into: &options)
    environment.apply(options.common, program: name)

    let length = Self.helpLength(environment.arguments[...]) ?? options.common.help
    if options.showsVersion {
      environment.output.write(versionText(isJSON: options.common.wantsJSON))
    } else if options.describes {
      environment.output.write(description.line + "\n")
    } else if words.first == "help" {
      let topic = words.dropFirst().filter { $0 != "--help" && $0 != "-h" }
      environment.output.write(try help(on: topic[...], .long, environment.columns))
    } else if let length {
      environment.output.write(try help(on: words, length, environment.columns))
    } else if words.isEmpty {
      environment.error.write(help(columns: environment.columns))
      throw .reported(.usage)
    } else {
      let found = try self.command(in: &words)
      command = found
      try run(found, words, options.common, &environment)
    }
  }

  private func run<Root: Command>(
    _: Root.Type, _ words: ArraySlice<String>, _ common: CommonOptions,
    _ environment: inout CommandEnvironment
  ) throws(CommandFailure) {
    let configuration = Root.configuration
    var invocation = Invocation<Root>()
    invocation.common = common
    if common.wantsJSON, !configuration.writesJSON {
      throw .usage("--json: '\(configuration.name)' has no JSON output")
    }
    let parser = ArgumentParser(parts: Invocation<Root>.parts(configuration))
    do throws(CommandFailure) {
      _ = try parser.parse(words, into: &invocation)
    } catch {
      // Options after the mistake were not read, but this one decides how it is reported.
      invocation.common.wantsJSON =
        configuration.writesJSON && Self.options(words).contains("--json")
      environment.apply(invocation.common, program: name)
      throw error
    }
    environment.apply(invocation.common, program: name)
    if let length = invocation.common.help {
      environment.output.write(try help(on: [configuration.name], length, environment.columns))
      return
    }
    if configuration.stopsCleanly, environment.watchesSignals {
      SignalWatch.start(environment.cancellation)
    }
    try invocation.command.run(in: environment)
  }

  /// The words that can be options.
  private static func options(_ words: ArraySlice<String>) -> ArraySlice<String> {
    words.prefix { $0 != "--" }
  }

  /// Whether and how the words ask for help; they may hold mistakes besides.
  private static func helpLength(_ words: ArraySlice<String>) -> HelpText.Length? {
    let options = options(words)
    if options.contains("--help") { return .long }
    return options.contains("-h") ? .short : nil
  }
}

/// The options in front of the command.
private struct RootOptions: Sendable {
  var common = CommonOptions()
  var showsVersion = false
  var describes = false

  static let arguments: [Argument<Self>] = [
    .flag("version", \.showsVersion, "Shows the version and those of the components."),
    .flag("describe", \.describes, "Describes the commands as JSON.").hidden,
    .group(\.common, CommonOptions.arguments(writesJSON: true)),
  ]
}

extension Command {
  /// Reads the words after the command's name, without running it.
  package static func parse(_ words: [String]) throws(CommandFailure) -> Self {
    var invocation = Invocation<Self>()
    let parser = ArgumentParser(parts: Invocation<Self>.parts(configuration))
    _ = try parser.parse(words[...], into: &invocation)
    return invocation.command
  }
}

// SPDX-License-Identifier: Apache-2.0

/// A command that changes the settings of a library.
struct LibrarySetCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "library set", "Change the settings of a library.",
    discussion: """
      The time zone says what imported dates without an offset from UTC mean; 'library info' shows \
      it. Assets that are already in the library keep their dates.
      """,
    examples: [
      CommandExample(
        "library set Photos --time-zone Europe/Lisbon", "say where the cameras' clocks are set")
    ],
    arguments: [
      .group(\.library, LibraryArguments.operandOrOption),
      .option(
        "time-zone", \.timeZone, value: "ZONE",
        "Time zone of imported dates without one, such as Europe/Berlin, +02:00, local, or none."),
    ])

  var library = LibraryArguments()
  var timeZone: TimeZoneArgument?

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    guard let timeZone else {
      throw .usage("no setting specified", hint: "use --time-zone ZONE")
    }
    let library = try library.open(environment)
    try inLibrary(library.setTimeZone(timeZone.zone))
    environment.note("time zone of later imports: \(timeZone.argumentText ?? "none")")
  }
}

/// A time zone, or "none".
struct TimeZoneArgument: Sendable, ArgumentValue {
  let zone: ClockZone?

  init(argument: String) throws(ArgumentError) {
    guard argument != "none" else {
      zone = nil
      return
    }
    do throws(LibraryError) { zone = try ClockZone(argument) } catch {
      throw ArgumentError(error.message, hint: error.hint)
    }
  }

  var argumentText: String? { zone?.description }
}

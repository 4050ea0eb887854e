// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import PhotoEditCommandLine

@Suite("Help")
struct HelpTests {
  static let short = """
    Usage: paint brush [options] INPUT...

    Paints over images with a brush of a given size, mode and pressure.

    Examples:
      paint brush a.png --size 3
          Paints with a small brush.
      paint brush - -o out.png < a.png
          Paints what comes in.

    Arguments:
      INPUT...  The images; '-' is standard input.

    Options:
      -s, --size N         The size in pixels. Range: 1–100 (default: 10).
          --pressure P     The pressure (default: 0.5).
          --mode MODE      How the paint falls: soft, hard or spray (default: soft).
          --tag TAG        A tag to write. Repeatable.
          --set KEY=VALUE  Sets a value. Repeatable.
          --remove KEY     Removes a value. Repeatable.
          --move N         Moves a value. Repeatable.

    Output:
      -o, --output FILE  Where the image goes.
      -f, --force        Replaces an existing file.
      -n, --near         Counts how often it is given.

    More: 'paint help brush'.

    """

  @Test func `the short help begins with examples`() {
    let run = SampleRun("brush -h")
    #expect(run.output == Self.short)
    #expect(run.exitCode == .success)
    #expect(run.error.isEmpty)
  }

  @Test func `the full help adds the discussion and the topics`() {
    let text = SampleRun("brush --help").output
    #expect(text.contains("\nA longer text.\n\nIn two paragraphs.\n\nArguments:\n"))
    #expect(!text.contains("--quiet"))
    #expect(
      text.hasSuffix(
        """

        Common options: 'paint help options'.

        Exit codes: 'paint help exit-codes'.

        """))
  }

  @Test func `the common options are a topic of their own`() {
    #expect(
      SampleRun("help options").output == """
        Every command accepts these options; 'paint --version' shows the version.

        Options:
              --json          Print results and errors as JSON.
          -q, --quiet         Print errors only.
          -v, --verbose       Increase verbosity (repeatable).
              --debug         Same as -vv.
              --color WHEN    When to use color: auto, always or never (default: auto).
              --no-color      Same as --color=never.
              --sandbox WHEN  When to decode other files than JPEG and PNG in a confined
                              process: auto, require or off.
          -h, --help          Show help (-h: summary).

        """)
  }

  @Test func `a former name of an option is accepted and not shown`() throws {
    #expect(SampleRun("brush a --width 3").output == SampleRun("brush a --size 3").output)
    #expect(SampleRun("brush a --width=0").error.contains("--width: '0' is out of range"))
    #expect(SampleRun("brush a --tag --width").error.contains("found option '--width'"))
    #expect(!SampleRun("help brush").output.contains("--width"))
    #expect(SampleRun("--describe").output.contains(#""aliases":["width"]"#))
  }

  @Test(arguments: [
    "help brush", "brush --help", "--help brush", "brush a --sise 3 --help", "brush -qh",
    "brush --size --help", "help brush --help",
  ])
  func `every form of the help request prints the same full help`(line: String) {
    let run = SampleRun(line)
    #expect(run.output == SampleRun("help brush").output)
    #expect(run.output.hasPrefix("Usage: paint brush"))
    #expect(run.exitCode == .success)
  }

  @Test func `an argument after the end of options is not a help request`() {
    #expect(SampleRun("brush -- --help").output == "painted --help\n")
    #expect(SampleRun("-- brush -- --help").output == "painted --help\n")
  }

  @Test(arguments: ["help", "--help", "-h", "help help", "help --help"])
  func `the program's help lists the commands`(line: String) {
    #expect(
      SampleRun(line).output == """
        Usage: paint COMMAND [options]

        Paints images.

        Examples:
          paint brush a.png  Paints one image.

        Paint:
          brush  Paints over images with a brush of a given size, mode and pressure.
          mix    Mixes two colors.

        Build:
          wall  add, list

        See also 'paint help COMMAND', 'help options' and 'help exit-codes'.

        """)
  }

  @Test(arguments: ["help wall", "wall --help", "wall -h"])
  func `a command group lists its subcommands`(line: String) {
    #expect(
      SampleRun(line).output == """
        Usage: paint wall COMMAND [options]

        Commands:
          wall add   Adds a wall.
          wall list  Lists the walls.

        """)
  }

  @Test(arguments: [40, 60, 120])
  func `no line is wider than the terminal`(columns: Int) {
    let text = SampleRun("help brush", variables: ["COLUMNS": "\(columns)"]).output
    let prose = text.split(separator: "\n").filter { !$0.contains("paint brush") }
    #expect(prose.allSatisfy { $0.count <= columns })
    #expect(text.contains("\n  -o, --output FILE\n") == (columns == 40))
  }

  @Test(arguments: [("", 80), ("abc", 80), ("-5", 40), ("0", 40), ("99999999999999999999", 80)])
  func `an invalid width is replaced`(text: String, columns: Int) {
    #expect(CommandEnvironment.memory(variables: ["COLUMNS": text]).columns == columns)
  }

  @Test func `the exit codes are explained`() {
    let text = SampleRun("help exit-codes").output
    for code in ExitCode.allCases {
      #expect(text.contains("  \(code.rawValue)"))
      #expect(text.contains(code.meaning))
    }
  }

  @Test func `the version comes first, then those of the components`() {
    #expect(SampleRun("--version").output == "paint 1.2\n  canvas 7.0\n")
    #expect(
      SampleRun("--version --json").output
        == #"{"schemaVersion":1,"name":"paint","version":"1.2","components":{"canvas":"7.0"}}"#
        + "\n")
  }

  @Test func `the description contains every command, argument and exit code`() {
    let text = SampleRun("--describe").output
    #expect(text.hasPrefix(#"{"schemaVersion":1,"name":"paint","version":"1.2","abstract":"#))
    #expect(
      text.contains(
        #"{"kind":"option","name":"size","short":"s","aliases":["width"],"value":"N","#
          + #""help":"The size in pixels. Range: 1–100.","isRequired":false,"#
          + #""isRepeatable":false,"default":"10"}"#))
    #expect(
      text.contains(
        #"{"kind":"positional","name":"INPUT","help":"The images; '-' is standard input.","#
          + #""isRequired":true,"isRepeatable":true}"#))
    #expect(text.contains(#""name":"secret","value":"X","help":"Not in the help.","#))
    #expect(text.contains(#"{"code":64,"name":"usage","meaning":"invalid command line"}"#))
    #expect(!SampleRun("help brush").output.contains("secret"))
  }
}

// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditFilters
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("Names of places on the command line", .runsPrograms)
struct PlaceCommandTests {
  private let library: ToolLibrary
  private let variables: [String: String]

  init() throws {
    library = try ToolLibrary()
    let file = try library.folder.write(PlaceFile.sample.bytes, to: "places.bin")
    variables = ["PHOTOEDIT_PLACES": file]
  }

  /// Runs a command with a file of places, or without.
  private func run(
    _ arguments: String..., isNamed: Bool = true, in name: String? = nil
  ) throws -> Tool.Result {
    let environment =
      isNamed ? variables : ["PHOTOEDIT_PLACES": library.folder.path("none.bin")]
    return try Tool.run(
      arguments + ["--library", name ?? library.name], in: library.folder.path,
      environment: environment)
  }

  /// A photo taken in Sintra.
  private func photo(city: String? = nil, seed: Int = 1) throws -> [UInt8] {
    var file = ImageFile()
    file.gps = [
      .text(1, "N"), .fractions(2, [(38_790, 1000), (0, 1), (0, 1)]), .text(3, "W"),
      .fractions(4, [(9_390, 1000), (0, 1), (0, 1)]),
    ]
    if let city { file.xmp = "photoshop:City=\"\(city)\"" }
    return try file.jpeg(seed)
  }

  private func place(_ name: String, in library: ToolLibrary) throws -> String? {
    try library.lines("asset", "list").first { $0["originalFilename"]?.stringValue == name }?[
      "place"]?.stringValue
  }

  @Test func `a repair names the places of an older library, if there is a file of places`() throws
  {
    try library.write(try photo(), to: "in/a.jpg")
    try library.write(try photo(city: "Colares", seed: 2), to: "in/b.jpg")
    // A place that only an XMP file states.
    try library.write(try photo(seed: 3), to: "in/c.jpg")
    try library.write(
      Array(ImageFile.packet("photoshop:City=\"Azenhas\" photoshop:Country=\"Portugal\"").utf8),
      to: "in/c.jpg.xmp")
    #expect(try run("asset", "import", "in", isNamed: false).exitCode == 0)
    #expect(try place("a.jpg", in: library) == nil)
    #expect(try place("c.jpg", in: library) == "Azenhas, Portugal")
    let refused = try run("library", "repair", "--places", isNamed: false)
    #expect(refused.exitCode != 0 && refused.errors.contains("photoedit-places"))
    let repaired = try run("library", "repair", "--places")
    #expect(repaired.exitCode == 0, "\(repaired.errors)")
    #expect(try place("a.jpg", in: library) == "Sintra, Lisbon, PT")
    #expect(try place("b.jpg", in: library) == "Colares")
    #expect(try place("c.jpg", in: library) == "Azenhas, Portugal")
    #expect(try library.list("place:Sintra").count == 1)
    try library.expectOrder()
    // Nothing is left to do.
    #expect(try run("library", "repair", "--places").output.contains("0 assets"))
  }

  private static let program = Program.find("exiftool")

  /// The names of the place in a file.
  private func names(_ file: String) throws -> [String] {
    let output = library.folder.path("exiftool-output")
    let status = Program.run(
      try #require(Self.program),
      [
        "-s3", "-f", "-XMP-photoshop:City", "-XMP-photoshop:State", "-XMP-photoshop:Country",
        "-IPTC:City", library.folder.path(file),
      ], output: output)
    #expect(status == 0)
    return String(decoding: try FileBytes.reading(output).array, as: UTF8.self)
      .split(separator: "\n").map(String.init)
  }

  @Test(.enabled(if: program != nil, "ExifTool is not installed"))
  func `the names of a place are exported, for ExifTool and for another library`() throws {
    try library.write(try photo(), to: "in/a.jpg")
    try library.write(try photo(city: "Colares", seed: 2), to: "in/b.jpg")
    try library.write(try photo(seed: 3), to: "in/c.jpg")
    try library.write(
      Array(ImageFile.packet("photoshop:City=\"Azenhas\" photoshop:Country=\"Portugal\"").utf8),
      to: "in/c.jpg.xmp")
    #expect(try run("asset", "import", "in").exitCode == 0)
    let plain = ["--sidecar", "xmp", "--embed-metadata", "no"]
    for (folder, options) in [("out", []), ("xmp", plain)] {
      try FileSystem.createFolder(library.folder.path(folder))
      let words = ["asset", "export", "--all", "-o", folder, "--library", library.name] + options
      let export = try Tool.run(words, in: library.folder.path, environment: variables)
      #expect(export.exitCode == 0, "\(export.errors)")
      let ending = options.isEmpty ? "" : ".xmp"
      #expect(try names("\(folder)/a.jpg\(ending)") == ["Sintra", "Lisbon", "PT", "-"])
      #expect(try names("\(folder)/c.jpg\(ending)") == ["Azenhas", "-", "Portugal", "-"])
      let second = try library.second("second-\(folder)")
      let back = try run("asset", "import", folder, isNamed: false, in: second.name)
      #expect(back.exitCode == 0, "\(back.errors)")
      for name in ["a.jpg", "b.jpg", "c.jpg"] {
        #expect(try place(name, in: second) == place(name, in: library), "\(folder)/\(name)")
      }
    }
    #expect(try names("out/b.jpg") == ["Colares", "-", "-", "-"])
  }

  @Test func `an export follows the names after a repair`() throws {
    try library.write(try photo(), to: "in/a.jpg")
    #expect(try run("asset", "import", "in", isNamed: false).exitCode == 0)
    try FileSystem.createFolder(library.folder.path("out"))
    func export() throws -> String {
      try run("asset", "export", "--all", "-o", "out", "--update").errors
    }
    #expect(try export().contains("1 written") && export().contains("1 unchanged"))
    #expect(try run("library", "repair", "--places").exitCode == 0)
    #expect(try export().contains("1 written") && export().contains("1 unchanged"))
  }
}

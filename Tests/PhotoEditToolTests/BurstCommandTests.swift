// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditTestSupport
import Testing

@Suite("Photos of bursts on the command line", .runsPrograms)
struct BurstCommandTests {
  private let library: ToolLibrary

  init() throws { library = try ToolLibrary() }

  @Test func `the photos of a burst are listed, picked, and reduced to the picked ones`() throws {
    for index in 1...3 {
      let name = "in/20231207_101605_00\(index).jpg"
      // The times of a burst agree.
      var image = ImageFile()
      image.exif = [.text(0x9003, "2023:12:07 10:16:05")]
      try library.write(try image.jpeg(index), to: name)
    }
    let assets = try library.lines("asset", "import", "in").compactMap { $0["asset"]?.stringValue }
    let plain = try library.add(try ImageFile().jpeg(9), as: "plain.jpg")
    #expect(Set(try library.list()) == [assets[0], plain])
    let shown = try library.lines("asset", "burst", "show", assets[1])
    #expect(Set(shown.compactMap { $0["identifier"]?.stringValue }) == Set(assets))
    let text = try library.run("asset", "burst", "show", assets[1])
    #expect(text.output.contains("  (shown)") && text.errors.contains("3 assets"))
    try library.expectRefusal(65, "not part of a burst", "asset", "burst", "pick", plain)
    try library.expectRefusal(64, "requires", "asset", "burst", "show", assets[1], "--keep-picked")
    let picked = try library.json("asset", "burst", "pick", assets[1], assets[2])
    #expect(picked["picked"]?.arrayValue?.count == 2 && picked["deleted"]?.arrayValue == [])
    #expect(Set(try library.list()) == [assets[1], assets[2], plain])
    let arguments = ["asset", "burst", "pick", assets[1], "--keep-picked"]
    let unconfirmed = try library.run(arguments)
    #expect(unconfirmed.exitCode == 64 && unconfirmed.errors.contains("--yes"))
    #expect(try library.list("--trashed").isEmpty)
    #expect(try library.run(arguments + ["--yes"]).exitCode == 0)
    #expect(Set(try library.list("--trashed")) == [assets[0], assets[2]])
    #expect(Set(try library.list("--include-bursts")) == [assets[1], plain])
    try library.expectOrder()
  }
}

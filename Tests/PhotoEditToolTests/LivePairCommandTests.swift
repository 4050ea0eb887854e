// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditTestSupport
import Testing

@Suite("Pairs of images and videos on the command line", .runsPrograms)
struct LivePairCommandTests {
  private let library: ToolLibrary

  init() throws { library = try ToolLibrary() }

  @Test func `two assets become a Live Photo and are separated again`() throws {
    let still = try library.add(try ImageFile.live("L", seed: 1), as: "a/still.jpg")
    let movie = try library.add(MovieFile.live("M", seed: 1), as: "b/movie.mov")
    try library.expectRefusal(65, "--force", "asset", "pair", still, movie)
    try library.expectRefusal(65, "specify the image", "asset", "pair", movie, still, "--force")
    try library.expectRefusal(65, "not a Live Photo", "asset", "unpair", still)
    let paired = try library.json("asset", "pair", still, movie, "--force")
    #expect(paired["paired"]?.arrayValue?.map(\.stringValue) == [still])
    #expect(try library.list("is:live") == [still] && library.list("--trashed") == [movie])
    let separated = try library.run("asset", "unpair", still)
    #expect(separated.exitCode == 0 && separated.errors == "photoedit: 1 unpaired\n")
    #expect(Set(try library.list()) == [still, movie])
    try library.expectOrder()
  }
}

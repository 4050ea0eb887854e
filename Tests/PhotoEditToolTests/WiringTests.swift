// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditFilters
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("Masks and branches on the command line", .runsPrograms)
struct WiringTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(try TestImages.bytes("inputs/jpeg-581x387.jpg"), to: "a.jpg")
  }

  private func render(_ filters: [String], to output: String) throws -> Tool.Result {
    try Tool.run(
      ["render", "a.jpg", "-o", output] + filters.flatMap { ["--filter", $0] }, in: folder.path)
  }

  @Test func `a masked filter changes only the masked area`() throws {
    #expect(
      try render(["mask.linear:id=m,from=0.5:0,to=0.5:1", "invert:mask=m"], to: "1.jpg").exitCode
        == 0)
    #expect(try render(["invert"], to: "2.jpg").exitCode == 0)
    #expect(try Tool.run(["compare", "1.jpg", "2.jpg"], in: folder.path).exitCode == 1)
    #expect(try Tool.run(["compare", "1.jpg", "a.jpg"], in: folder.path).exitCode == 1)
  }

  @Test func `branches are blended by name`() throws {
    let result = try render(
      [
        "exposure:ev=0.3,id=base", "gaussianBlur:sigma=4,id=soft",
        "blend:mode=screen,in=base:soft,opacity=0.4",
      ], to: "1.jpg")
    #expect(result.exitCode == 0, "\(result.errors)")
  }

  @Test(arguments: [
    ("invert:mask=nobody", "no earlier node 'nobody'"),
    ("invert:opacity=2", "invalid opacity '2' (allowed: 0…1)"),
    ("invert:blend=glow", "invalid blend 'glow' (allowed: normal, multiply"),
    ("invert:id=source", "node id 'source' is already in use"),
    ("blend:mode=screen", "0 inputs ('blend' takes 2)"),
  ])
  func `invalid connections are reported`(filter: String, sentence: String) throws {
    let result = try render([filter], to: "1.jpg")
    #expect(result.exitCode != 0 && result.errors.contains(sentence), "\(result.errors)")
  }

  @Test func `a group of masks is stored, adjusted and rendered again`() throws {
    let filters = [
      "mask.linear:id=sky", "mask.radial:id=face", "mask.radial:id=tree,center=0.2:0.5",
      "mask.group:id=g,in=sky:face:tree,members=add=Sky/subtract:0.5/intersect:invert",
      "exposure:ev=1,mask=g",
    ]
    let words = filters.flatMap { ["--filter", $0] }
    let applied = try Tool.run(["apply", "a.jpg"] + words, in: folder.path)
    #expect(applied.exitCode == 0, "\(applied.errors)")
    let shown = try Tool.run(["show", "a.jpg"], in: folder.path).output
    #expect(shown.contains("members=add=Sky/subtract:0.5/intersect:invert"), "\(shown)")
    #expect(shown.contains("in=sky:face:tree"), "\(shown)")
    func adjust(_ changes: [String]) throws -> Tool.Result {
      try Tool.run(["adjust", "a.jpg"] + changes, in: folder.path)
    }
    let refused = try adjust(["--remove", "face"])
    #expect(refused.exitCode == 64)
    #expect(
      refused.errors.contains("'face' is a member of group 'g'; set g.in=sky:tree first"),
      "\(refused.errors)")
    let short = try adjust(["--set", "g.members=add"])
    #expect(short.errors.contains("1 member for 3 masks, none for 'face'"), "\(short.errors)")
    let adjusted = try adjust(["--set", "g.in=sky:tree", "--remove", "face"])
    #expect(adjusted.exitCode == 0, "\(adjusted.errors)")
    let after = try Tool.run(["show", "a.jpg"], in: folder.path).output
    #expect(after.contains("members=add=Sky/intersect:invert"), "\(after)")
    // The adjusted edit renders as one that was made like this.
    let direct = [
      filters[0], filters[2], "mask.group:id=g,in=sky:tree,members=add/intersect:invert",
    ]
    let original = try TestImages.bytes("inputs/jpeg-581x387.jpg")
    try folder.write(original, to: "b.jpg")
    let again = try Tool.run(
      ["apply", "b.jpg"] + (direct + [filters[4]]).flatMap { ["--filter", $0] }, in: folder.path)
    #expect(again.exitCode == 0, "\(again.errors)")
    let compared = try Tool.run(["compare", "a.jpg", "b.jpg"], in: folder.path)
    #expect(compared.exitCode == 0, "\(compared.output)")
  }

  @Test func `masks and blend modes of a stored edit can be changed`() throws {
    let words = ["--filter", "mask.radial:id=m", "--filter", "exposure:ev=1,mask=m,id=e"]
    #expect(try Tool.run(["apply", "a.jpg"] + words, in: folder.path).exitCode == 0)
    let shown = try Tool.run(["show", "a.jpg"], in: folder.path).output
    #expect(shown.contains("mask.radial") && shown.contains("mask=m"))
    for change in ["e.blend=screen", "e.mask=", "e.opacity=0.5"] {
      let result = try Tool.run(["adjust", "a.jpg", "--set", change], in: folder.path)
      #expect(result.exitCode == 0, "\(result.errors)")
    }
    let refused = try Tool.run(["adjust", "a.jpg", "--set", "e.mask=nobody"], in: folder.path)
    #expect(refused.exitCode == 64)
    #expect(refused.errors.contains("'nobody'"), "\(refused.errors)")
  }
}

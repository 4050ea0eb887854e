// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditFilters
import PhotoEditPlatform
import PhotoEditTestSupport
import Testing

@Suite("Third-party edits on the command line", .runsPrograms)
struct ThirdPartyEditTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(TestImages.bytes("photo-64.jpg"), to: "IMG_1.jpg")
    try folder.write(Self.xmp, to: "IMG_1.xmp")
  }

  private static let xmp = Array(
    """
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
    <rdf:Description xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/"
     crs:ProcessVersion="11.0" crs:CropLeft="0.25" crs:CropRight="0.75" crs:Exposure2012="+0.50"
     crs:Dehaze="+12" crs:Version="15.0"/></rdf:RDF></x:xmpmeta>
    """.utf8)

  /// An AAE of Apple Photos; its data is deflated without compression.
  private static func aae(
    _ adjustments: String, identifier: String = "com.apple.photo"
  ) -> [UInt8] {
    let json = Array(
      """
      {"metadata":{"masterWidth":128,"masterHeight":96,"orientation":1},"adjustments":[\(adjustments)]}
      """.utf8)
    let count = UInt16(json.count)
    let head = [1, UInt8(count & 255), UInt8(count >> 8), UInt8(~count & 255), UInt8(~count >> 8)]
    return Array(
      """
      <?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>
      <key>adjustmentData</key><data>\(Data(head + json).base64EncodedString())</data>
      <key>adjustmentFormatIdentifier</key><string>\(identifier)</string>
      <key>adjustmentFormatVersion</key><string>1.4</string></dict></plist>
      """.utf8)
  }

  private static let crop = """
    {"identifier":"Crop","settings":{"xOrigin":0,"yOrigin":0,"width":64,"height":48}},\
    {"identifier":"Effect","settings":{"effectName":"Noir"}}
    """

  private func run(_ arguments: String...) throws -> Tool.Result {
    try Tool.run(arguments, in: folder.path)
  }

  @Test func `without --allow-approximate nothing is written, and everything is listed`() throws {
    let result = try run("apply", "IMG_1.jpg", "--import-edit", "IMG_1.xmp")
    #expect(result.exitCode == 64)
    for part in [
      "mapped: CropLeft, CropRight", "approximated: Exposure2012", "not used: Dehaze",
      "use --allow-approximate",
    ] {
      #expect(result.errors.contains(part), "\(part) in \(result.errors)")
    }
    #expect(access(folder.path("IMG_1.edited.jpg"), F_OK) != 0)
    #expect(
      try run("apply", "IMG_1.jpg", "--allow-approximate", "--filter", "sepia").exitCode == 64)
  }

  @Test func `Lightroom settings become an adjustable edit`() throws {
    let result = try run(
      "apply", "IMG_1.jpg", "--import-edit", "IMG_1.xmp", "--allow-approximate", "--filter",
      "sepia", "--json")
    #expect(result.exitCode == 0, "\(result.errors)")
    let report = try #require(try result.jsonLines().first)
    #expect(report["width"]?.integerValue == 32 && report["height"]?.integerValue == 48)
    let from = try #require(report["from"])
    #expect(from["format"] == "lightroom")
    func names(_ list: String) -> [String] {
      from[list]?.arrayValue?.compactMap { $0["name"]?.stringValue } ?? []
    }
    #expect(names("mapped") == ["CropLeft", "CropRight"])
    #expect(names("approximated") == ["Exposure2012"])
    #expect(names("unmapped") == ["Dehaze"])
    #expect(result.errors.contains("not used: Dehaze +12: no filter removes haze"))
    let shown = try #require(try run("show", "IMG_1.jpg", "--json").jsonLines().first)
    #expect(
      shown["graph"]?["nodes"]?.arrayValue?.compactMap { $0["filter"]?.stringValue }
        == ["exposure", "crop", "sepia"])
    #expect(try run("adjust", "IMG_1.jpg", "--set", "exposure.ev=1").exitCode == 0)
  }

  @Test func `third-party edits precede presets and filters and follow the stored edit`() throws {
    try folder.write(
      Array(#"{"format":"org.photoedit.filter-graph","version":"1.0","nodes":[]}"#.utf8),
      to: "empty.json")
    _ = try run("apply", "IMG_1.jpg", "--filter", "crop:w=0.5")
    let result = try run(
      "apply", "IMG_1.jpg", "--import-edit", "IMG_1.xmp", "--allow-approximate", "--filter",
      "invert", "--json")
    let report = try #require(try result.jsonLines().first, "\(result.errors)")
    #expect(report["width"]?.integerValue == 16)
    let shown = try #require(try run("show", "IMG_1.jpg", "--json").jsonLines().first)
    #expect(
      shown["graph"]?["nodes"]?.arrayValue?.compactMap { $0["filter"]?.stringValue }
        == ["crop", "exposure", "crop", "invert"])
  }

  @Test func `a crop of Apple Photos is scaled to the image, and an effect is listed`() throws {
    try folder.write(Self.aae(Self.crop), to: "IMG_9.AAE")
    let result = try run(
      "render", "IMG_1.jpg", "--import-edit", "IMG_9.AAE", "--allow-approximate", "-o", "out.jpg",
      "--json")
    let report = try #require(try result.jsonLines().first, "\(result.errors)")
    #expect(report["width"]?.integerValue == 32 && report["height"]?.integerValue == 24)
    #expect(report["from"]?["format"] == "apple" && report["from"]?["mapped"] == [])
    #expect(report["from"]?["approximated"]?.arrayValue?.count == 1)
    #expect(report["from"]?["unmapped"]?.arrayValue?.first?["name"] == "Effect")
    let plan = try run(
      "render", "IMG_1.jpg", "--import-edit", "IMG_9.AAE", "--allow-approximate", "--plan")
    #expect(plan.exitCode == 0 && plan.output.contains("32×24"), "\(plan.output)")
    let pipe = try Tool.run(
      ["apply", "-", "--import-edit", "IMG_9.AAE", "--allow-approximate"], in: folder.path,
      input: try TestImages.bytes("photo-64.jpg"))
    #expect(pipe.exitCode == 0 && pipe.outputBytes.starts(with: [0xFF, 0xD8]))
  }

  @Test func `an image with a sidecar is edited without it`() throws {
    let result = try run("apply", "IMG_1.jpg", "--filter", "sepia", "--json")
    let report = try #require(try result.jsonLines().first)
    #expect(report["width"]?.integerValue == 64 && report["from"] == nil)
  }

  @Test func `settings already applied to the pixels are not applied again`() throws {
    let packet = String(decoding: Self.xmp, as: UTF8.self)
      .replacing("crs:Version=\"15.0\"", with: "crs:AlreadyApplied=\"True\"")
    let payload = Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Array(packet.utf8)
    let length = payload.count + 2
    let jpeg = try TestImages.bytes("photo-64.jpg")
    let segment: [UInt8] = [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + payload
    try folder.write([0xFF, 0xD8] + segment + jpeg.dropFirst(2), to: "done.jpg")
    let again = try run(
      "render", "done.jpg", "--import-edit", "done.jpg", "--allow-approximate", "-o", "a.jpg")
    #expect(again.exitCode == 65 && again.errors.contains("already"), "\(again.errors)")
    let other = try run(
      "render", "IMG_1.jpg", "--import-edit", "done.jpg", "--allow-approximate", "-o", "a.jpg")
    #expect(other.exitCode == 0, "\(other.errors)")
    // A sidecar describes the image of its name, and no other.
    try folder.write(Array(packet.utf8), to: "IMG_2.jpg.XMP")
    try folder.write(jpeg, to: "IMG_2.jpg")
    try folder.write(Array(packet.utf8), to: "IMG_1.xmp")
    for (image, sidecar, code) in [
      ("IMG_2.jpg", "IMG_2.jpg.XMP", 65), ("IMG_1.jpg", "./IMG_1.xmp", 65),
      ("IMG_2.jpg", "IMG_1.xmp", 0),
    ] {
      let result = try run(
        "render", image, "--import-edit", sidecar, "--allow-approximate", "-f", "-o", "a.jpg")
      #expect(Int(result.exitCode) == code, "\(image) \(sidecar): \(result.errors)")
    }
  }

  @Test(arguments: [
    ("IMG_1.jpg", 65, "no Lightroom"), ("none.xmp", 66, "none.xmp"),
    ("bad.xmp", 65, "line 1"), ("bad.aae", 65, "property list"), ("notes.txt", 65, "no edit"),
  ])
  func `a file without an edit is rejected with the reason`(
    name: String, exitCode: Int, reason: String
  ) throws {
    try folder.write(Array("<a".utf8), to: "bad.xmp")
    try folder.write(Array("<plist>".utf8), to: "bad.aae")
    try folder.write(Array("hello".utf8), to: "notes.txt")
    let result = try run("apply", "IMG_1.jpg", "--import-edit", name, "--allow-approximate")
    #expect(Int(result.exitCode) == exitCode && result.errors.contains(reason), "\(result.errors)")
  }

  @Test func `show lists another program's adjustments under its name`() throws {
    try folder.write(Self.aae(Self.crop), to: "IMG_1.AAE")
    let text = try run("show", "IMG_1.jpg")
    #expect(text.exitCode == 0 && text.output.contains("external"), "\(text.output)")
    #expect(text.output.contains(#"Effect {"effectName":"Noir"}"#))
    #expect(text.output.contains("cannot be resumed by photoedit"))
    let json = try #require(try run("show", "IMG_1.jpg", "--json").jsonLines().first)
    #expect(json["theirs"]?["resumable"] == false && json["resumable"] == false)
    let adjustments = try #require(json["theirs"]?["edit"]?["adjustments"]?.arrayValue)
    #expect(adjustments.compactMap { $0["identifier"]?.stringValue } == ["Crop", "Effect"])
    #expect(adjustments[0]["settings"]?["width"]?.integerValue == 64)
  }

  @Test func `show reports unreadable adjustment data and continues`() throws {
    try folder.write(Self.aae("7"), to: "IMG_1.AAE")
    let result = try run("show", "IMG_1.jpg", "--json")
    let json = try #require(try result.jsonLines().first, "\(result.errors)")
    #expect(json["theirs"] == nil)
    let notices = json["notices"]?.arrayValue?.compactMap(\.stringValue) ?? []
    #expect(notices.contains { $0.contains("no identifier") }, "\(notices)")
  }

  @Test func `inspect identifies adjustment data by its content`() throws {
    try folder.write(Self.aae(Self.crop), to: "a.bin")
    try folder.write(Self.aae("", identifier: "com.example.editor"), to: "b.AAE")
    let result = try run("inspect", "a.bin", "b.AAE", "IMG_1.xmp", "IMG_1.jpg", "--json")
    #expect(result.exitCode == 0, "\(result.errors)")
    let objects = try result.jsonLines()
    #expect(objects.map { $0["kind"]?.stringValue }.prefix(3) == ["edit", "edit", "edit"])
    #expect(objects[0]["apple"]?["masterWidth"]?.integerValue == 128)
    #expect(objects[0]["apple"]?["rendered"] == false)
    #expect(objects[1]["apple"]?["contents"] == "opaque")
    #expect(objects[1]["apple"]?["adjustments"] == nil)
    #expect(objects[2]["lightroom"]?["processVersion"] == "11.0")
    #expect(
      objects[2]["lightroom"]?["from"]?["unmapped"]?.arrayValue?.first?["name"] == "Dehaze")
    let text = try run("inspect", "a.bin", "IMG_1.xmp")
    #expect(text.output.contains("Effect {") && text.output.contains("by the original editor only"))
    #expect(text.output.contains("Dehaze +12: no filter removes haze"))
  }

  @Test func `overlong adjustment data is shortened in the output, not an error`() throws {
    let long = String(repeating: "x", count: 20_000)
    try folder.write(
      Self.aae(#"{"identifier":"\#(long)","settings":{"a":"\#(long)"}}"#), to: "long.AAE")
    let result = try run("inspect", "long.AAE", "--json")
    #expect(result.exitCode == 0 && result.outputBytes.count < 10_000, "\(result.errors)")
  }
}

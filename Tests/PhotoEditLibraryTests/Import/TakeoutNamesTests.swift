// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import PhotoEditLibrary

@Suite("Names of Google Takeout files")
struct TakeoutNamesTests {
  /// A JSON file about a photo with a title.
  private func file(_ title: String, seconds: Int = 981_173_106) throws -> TakeoutFile {
    let json = """
      {"title": "\(title)", "photoTakenTime": {"timestamp": "\(seconds)"}}
      """
    return try #require(TakeoutFile(Array(json.utf8)))
  }

  private func match(
    _ photo: String, _ names: [(name: String, title: String)]
  ) throws -> TakeoutIndex.Match {
    var files: [(path: String, file: TakeoutFile)] = []
    for (index, (name, title)) in names.enumerated() {
      files.append(("/t/" + name, try file(title, seconds: 1000 + index)))
    }
    return TakeoutIndex(files).match(photo)
  }

  @Test(arguments: [
    ("PXL_20211013_220651983.jpg", "PXL_20211013_220651983.jpg.json"),
    ("20161105_170829.jpg", "20161105_170829.jpg.supplemental-metadata.json"),
    ("MVIMG_20191230_232926.jpg", "MVIMG_20191230_232926.jpg.supplemental-metadat.json"),
    ("Screenshot_20200301-161151.png", "Screenshot_20200301-161151.png.supplemental-me.json"),
    ("MVIMG_20200207_134534~2.jpg", "MVIMG_20200207_134534~2.jpg.supplemental-metad.json"),
    (
      "Screenshot_20231027_123303_Facebook.jpg",
      "Screenshot_20231027_123303_Facebook.jpg.supple.json"
    ),
    ("IMG_1.jpg", "IMG_1.jpg.s.json"), ("IMG_1.jpg", "IMG_1.jpg..json"),
    (
      "PXL_20230809_203449253.LONG_EXPOSURE-02.ORIGINA.jpg",
      "PXL_20230809_203449253.LONG_EXPOSURE-02.ORIGIN.json"
    ),
    (
      "05yqt21kruxwwlhhgrwrdyb6chhwszi9bqmzu16w0 2.jpg",
      "05yqt21kruxwwlhhgrwrdyb6chhwszi9bqmzu16w0 2.jp.json"
    ),
    (
      "😀😃😄😁😆😅😂🤣🥲☺️😊😇🙂🙃😉😌😍🥰😘😗😙😚😋😛.jpg",
      "😀😃😄😁😆😅😂🤣🥲☺️😊😇🙂🙃😉😌😍🥰😘😗😙😚😋.json"
    ),
    (
      "Screenshot_2024-08-31-00-53-48-647_com.snapchat.jpg",
      "Screenshot_2024-08-31-00-53-48-647_com.snapcha.json"
    ),
    ("DSC_0101(1).JPG", "DSC_0101.JPG(1).json"), ("IMG_2710(1).HEIC", "IMG_2710.HEIC(1).json"),
    ("Scan35(1).jpg", "Scan35.jpg.supplemental-metadata(1).json"),
    ("CLIP0001(10).AVI", "CLIP0001.AVI.supplemental-metadata(10).json"),
    (
      "Screenshot_20231027_123303_Facebook(1).jpg",
      "Screenshot_20231027_123303_Facebook.jpg.supple(1).json"
    ),
    (
      "Backyard_ceremony_wedding_photography_xxxxxxx_m(494).jpg",
      "Backyard_ceremony_wedding_photography_xxxxxxx_(494).json"
    ),
    (
      "13039_327707840323_537645323_9470255_27214_n(1).jpg",
      "13039_327707840323_537645323_9470255_27214_n.j(1).json"
    ),
    ("IMG(18).jpg", "IMG(18).jpg.supple(18).json"),
    ("IMG(2).jpg", "IMG(2).jpg.json"),
    ("PXL_20210102_221126856.MP~2.jpg", "PXL_20210102_221126856.MP~2.jpg.json"),
    (
      "original_1d4caa6f-16c6-4c3d-901b-9387de10e528_P.jpg",
      "original_1d4caa6f-16c6-4c3d-901b-9387de10e528_.json"
    ),
    (
      "original_1d4caa6f-16c6-4c3d-901b-9387de10e528_P(1).jpg",
      "original_1d4caa6f-16c6-4c3d-901b-9387de10e528_.json"
    ),
    ("2234089303984509579.jpg", "2234089303984509579.json"),
    ("2234089303984509579.jpg", "2234089303984509579.supplemental-metadata.json"),
    ("IMG_1.JPG", "img_1.jpg.json"), ("Caf\u{E9}.jpg", "Cafe\u{301}.jpg.json"),
  ])
  func `the JSON file of a photo is found by its name`(_ photo: String, _ name: String) throws {
    let title = photo.replacing(#/\(\d+\)/#, with: "")
    #expect(try match(photo, [(name, title)]) == .found("/t/" + name))
    #expect(try match(photo, [(name, "")]) == .found("/t/" + name))
  }

  @Test(arguments: [
    ("IMG_1.jpg", "IMG_1.jpg.json", true), ("IMG_1.jpg", "IMG_1.jpg.supplemental-me.json", true),
    ("IMG_1(1).jpg", "IMG_1.jpg(1).json", false), ("IMG_1.jpg", "IMG_1.json", false),
    (
      "PXL_20230809_203449253.LONG_EXPOSURE-02.ORIGINA.jpg",
      "PXL_20230809_203449253.LONG_EXPOSURE-02.ORIGIN.json", false
    ),
  ])
  func `a JSON file with another title is used only if it has the complete name of the photo`(
    _ photo: String, _ name: String, _ isUsed: Bool
  ) throws {
    #expect(try match(photo, [(name, "another.jpg")]) == (isUsed ? .found("/t/" + name) : .none))
    #expect(
      try match(photo, [(name, "another.jpg"), ("x.json", photo)])
        == (isUsed ? .found("/t/" + name) : .none))
  }

  @Test(arguments: [
    ("PXL_20211013_220651958.jpg", "PXL_20211013_220651983.jpg.json"),
    ("DSC_0102(1).JPG", "DSC_0102.JPG(2).json"), ("DSC_0103.JPG", "DSC_0103.JPG(1).json"),
    ("DSC_0104(1).JPG", "DSC_0104.JPG.json"),
    (
      "Backyard_ceremony_wedding_photography_xxxxxxx_m(185).jpg",
      "Backyard_ceremony_wedding_photography_xxxxxxx_(494).json"
    ),
    ("IMG_1.jpg", "IMG_1.jpg.supplemental-x.json"), ("IMG_1.jpg", "IMG_12.jpg.json"),
  ])
  func `a JSON file with another name or number is not used`(
    _ photo: String, _ name: String
  ) throws {
    #expect(try match(photo, [(name, "")]) == .none)
  }

  @Test func `of several JSON files the one with the photo's title is used, or none`() throws {
    let names = ["IMG(1).jpg.json", "IMG.jpg(1).json"]
    #expect(
      try match("IMG(1).jpg", [(names[0], "IMG(1).jpg"), (names[1], "IMG.jpg")])
        == .found("/t/" + names[0]))
    #expect(
      try match("IMG(1).jpg", [(names[0], ""), (names[1], "")])
        == .ambiguous(names.map { "/t/" + $0 }))
  }

  @Test(arguments: ["", "(1)", "(494)"], [true, false])
  func `of truncated names the number shows which JSON file is that of a photo`(
    _ number: String, _ hasExtension: Bool
  ) throws {
    let stem = "Lighthouse_at_the_end_of_a_very_long_coast_r_"
    let names = ["", "(1)", "(494)"].map { "\(stem)r\($0).json" }
    let photo = "\(stem)road" + number + (hasExtension ? ".jpg" : "")
    let found = try match(photo, names.map { ($0, stem + "road_in_the_evening.jpg") })
    #expect(found == .found("/t/\(stem)r\(number).json"))
  }

  @Test(arguments: [
    ("Q: why? 100%.jpg", "Q_ why_ 100_.jpg", true), ("Tom&#39;s.jpg", "Tom_s.jpg", true),
    ("IMG_2.jpg", "IMG_1.jpg", false), ("IMG_1", "IMG_1.jpg", true),
  ])
  func `a title may contain characters that file names may not`(
    _ title: String, _ photo: String, _ isMatch: Bool
  ) {
    #expect(TakeoutNames.verify(title: title, photo: photo) == isMatch)
  }

  @Test(
    arguments: [
      ("IMAG0061-edited.JPG", "IMAG0061"), ("IMG-1~2-edited.jpg", "IMG-1~2"),
      ("IMG_1-bearbeitet.jpg", "IMG_1"), ("IMG_1-upravené.jpg", "IMG_1"),
      ("IMG_1-编辑(2).jpg", "IMG_1(2)"), ("PXL_1.PORTRAIT-modifié.jpg", "PXL_1.PORTRAIT"),
      ("a-ha editado.jpg", "a"), ("a-ha edit.JPG", "a"), ("IMG_1-編集済み.jpg", "IMG_1"),
      ("IMG_1-изменено.jpg", "IMG_1"), ("IMG_1-수정됨.jpg", "IMG_1"), ("IMG_1-已修改.jpg", "IMG_1"),
      ("IMG_1-edited(2).jpg", "IMG_1(2)"), ("IMG_1-modifie\u{301}.jpg", "IMG_1"),
      ("IMG-1.jpg", nil), ("-edited.jpg", nil), ("a-b.jpg", nil), ("a-credited.jpg", nil),
    ] as [(String, String?)])
  func `an edited photo is recognized in many languages, and truncated`(
    _ name: String, _ stem: String?
  ) {
    #expect(TakeoutNames.originalStem(ofEdited: name) == stem)
  }

  @Test func `a truncated file name is completed from the title`() {
    let photo = "PXL_20230809_203449253.LONG_EXPOSURE-02.ORIGINA.jpg"
    let title = "PXL_20230809_203449253.LONG_EXPOSURE-02.ORIGINAL.jpg"
    #expect(TakeoutNames.originalName(title: title, photo: photo) == title)
    #expect(TakeoutNames.originalName(title: photo, photo: photo) == nil)
    #expect(TakeoutNames.originalName(title: "IMG_1 long.jpg", photo: "IMG_1.jpg") == nil)
  }

  @Test func `an album file is recognized by its content`() {
    let album = #"{"title": "Lisbon", "access": "protected", "date": {"timestamp": "1"}}"#
    #expect(TakeoutFile(Array(album.utf8))?.album == "Lisbon")
    let wrapped = #"{"albumData": \#(album)}"#
    #expect(TakeoutFile(Array(wrapped.utf8))?.album == "Lisbon")
    let shared = #"{"title": "Lisbon", "sharedAlbumComments": []}"#
    #expect(TakeoutFile(Array(shared.utf8))?.album == "Lisbon")
    #expect(TakeoutFile([0xEF, 0xBB, 0xBF] + Array(album.utf8))?.album == "Lisbon")
    for other in ["[]", "{}", #"{"title": "x"}"#, "{", #"{"date": {"timestamp": "1"}}"#] {
      #expect(TakeoutFile(Array(other.utf8)) == nil)
    }
  }
}

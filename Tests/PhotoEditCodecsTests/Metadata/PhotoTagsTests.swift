// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import PhotoEditCodecs

@Suite("Keywords, ratings and labels of files")
struct PhotoTagsTests {
  private func tags(_ body: String, flat: [String] = []) -> PhotoTags {
    let namespaces = [
      XMPNamespace.dublinCore, .xmp, .lightroom, .digiKam, .darktable, .windowsPhoto, .regions,
      .acdSee,
    ]
    let declarations = (namespaces + [.iptcExtension]).map {
      " xmlns:\($0.usualPrefix)=\"\($0.rawValue)\""
    }
    let packet =
      "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF xmlns:rdf=\"\(XMPNamespace.rdf.rawValue)\">"
      + "<rdf:Description rdf:about=\"\"\(declarations.joined())>\(body)"
      + "</rdf:Description></rdf:RDF></x:xmpmeta>"
    let parsed = XMPPacket(Array(packet.utf8))
    return PhotoTags(parsed, flat: flat + parsed.items(.dublinCore, "subject"))
  }

  private func bag(_ name: String, _ items: [String]) -> String {
    let list = items.map { "<rdf:li>\($0)</rdf:li>" }.joined()
    return "<\(name)><rdf:Bag>\(list)</rdf:Bag></\(name)>"
  }

  @Test(
    arguments: [
      ("harbor", "harbor"), ("  two  words ", "two words"), ("Places/Portugal/Lisbon", nil),
      ("/Places//Portugal/ ", "Places/Portugal"), ("e\u{301}te\u{301}", "\u{E9}t\u{E9}"), ("", ""),
      (" / ", ""), ("a\nb", "a b"), ("\u{1B}[2J", "[2J"),
      (String(repeating: "x", count: 257), ""), (String(repeating: "a/", count: 17), ""),
    ] as [(String, String?)])
  func `keywords are stored in one form`(text: String, expected: String?) {
    let stored = KeywordPath.normalized(text)
    #expect(
      stored.map { Array($0.utf8) } == (expected == "" ? nil : Array((expected ?? text).utf8)))
    if let stored { #expect(KeywordPath.normalized(stored) == stored) }
  }

  @Test func `a slash in a name is kept`() throws {
    let name = "AC\u{2215}DC"
    #expect(KeywordPath.normalized("AC/DC", separator: nil) == name)
    #expect(KeywordPath.normalized("Music|AC/DC", separator: "|") == "Music/" + name)
    #expect(KeywordPath.name("Music/" + name) == "AC/DC")
    #expect(KeywordPath.normalized(name) == name, "as stored")
    // With a combining mark, a slash is another Swift character.
    #expect(KeywordPath.normalized("A/\u{302}C", separator: nil) == "A\u{2215}\u{302}C")
    #expect(KeywordPath.text("A\u{2215}\u{302}C") == "A/\u{302}C")
    #expect(KeywordPath.searchTerms("A/\u{302}C").first == "A")
    var metadata = SidecarMetadata()
    metadata.tags.keywords = KeywordPath.set(["Music/" + name, "24/7"])
    let packet = String(decoding: metadata.xmp(identifier: "X"), as: UTF8.self)
    for item in ["AC/DC", "7", "Music|AC/DC", "24|7"] {
      #expect(packet.contains("<rdf:li>\(item)</rdf:li>"), "\(item)")
    }
    #expect(try #require(SidecarMetadata(Array(packet.utf8))).tags == metadata.tags)
  }

  @Test(
    arguments: [
      (
        "<Categories><Category Assigned=\"0\">Places<Category Assigned=\"1\">Oslo &amp;amp; Bergen"
          + "</Category></Category><Category Assigned=\"1\">AC/DC</Category></Categories>",
        ["AC\u{2215}DC", "Places/Oslo & Bergen", "sea"]
      ),
      ("<Categories><Category Assigned='1'>People<Category/></Category>", ["People", "sea"]),
      ("<Categories/>", ["sea"]), ("text", ["sea"]), ("<Categories><!-- ", ["sea"]),
    ])
  func `categories that ACDSee assigned are keywords`(_ tree: String, _ keywords: [String]) {
    let text = tree.replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
    let subject = bag("dc:subject", ["sea"])
    #expect(tags(subject + "<acdsee:categories>\(text)</acdsee:categories>").keywords == keywords)
  }

  @Test func `a flat list keeps slashes, unless a hierarchy has the same levels`() {
    #expect(tags(bag("dc:subject", ["AC/DC", "concert"])).keywords == ["AC\u{2215}DC", "concert"])
    let path = tags(
      bag("dc:subject", ["Places/Lisbon", "Lisbon", "24/7"])
        + bag("digiKam:TagsList", ["Places/Lisbon"]))
    #expect(path.keywords == ["24\u{2215}7", "Places/Lisbon"])
    let name = tags(
      bag("dc:subject", ["AC/DC", "Music"]) + bag("lr:hierarchicalSubject", ["Music|AC/DC"]))
    #expect(name.keywords == ["Music/AC\u{2215}DC"])
  }

  @Test func `a text means the keyword that is written in this way`() {
    let known = ["AC\u{2215}DC", "Places/Lisbon"]
    #expect(KeywordPath.resolved("AC/DC", among: known) == known[0])
    #expect(KeywordPath.resolved("Places/Lisbon", among: known) == known[1])
    #expect(KeywordPath.resolved("AC/DC", among: ["AC/DC"] + known) == "AC/DC")
    #expect(KeywordPath.resolved("A/B", among: known) == "A/B")
  }

  @Test func `a keyword is found by every run of its levels`() {
    #expect(
      Set(KeywordPath.searchTerms("Places/Portugal/Lisbon")) == [
        "Places", "Places/Portugal", "Places/Portugal/Lisbon", "Portugal", "Portugal/Lisbon",
        "Lisbon",
      ])
  }

  @Test func `hierarchies of Lightroom and digiKam absorb their levels in the flat list`() {
    let found = tags(
      bag("dc:subject", ["Lisbon", "Portugal", "boat", "Boat house"])
        + bag("lr:hierarchicalSubject", ["Places|Portugal|Lisbon"])
        + bag("digiKam:TagsList", ["Places/Portugal/Lisbon", "Sea/boat"]))
    #expect(found.keywords == ["Boat house", "Places/Portugal/Lisbon", "Sea/boat"])
  }

  @Test(
    arguments: [
      ("<digiKam:ColorLabel>1</digiKam:ColorLabel>", "red"),
      ("<digiKam:ColorLabel>6</digiKam:ColorLabel>", "purple"),
      ("<digiKam:ColorLabel>9</digiKam:ColorLabel>", nil),
      ("<digiKam:ColorLabel>1</digiKam:ColorLabel><xmp:Label>Blue</xmp:Label>", "blue"),
      (
        "<darktable:colorlabels><rdf:Seq><rdf:li>1</rdf:li></rdf:Seq></darktable:colorlabels>",
        "yellow"
      ),
      (
        "<darktable:colorlabels><rdf:Seq><rdf:li>-7</rdf:li></rdf:Seq></darktable:colorlabels>",
        nil
      ),
    ] as [(String, String?)])
  func `the color labels of digiKam and darktable are read`(body: String, label: String?) {
    #expect(tags(body).label == label)
  }

  @Test(
    arguments: [
      ("<xmp:Rating>4</xmp:Rating>", 4), ("<xmp:Rating>-1</xmp:Rating>", -1),
      ("<xmp:Rating>0</xmp:Rating>", nil), ("<xmp:Rating>3.5</xmp:Rating>", 3),
      ("<xmp:Rating>9</xmp:Rating>", nil), ("<xmp:Rating>nan</xmp:Rating>", nil),
      ("<MicrosoftPhoto:Rating>1</MicrosoftPhoto:Rating>", 1),
      ("<MicrosoftPhoto:Rating>25</MicrosoftPhoto:Rating>", 2),
      ("<MicrosoftPhoto:Rating>50</MicrosoftPhoto:Rating>", 3),
      ("<MicrosoftPhoto:Rating>75</MicrosoftPhoto:Rating>", 4),
      ("<MicrosoftPhoto:Rating>99</MicrosoftPhoto:Rating>", 5),
      ("<xmp:Rating>2</xmp:Rating><MicrosoftPhoto:Rating>99</MicrosoftPhoto:Rating>", 2),
    ] as [(String, Int?)])
  func `ratings are read in stars and in percent`(body: String, expected: Int?) {
    #expect(tags(body).rating == expected)
  }

  @Test(arguments: [("Red", "red"), (" purple ", "purple"), ("Winner", nil), ("", nil)])
  func `labels are read by the name of their color`(text: String, expected: String?) {
    #expect(tags("<xmp:Label>\(text)</xmp:Label>").label == expected)
  }

  @Test func `people are read from face regions and from IPTC`() {
    func region(_ name: String, _ type: String) -> String {
      "<rdf:li rdf:parseType=\"Resource\"><mwg-rs:Name>\(name)</mwg-rs:Name>"
        + "<mwg-rs:Type>\(type)</mwg-rs:Type></rdf:li>"
    }
    let found = tags(
      "<mwg-rs:Regions rdf:parseType=\"Resource\"><mwg-rs:RegionList><rdf:Bag>"
        + region("Ann", "Face") + region("Rex", "Pet")
        + "</rdf:Bag></mwg-rs:RegionList></mwg-rs:Regions>"
        + bag("Iptc4xmpExt:PersonInImage", ["Bob", "Ann"]))
    #expect(found.people == ["Ann", "Bob"])
  }

  @Test func `a photo has at most 200 keywords`() {
    let many = (0..<300).map { "k\($0)" }
    #expect(tags("", flat: many).keywords.count == 200)
  }

  @Test func `a written packet gives back the same keywords, rating, label and people`() throws {
    var metadata = SidecarMetadata()
    metadata.tags.keywords = KeywordPath.set(["A/B/C", "B", "x <y> & z", "AC|DC"])
    (metadata.tags.rating, metadata.tags.label) = (-1, "purple")
    metadata.tags.people = ["Ann"]
    let bytes = metadata.xmp(identifier: "X")
    #expect(try #require(SidecarMetadata(bytes)).tags == metadata.tags)
    // Values that are gone are removed from a packet that is kept.
    let cleared = SidecarMetadata().xmp(identifier: "X", keeping: bytes)
    #expect(try #require(SidecarMetadata(cleared)).tags == PhotoTags())
  }
}

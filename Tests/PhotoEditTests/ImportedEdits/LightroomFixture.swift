// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

@testable import PhotoEdit

/// An XMP file with Lightroom settings.
enum LightroomFixture {
  /// A file whose settings are attributes, followed by elements.
  static func xmp(
    _ settings: KeyValuePairs<String, String> = [:], elements: String = "", orientation: Int? = nil
  ) -> [UInt8] {
    xmp(settings.map { ($0.key, $0.value) }, elements: elements, orientation: orientation)
  }

  static func xmp(
    _ settings: [(String, String)], elements: String = "", orientation: Int? = nil
  ) -> [UInt8] {
    let attributes = settings.map { " crs:\($0.0)=\"\($0.1)\"" }.joined()
    let rotation = orientation.map { " tiff:Orientation=\"\($0)\"" } ?? ""
    return file(
      "<rdf:Description rdf:about=\"\"\(rotation)\(attributes)>\(elements)</rdf:Description>")
  }

  /// A file with descriptions.
  static func file(_ descriptions: String) -> [UInt8] {
    Array(
      """
      <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
      <x:xmpmeta xmlns:x="adobe:ns:meta/">
       <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
        xmlns:tiff="http://ns.adobe.com/tiff/1.0/"
        xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/">\(descriptions)</rdf:RDF>
      </x:xmpmeta>
      <?xpacket end="w"?>
      """.utf8)
  }

  /// A list of texts as an element.
  static func list(_ name: String, _ items: [String]) -> String {
    "<crs:\(name)><rdf:Seq>" + items.map { "<rdf:li>\($0)</rdf:li>" }.joined()
      + "</rdf:Seq></crs:\(name)>"
  }

  /// The translation of settings for an image.
  static func translation(
    _ settings: KeyValuePairs<String, String> = [:], elements: String = "",
    orientation: Int? = nil, on size: PixelSize = PixelSize(width: 6000, height: 4000),
    stored: Orientation = .up
  ) throws -> EditConversion {
    try LightroomEdit(xmp: xmp(settings, elements: elements, orientation: orientation))
      .translation(for: .init(size: size, orientation: stored))
  }
}

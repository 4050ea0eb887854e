// SPDX-License-Identifier: Apache-2.0

/// The directory of the items stored one after another in a file: image, gain map, video.
///
/// - Source: Google Ultra HDR 1.1 and Motion Photo 1.0, container elements.
struct ContainerDirectory {
  /// Size of the gain map in bytes; nil if absent.
  var gainMapByteCount: Int?
  /// The video of a motion photo, which comes last: its size in bytes and its type.
  var movie: (byteCount: Int, mimeType: String)?

  /// The XMP property, with the namespaces that it needs.
  var element: String {
    let container = XMPNamespace.container.rawValue
    func item(_ attributes: String, _ type: String) -> String {
      "<rdf:li rdf:parseType=\"Resource\"><Container:Item \(attributes) "
        + "Item:Mime=\"\(type)\"/></rdf:li>"
    }
    var items = item("Item:Semantic=\"Primary\"", "image/jpeg")
    if let gainMapByteCount {
      items += item("Item:Semantic=\"GainMap\" Item:Length=\"\(gainMapByteCount)\"", "image/jpeg")
    }
    if let movie {
      items += item(
        "Item:Semantic=\"MotionPhoto\" Item:Length=\"\(movie.byteCount)\"", movie.mimeType)
    }
    return "<Container:Directory xmlns:Container=\"\(container)\" xmlns:Item=\"\(container)item/\" "
      + "xmlns:rdf=\"\(XMPNamespace.rdf.rawValue)\"><rdf:Seq>\(items)</rdf:Seq></Container:Directory>"
  }
}

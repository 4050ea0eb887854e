// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// XMP too large for one segment: joined from its segments or split into new ones.
///
/// - Source: XMP specification part 3, 1.1.3.1.
struct ExtendedXMP {
  /// Signature, name, total size, and offset of the part.
  private static let headCount = JPEGSegment.Signature.extendedXMP.count + 32 + 8

  /// The 32 digits by which the first segment refers to it.
  let name: String
  let bytes: [UInt8]

  /// Names a packet by its MD5 digest.
  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    name = MD5.hexadecimal(of: bytes)
  }

  private init(name: String, bytes: [UInt8]) { (self.name, self.bytes) = (name, bytes) }

  /// Returns the name in a segment's payload; nil if the payload is too short.
  static func name(of payload: [UInt8]) -> String? {
    let start = JPEGSegment.Signature.extendedXMP.count
    guard payload.count >= headCount else { return nil }
    return MetadataText.latin1(payload[start..<(start + 32)])
  }

  /// Returns the indices of the segments of each extended packet, in the order of their first ones.
  static func groups(in segments: [JPEGSegment]) -> [(name: String, indices: [Int])] {
    var groups: [String: [Int]] = [:]
    for index in segments.indices where segments[index].kind == .extendedXMP {
      groups[name(of: segments[index].payload) ?? "", default: []].append(index)
    }
    return groups.sorted { $0.value[0] < $1.value[0] }.map { ($0.key, $0.value) }
  }

  /// Joins the parts of one packet; nil if parts are missing or their offsets are wrong.
  static func joining(_ payloads: [[UInt8]]) -> ExtendedXMP? {
    let start = JPEGSegment.Signature.extendedXMP.count + 32
    guard let first = payloads.first, let name = name(of: first),
      let total = first.unsigned32(at: start)
    else { return nil }
    let parts = payloads.compactMap { payload in
      payload.unsigned32(at: start + 4).map { (offset: $0, bytes: payload.dropFirst(headCount)) }
    }
    var joined: [UInt8] = []
    for part in parts.sorted(by: { $0.offset < $1.offset }) {
      guard part.offset == joined.count else { return nil }
      joined += part.bytes
    }
    guard joined.count == total,
      payloads.allSatisfy({ $0.unsigned32(at: start) == total && Self.name(of: $0) == name })
    else { return nil }
    return ExtendedXMP(name: name, bytes: joined)
  }

  /// The payloads of the segments that contain it.
  var payloads: [[UInt8]] {
    let capacity = JPEGSegment.maximumPayloadCount - Self.headCount
    return stride(from: 0, to: bytes.count, by: capacity).map { offset in
      var numbers: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0]
      numbers.store32(bytes.count, at: 0)
      numbers.store32(offset, at: 4)
      let part = bytes[offset..<min(offset + capacity, bytes.count)]
      return JPEGSegment.Signature.extendedXMP + name.utf8 + numbers + part
    }
  }

  /// Moves the largest properties of a packet into an extended packet until the rest fits.
  ///
  /// - Returns: The rest, at most `limit` bytes, and the extended packet; nil if the limit cannot
  ///   be met.
  static func splitting(_ bytes: [UInt8], limit: Int) -> (rest: [UInt8], moved: ExtendedXMP)? {
    let packet = XMPPacket(bytes)
    guard packet.scan.isWellFormed, let first = packet.scan.descriptions.first else { return nil }
    // The reference to the extended packet has a fixed size; an existing wrong one is removed.
    let note = "http://ns.adobe.com/xmp/note/"
    let old = packet.property(.xmpNote, "HasExtendedXMP").map(\.whole)
    var size = bytes.count + 160 - (old?.count ?? 0)
    let elements = packet.scan.descriptions.enumerated().flatMap { index, description in
      description.elements.map { (description: index, range: $0) }
    }
    let candidates = elements.filter { $0.range != old }.sorted {
      ($1.range.count, $0.range.lowerBound) < ($0.range.count, $1.range.lowerBound)
    }
    var moved: [(description: Int, range: Range<Int>)] = []
    for candidate in candidates where size > limit {
      moved.append(candidate)
      size -= candidate.range.count
    }
    guard size <= limit, !moved.isEmpty else { return nil }
    moved.sort { $0.range.lowerBound < $1.range.lowerBound }
    let extended = ExtendedXMP(packet.extended(moved))
    var edits = moved.map { XMPPatch.Edit(range: $0.range, text: []) }
    if let old { edits.append(.init(range: old, text: [])) }
    let position = first.name.upperBound
    let text = " xmlns:peNote=\"\(note)\" peNote:HasExtendedXMP=\"\(extended.name)\""
    edits.append(.init(range: position..<position, text: Array(text.utf8)))
    let rest = XMPPatch.applied(edits, to: bytes)
    return rest.count <= limit ? (rest, extended) : nil
  }
}

extension XMPPacket {
  /// Returns the packet with the descriptions of its extended packet after its own, for reading.
  ///
  /// An extended packet that is damaged, or larger than any without images, is not read.
  func joined(withExtensionIn segments: [JPEGSegment]) -> XMPPacket {
    guard let name = text(.xmpNote, "HasExtendedXMP"), scan.isWellFormed,
      let last = scan.descriptions.last
    else { return self }
    let payloads = segments.filter { $0.kind == .extendedXMP }.map(\.payload)
      .filter { ExtendedXMP.name(of: $0) == name }
    guard payloads.reduce(0, { $0 + $1.count }) <= SidecarMetadata.maximumBytes,
      let extended = ExtendedXMP.joining(payloads).map({ XMPPacket($0.bytes) }),
      extended.scan.isWellFormed
    else { return self }
    let position = end(of: last)
    return XMPPacket(
      bytes[..<position] + extended.scan.descriptions.flatMap { extended.standalone($0) }
        + bytes[position...])
  }

  /// Returns the position after the tags of a description.
  private func end(of description: XMPDescription) -> Int {
    let end = description.content.upperBound
    return description.isEmpty ? end : bytes[end...].firstIndex(of: 0x3E).map { $0 + 1 } ?? end
  }

  /// Returns a description with all namespace declarations that apply to it.
  private func standalone(_ description: XMPDescription) -> [UInt8] {
    func name(_ declaration: Range<Int>) -> [UInt8] {
      Array(bytes[declaration].prefix { $0 != 0x3D && $0 > 0x20 })
    }
    // Inner declarations override outer ones of the same name.
    var names = Set(description.declarations.map(name))
    let outer = scan.outerDeclarations.reversed().filter { names.insert(name($0)).inserted }
    return bytes[(description.name.lowerBound - 1)..<description.name.upperBound]
      + outer.flatMap { [0x20] + bytes[$0] }
      + bytes[description.name.upperBound..<end(of: description)]
  }

  /// Returns a packet without a wrapper that contains some properties of this one.
  fileprivate func extended(_ elements: [(description: Int, range: Range<Int>)]) -> [UInt8] {
    let rdf = XMPNamespace.rdf.rawValue
    var result = Array(
      "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF xmlns:rdf=\"\(rdf)\">".utf8)
    for (index, description) in scan.descriptions.enumerated() {
      let own = elements.filter { $0.description == index }
      if own.isEmpty { continue }
      // Inner declarations override outer ones of the same name.
      var declarations: [(name: ArraySlice<UInt8>, text: ArraySlice<UInt8>)] = []
      var names: Set<[UInt8]> = [Array("xmlns:rdf".utf8)]
      for range in description.declarations.reversed() + scan.outerDeclarations.reversed() {
        let name = bytes[range].prefix { $0 != 0x3D && $0 > 0x20 }
        if names.insert(Array(name)).inserted { declarations.append((name, bytes[range])) }
      }
      result += Array("<rdf:Description rdf:about=\"".utf8)
      if let about = description.about, !bytes[about].contains(0x22) { result += bytes[about] }
      result.append(0x22)
      for declaration in declarations { result += [0x20] + declaration.text }
      result.append(0x3E)
      for element in own { result += bytes[element.range] }
      result += Array("</rdf:Description>".utf8)
    }
    return result + Array("</rdf:RDF></x:xmpmeta>".utf8)
  }
}

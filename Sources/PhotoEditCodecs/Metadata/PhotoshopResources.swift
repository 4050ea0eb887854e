// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// Photoshop image resources: reads one, or removes thumbnails and data to be stripped.
///
/// The resources of a file form one stream that may be split anywhere into segments. Everything
/// that is not removed is kept byte for byte.
///
/// - Source: Adobe Photoshop File Formats Specification, "Image Resources Section".
struct PhotoshopResources {
  /// Resource 1033 is the thumbnail of Photoshop 4, resource 1036 that of later versions.
  private static let thumbnails = [1033, 1036]
  private static let iptc = 1028
  /// The quality of the source's coding.
  private static let quality = 1030
  /// A copy of the color profile.
  private static let profile = 1039
  /// The digest by which readers detect that the IPTC was changed.
  static let iptcDigest = 1061
  /// Copies of EXIF and of XMP.
  private static let copies = [1058, 1059, 1060]

  private struct Edit {
    let range: Range<Int>
    let text: [UInt8]
  }

  private let payloads: [[UInt8]]
  /// The rendering; nil if only datasets of IPTC are removed.
  private let facts: RenderedImageProperties?
  private let people: PersonNames
  /// The only datasets of IPTC to remove; nil for a rendering.
  private let removed: Set<Int>?
  private var stream: [UInt8] = []
  private var starts: [Int] = []
  private var edits: [Edit] = []
  private(set) var hadThumbnail = false
  /// The names of what was removed because its position is unknown.
  private(set) var lostPositions: Set<String> = []
  private(set) var stripped: [StrippedMetadata] = []
  private var digest: Resource?
  private var changedIPTC: (old: [UInt8], new: [UInt8])?

  /// Changes the resources so that they describe a rendering.
  init(payloads: [[UInt8]], facts: RenderedImageProperties, people: PersonNames = PersonNames()) {
    self.init(payloads: payloads, facts: facts, people: people, removed: nil)
  }

  /// Removes datasets of IPTC and the copies of EXIF and XMP; thumbnails stay.
  init(payloads: [[UInt8]], removing datasets: Set<Int>) {
    self.init(payloads: payloads, facts: nil, people: PersonNames(), removed: datasets)
  }

  private init(
    payloads: [[UInt8]], facts: RenderedImageProperties?, people: PersonNames, removed: Set<Int>?
  ) {
    (self.payloads, self.facts, self.removed) = (payloads, facts, removed)
    self.people = people
    for payload in payloads {
      starts.append(stream.count)
      stream += payload.dropFirst(JPEGSegment.Signature.photoshop.count)
    }
  }

  /// Returns the bytes of the first resource with a number; nil if not found.
  static func content(of number: Int, in payloads: [[UInt8]]) -> ArraySlice<UInt8>? {
    let resources = PhotoshopResources(payloads: payloads, removing: [])
    var position = 0
    while let resource = resources.resource(at: position) {
      if resource.id == number { return resources.stream[resource.data] }
      position = resource.whole.upperBound
    }
    return nil
  }

  /// Returns the payloads for the rendering; one that is empty after patching becomes nil.
  mutating func patched() -> [[UInt8]?] {
    let isWhole = findEdits()
    if !isWhole && !strip.isEmpty {
      note("Unreadable Photoshop resources.")
      return payloads.map { _ in nil }
    }
    if !isWhole && EmbeddedPreview.occurs(in: stream) {
      hadThumbnail = true
      return payloads.map { _ in nil }
    }
    var next = edits[...]
    var position = 0
    return starts.indices.map { i in
      let end = i + 1 < starts.count ? starts[i + 1] : stream.count
      var remaining: [UInt8] = []
      var isChanged = position > starts[i]
      position = max(position, starts[i])
      while let edit = next.first, edit.range.lowerBound < end {
        remaining += stream[position..<edit.range.lowerBound] + edit.text
        position = edit.range.upperBound
        isChanged = true
        next.removeFirst()
      }
      if position < end {
        remaining += stream[position..<end]
        position = end
      }
      if !isChanged { return payloads[i] }
      return remaining.isEmpty ? nil : JPEGSegment.Signature.photoshop + remaining
    }
  }

  /// Finds the required changes; returns whether the entire stream could be parsed.
  private mutating func findEdits() -> Bool {
    var position = 0
    var following = starts[...]
    var isWhole = true
    while position < stream.count {
      if let resource = resource(at: position) {
        inspect(resource)
        position = resource.whole.upperBound
      } else {
        isWhole = false
        // A damaged part does not hide the ones after it.
        following = following.drop { $0 <= position }
        guard let next = following.first else { break }
        position = next
      }
    }
    if let digest, changedIPTC != nil || !strip.isDisjoint(with: IPTC.strips) {
      if let changedIPTC, strip.isEmpty,
        stream[digest.data].elementsEqual(MD5.digest(of: changedIPTC.old))
      {
        replace(digest, with: MD5.digest(of: changedIPTC.new))
      } else {
        edits.append(Edit(range: digest.whole, text: []))
      }
      edits.sort { $0.range.lowerBound < $1.range.lowerBound }
    }
    return isWhole
  }

  private mutating func inspect(_ resource: Resource) {
    if let removed {
      if resource.id == Self.iptcDigest || Self.copies.contains(resource.id) {
        edits.append(Edit(range: resource.whole, text: []))
      } else if resource.id == Self.iptc,
        let remaining = IPTC.removing(
          from: stream[resource.data], where: { removed.contains($0.number) })
      {
        replace(resource, with: remaining)
      }
    } else if Self.thumbnails.contains(resource.id) {
      hadThumbnail = true
      edits.append(Edit(range: resource.whole, text: []))
    } else if resource.id == Self.iptc {
      inspectIPTC(resource)
    } else if Self.copies.contains(resource.id), !strip.isEmpty {
      note("Copies of EXIF and XMP in Photoshop resources.")
      edits.append(Edit(range: resource.whole, text: []))
    } else if resource.id == Self.iptcDigest {
      digest = resource
    } else if resource.id == Self.quality, facts != nil {
      edits.append(Edit(range: resource.whole, text: []))
    } else if resource.id == Self.profile, facts?.keepsSourceProfile == false {
      edits.append(Edit(range: resource.whole, text: []))
    } else if let facts, let positions = PhotoshopPositions(resource.id),
      !positions.isKept(facts)
    {
      if let moved = positions.moved(Array(stream[resource.data]), facts) {
        replace(resource, with: moved)
      } else {
        if !positions.isOfWholeImage(Array(stream[resource.data])) {
          lostPositions.insert(positions.rawValue)
        }
        edits.append(Edit(range: resource.whole, text: []))
      }
    } else if EmbeddedPreview.occurs(in: Array(stream[resource.data])) {
      // A copy of EXIF may hold a copy of its thumbnail; plug-ins have resources of their own.
      hadThumbnail = true
      edits.append(Edit(range: resource.whole, text: []))
    }
  }

  /// Removes stripped fields and previews from the IPTC data.
  private mutating func inspectIPTC(_ resource: Resource) {
    let data = stream[resource.data]
    guard let facts, let result = IPTC.describing(facts, people, in: data) else {
      let isStripped = !strip.isDisjoint(with: IPTC.strips)
      guard isStripped || EmbeddedPreview.occurs(in: Array(data)) else { return }
      if isStripped { note("Unreadable IPTC data.") } else { hadThumbnail = true }
      return edits.append(Edit(range: resource.whole, text: []))
    }
    guard !data.elementsEqual(result.bytes) else { return }
    for kind in result.kinds { stripped.append(.init(kind: kind, detail: "IPTC fields.")) }
    if result.hadPreview { hadThumbnail = true }
    changedIPTC = (Array(data), result.bytes)
    replace(resource, with: result.bytes)
  }

  private mutating func replace(_ resource: Resource, with bytes: [UInt8]) {
    let head = Array(stream[resource.whole.lowerBound..<(resource.data.lowerBound - 4)])
    let padding: [UInt8] = bytes.count % 2 == 0 ? [] : [0]
    var size: [UInt8] = [0, 0, 0, 0]
    size.store32(bytes.count, at: 0)
    edits.append(Edit(range: resource.whole, text: head + size + bytes + padding))
  }

  private mutating func note(_ detail: String) {
    for (name, kind) in MetadataRemoval.names where strip.contains(kind) {
      let entry = StrippedMetadata(kind: name, detail: detail)
      if !stripped.contains(entry) { stripped.append(entry) }
    }
  }

  private var strip: MetadataRemoval { facts?.strip ?? [] }

  private struct Resource {
    let id: Int
    let whole: Range<Int>
    let data: Range<Int>
  }

  private func resource(at start: Int) -> Resource? {
    guard stream.has(Array("8BIM".utf8), at: start), let id = stream.unsigned16(at: start + 4),
      start + 6 < stream.count
    else { return nil }
    // The name has a length byte and is padded so that both together are even.
    let name = (Int(stream[start + 6]) + 2) & ~1
    guard let size = stream.unsigned32(at: start + 6 + name) else { return nil }
    let data = start + 10 + name
    let end = data + size
    // A truncated thumbnail is still a thumbnail.
    guard end <= stream.count || Self.thumbnails.contains(id) else { return nil }
    return Resource(
      id: id, whole: start..<min(end + size % 2, stream.count),
      data: min(data, stream.count)..<min(end, stream.count))
  }
}

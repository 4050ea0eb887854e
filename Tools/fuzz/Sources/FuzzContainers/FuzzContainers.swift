// SPDX-License-Identifier: Apache-2.0
@testable import PhotoEditContainers

/// Passes bytes to every container reader: each must terminate and report no range outside of them.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  readBoxes(BoxReader<Boxes>(bytes), depth: 0)
  if let reader = TIFFReader(exif: bytes) { readDirectories(reader) }
  bytes.withUnsafeBytes { buffer in
    if let reader = TIFFReader(buffer) { readDirectories(reader) }
    readChunks(ChunkReader(png: buffer), count)
    readChunks(ChunkReader(riff: buffer, in: 0..<count), count)
    var position = 0
    while let marker = JPEGMarker.next(in: buffer, from: position).marker {
      position = marker.end
      if let payload = JPEGMarker.payload(in: buffer, at: position) { check(payload, count) }
    }
  }
  _ = XMLReader.read(bytes[...]) { _, _ in }
  for i in bytes.indices.lazy.filter({ bytes[$0] == 0x3C }).prefix(200) {
    guard case .startTag(let tag) = XMLMarkup(bytes, at: i) else { continue }
    check(tag.start..<tag.end, count)
    for attribute in tag.attributes { check(attribute.whole, count) }
  }
  if let list = try? PropertyList(bytes: bytes),
    PropertyListValue.dictionary(list.values).isWritable
  {
    guard let xml = try? list.xml(), (try? PropertyList(bytes: xml)) != nil else {
      preconditionFailure("a written property list cannot be read")
    }
  }
  if let value = try? JSONValue(parsing: bytes) {
    guard let again = try? JSONValue(parsing: value.canonicalBytes()) else {
      preconditionFailure("written JSON cannot be read")
    }
    precondition(again == value, "JSON changed in a round trip")
  }
  return 0
}

private func check(_ range: Range<Int>, _ count: Int) {
  precondition(range.lowerBound >= 0 && range.upperBound <= count, "a range outside of the bytes")
}

private func readBoxes(_ reader: BoxReader<Boxes>, depth: Int) {
  guard depth < 8, let boxes = try? reader.boxes() else { return }
  for box in boxes {
    check(box.start..<box.body.upperBound, reader.bytes.count)
    readBoxes(reader.reader(box), depth: depth + 1)
  }
}

private func readDirectories<Bytes>(_ reader: TIFFReader<Bytes>) {
  var next = reader.first
  for _ in 0..<8 {
    guard let directory = reader.directory(at: next) else { return }
    check(directory.range, reader.bytes.count)
    for entry in directory.entries {
      if let value = entry.value { check(value, reader.bytes.count) }
      _ = (reader.integer(entry, at: entry.count - 1), reader.fraction(entry))
    }
    next = directory.next
  }
}

private func readChunks(_ reader: ChunkReader, _ count: Int) {
  var reader = reader
  while let chunk = reader.next() { check(chunk.start..<chunk.body.upperBound, count) }
}

private enum Boxes: BoxDialect {
  typealias Bytes = [UInt8]
  static let isQuickTime = true
  static let maximumBoxes = 1000

  struct Flawed: Error {}

  static func failure(_ flaw: BoxFlaw, in name: String) -> Flawed { Flawed() }
}

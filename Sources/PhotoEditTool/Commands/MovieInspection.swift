// SPDX-License-Identifier: Apache-2.0

/// The report on a video file.
struct MovieInspection: InspectReport {
  let input: String
  let info: MovieInfo
  let bytes: Int
  let digest: SHA256Digest

  /// Reads the header of the video, and the whole file once for its digest.
  init(_ input: String, _ environment: CommandEnvironment) throws(CommandFailure) {
    self.input = input
    info = try translating(
      { CommandFailure($0 as MovieError, input: input) }, PassthroughExport.inspect(input))
    let file = try mapFileErrors(OpenFile(reading: input))
    var builder = DigestBuilder()
    var count = 0
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 64)
    defer { chunk.deallocate() }
    while true {
      try environment.checkCancellation()
      let filled = try mapFileErrors(file.read(into: chunk))
      if filled == 0 { break }
      builder.update(UnsafeRawBufferPointer(rebasing: chunk[0..<filled]))
      count += filled
    }
    bytes = count
    digest = builder.finish()
  }

  var lines: LabelledLines {
    var lines = LabelledLines()
    lines.add("input", input)
    lines.add("format", "\(info.container.rawValue), \(bytes) bytes")
    lines.add("duration", figure(info.duration) + " s")
    lines.add("chapters", info.chapterCount > 0 ? "\(info.chapterCount)" : nil)
    lines.add("still image time", info.stillImageTime.map { figure($0) + " s" })
    lines.add("fragments", info.isFragmented ? "yes" : nil)
    lines.add("encrypted", info.isEncrypted ? "yes" : nil)
    lines.add("streams", each: info.streams.map(text))
    lines.add("tags", each: tags.map { "\($0.name): \($0.value)" } + hiddenTags)
    lines.add("digest", digest.description)
    return lines
  }

  private func text(_ stream: MovieStream) -> String {
    var parts = ["\(stream.index): \(stream.kind.rawValue) \(stream.codec)"]
    if stream.width > 0 { parts.append("\(stream.width)×\(stream.height)") }
    parts.append(figure(stream.duration) + " s")
    if let packets = stream.packets {
      parts.append("\(packets) packet" + (packets == 1 ? "" : "s"))
    }
    if let rotation = stream.rotation, rotation != 0 { parts.append("rotated by \(rotation)°") }
    if stream.rotation == nil { parts.append("display matrix is not a multiple of 90°") }
    if let language = stream.language { parts.append(language) }
    if let color = stream.color { parts.append(text(color)) }
    if !stream.edits.isEmpty {
      parts.append("edit list of \(stream.edits.count)")
    }
    parts += stream.metadataKeys.prefix(InspectLimits.tags).map(InspectLimits.shortened)
    return parts.joined(separator: ", ")
  }

  private func text(_ color: VideoColorProperties) -> String {
    var parts = ["color \(color.primaries)/\(color.transfer)/\(color.matrix)"]
    if color.isFullRange == true { parts.append("full range") }
    if color.hasProfile { parts.append("ICC profile") }
    if color.hasMasteringDisplay { parts.append("mastering display") }
    if let level = color.lightLevel {
      parts.append("light \(level.pixel)/\(level.frameAverage) cd/m²")
    }
    if let profile = color.dolbyVisionProfile { parts.append("Dolby Vision \(profile)") }
    return parts.joined(separator: " ")
  }

  private var hiddenTags: [String] {
    let count = info.tags.count - InspectLimits.tags
    return count > 0 ? ["and \(count) more"] : []
  }

  /// The first tags by name, each truncated to the maximum length.
  private var tags: [(name: String, value: String)] {
    info.tags.sorted { $0.key < $1.key }.prefix(InspectLimits.tags).map {
      (InspectLimits.shortened($0.key), InspectLimits.shortened($0.value))
    }
  }

  var json: [String: JSONValue] {
    let tags = tags.map { ($0.name, JSONValue.string($0.value)) }
    return [
      "input": .string(input), "kind": "movie", "container": .string(info.container.rawValue),
      "type": .string(info.container.typeIdentifier), "bytes": .whole(bytes),
      "digest": .string(digest.description), "duration": Self.seconds(info.duration),
      "streams": .array(info.streams.map(json)), "tagCount": .whole(info.tags.count),
      "tags": .object(Dictionary(tags) { first, _ in first }),
      "creationDate": info.creationDate.flatMap { Int(exactly: $0.rounded()) }.map { .whole($0) }
        ?? .null,
      "contentIdentifier": .text(info.contentIdentifier.map(InspectLimits.shortened)),
      "stillImageTime": info.stillImageTime.map { .real($0) } ?? .null,
      "chapters": .whole(info.chapterCount), "fragmented": .bool(info.isFragmented),
      "encrypted": .bool(info.isEncrypted),
    ]
  }

  private func json(_ stream: MovieStream) -> JSONValue {
    [
      "index": .whole(stream.index), "kind": .string(stream.kind.rawValue),
      "codec": .string(stream.codec), "duration": Self.seconds(stream.duration),
      "packets": stream.packets.map { .whole($0) } ?? .null,
      "rotation": stream.rotation.map { .whole($0) } ?? .null, "language": .text(stream.language),
      "width": .whole(stream.width), "height": .whole(stream.height),
      "colour": stream.color.map(json) ?? .null,
      "edits": .array(
        stream.edits.prefix(InspectLimits.tags).map {
          [
            "start": $0.start.map { .real($0) } ?? .null, "duration": Self.seconds($0.duration),
            "rate": .real($0.rate),
          ]
        }),
      "metadataKeys": .texts(
        stream.metadataKeys.prefix(InspectLimits.tags).map(InspectLimits.shortened)),
    ]
  }

  private func json(_ color: VideoColorProperties) -> JSONValue {
    [
      "primaries": .whole(color.primaries), "transfer": .whole(color.transfer),
      "matrix": .whole(color.matrix),
      "fullRange": color.isFullRange.map { .bool($0) } ?? .null,
      "profile": .bool(color.hasProfile),
      "masteringDisplay": .bool(color.hasMasteringDisplay),
      "lightLevel": color.lightLevel.map { [.whole($0.pixel), .whole($0.frameAverage)] } ?? .null,
      "dolbyVisionProfile": color.dolbyVisionProfile.map { .whole($0) } ?? .null,
      "hdr": .bool(color.isHDR),
    ]
  }

  private static func seconds(_ duration: Double) -> JSONValue {
    duration.isFinite ? .real(duration) : .null
  }
}

// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

/// Compares sources and renderings with ExifTool; every difference must be on a list.
@Suite("Metadata as read by ExifTool", .runsPrograms)
struct MetadataOracleTests {
  private static let exiftool = "/usr/bin/exiftool"
  private static let itemExists = FileManager.default.isExecutableFile(atPath: exiftool)

  /// Prefixes of the tag names that may change, with the reason.
  private static let allowed: [(prefix: String, reason: String)] = [
    ("SourceFile", "the name of the file"), ("File:", "size, dates and coding of the file"),
    ("System:", "the file system"), ("ExifTool:", "ExifTool itself"),
    ("JFIF:", "a file without EXIF gets JFIF"),
    ("Adobe:", "the encoder says its own colour transform"),
    ("Composite:ImageSize", "the size"), ("Composite:Megapixels", "the size"),
    ("Composite:SubSecModifyDate", "the date of change"),
    ("Composite:ThumbnailTIFF", "the thumbnail is a JPEG now"),
    ("IFD0:Orientation", "upright"), ("IFD0:ImageWidth", "the size"),
    ("IFD0:ImageHeight", "the size"), ("IFD0:Software", "the program"),
    ("IFD0:ModifyDate", "the date of change"), ("ExifIFD:OffsetTime", "the date of change"),
    ("ExifIFD:SubSecTime", "the date of change"), ("ExifIFD:ExifImage", "the size"),
    ("ExifIFD:ColorSpace", "what the profile says"),
    ("IFD0:BitsPerSample", "the samples"),
    ("ExifIFD:ComponentsConfiguration", "the samples"),
    ("ExifIFD:CompressedBitsPerPixel", "the compression of the source"),
    ("Photoshop:PhotoshopQuality", "the compression of the source"),
    ("Photoshop:PhotoshopFormat", "the compression of the source"),
    ("Photoshop:ProgressiveScans", "the compression of the source"),
    ("InteropIFD:RelatedImage", "the size"),
    ("XMP-dc:Format", "the format of the file"),
    ("IFD0:YCbCr", "how the encoder samples chroma"), ("IFD1:", "the thumbnail"),
    ("Casio:PreviewImageStart", "counted from the beginning of the file"),
    ("Olympus:PreviewImageStart", "counted from the beginning of the file"),
    ("Photoshop:PhotoshopThumbnail", "the second thumbnail"),
    ("ICC_Profile:RedMatrixColumn", "in long lists shown as binary; the bytes are compared"),
    ("InteropIFD:RelatedImage", "the size"),
    ("XMP-tiff:Orientation", "upright"), ("XMP-tiff:Image", "the size"),
    ("XMP-exif:ExifImage", "the size"), ("XMP-exif:ColorSpace", "what the profile says"),
    ("XMP-xmp:ModifyDate", "the date of change"), ("XMP-xmp:MetadataDate", "the date of change"),
    ("XMP-xmp:CreatorTool", "the program"), ("XMP-xmp:Thumbnail", "the thumbnail"),
    ("XMP-xmpMM:InstanceID", "another instance"), ("XMP-xmpMM:DerivedFrom", "the source"),
    ("XMP-xmpMM:History", "one more event"),
  ]

  /// The kinds of losses that the rendering reports, with the tags they remove.
  private static let lost: [String: [String]] = [
    "icc": ["ICC"], "mpf": ["MPF", "MPImage"], "c2pa": ["JUMBF", "C2PA"], "jumbf": ["JUMBF"],
    "gainMap": ["MPF", "MPImage", "XMP-hdrgm", "XMP-HDRGainMap", "XMP-Container"],
    "motionPhoto": ["XMP-GCamera", "XMP-Container", "Samsung", "QuickTime", "Track"],
    "depthMap": ["XMP-GDepth", "XMP-GImage", "XMP-xmpNote"], "panorama": ["XMP-GPano"],
    "regions": ["XMP-mwg-rs", "XMP-MP"], "exif": ["IFD0", "ExifIFD", "GPS", "IFD1", "InteropIFD"],
    "xmp": ["XMP"], "trailingData": ["Samsung", "PNG", "Trailer"],
    "oversizedSegment": ["XMP", "Photoshop", "IPTC"], "damagedMetadata": ["PNG", "XMP", "ICC"],
  ]

  private static func run(_ arguments: [String], _ folder: TemporaryFolder) throws -> [UInt8] {
    let child = try ChildProcess(
      exiftool, arguments, folder: folder.path, variables: ["LC_ALL": "C.UTF-8"])
    let (output, _) = child.exchange([], until: .now.advanced(by: .seconds(300)))
    _ = child.wait()
    return output
  }

  /// The tags of each file, as JSON text.
  private static func tags(
    of files: [String], _ folder: TemporaryFolder, options: [String] = ["-G1", "-a", "-u"]
  ) throws -> [String: [String: JSONValue]] {
    var result: [String: [String: JSONValue]] = [:]
    let names = files.joined(separator: "\n")
    try folder.write(Array(names.utf8), to: "names")
    let output = try run(options + ["-j", "-@", "names"], folder)
    for object in try JSONValue(parsing: output).arrayValue ?? [] {
      guard let name = object["SourceFile"]?.stringValue, let fields = object.objectValue else {
        continue
      }
      result[name] = fields
    }
    return result
  }

  private static func profile(of file: String) throws -> [UInt8]? {
    let bytes = [UInt8](try #require(FileManager.default.contents(atPath: file)))
    return try ImageMetadata.read(FileBytes(bytes)).icc
  }

  /// The warnings of ExifTool for each file.
  private static func warnings(
    of files: [String], _ folder: TemporaryFolder
  ) throws -> [String: Set<String>] {
    let options = ["-validate", "-warning", "-error", "-a", "-G4"]
    return try tags(of: files, folder, options: options).mapValues { tags in
      let found = tags.filter { $0.key.hasSuffix(":Warning") || $0.key.hasSuffix(":Error") }
      return Set(found.compactMap(\.value.stringValue))
    }
  }

  /// Real photos with metadata if available, and those of the package.
  private static func sources() -> [String] {
    var files = (try? TestImages.inputs().map(\.filePath)) ?? []
    if let corpora = Corpora.path {
      for folder in ["exifr", "piexif", "exif-orientation-examples", "pigallery2"] {
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: "\(corpora)/\(folder)"))
        files += (names ?? []).sorted().map { "\(corpora)/\(folder)/\($0)" }
      }
    }
    return files.filter { $0.lowercased().hasSuffix(".jpg") }
  }

  @Test(
    .enabled(if: itemExists, "ExifTool is not installed; Tools/setup --tests does"),
    arguments: [
      ["render"], ["apply", "--no-sidecar", "--filter", "exposure:ev=0.1"],
    ])
  func `a rendering differs only in the tags that an edit must change`(command: [String]) throws {
    let folder = try TemporaryFolder()
    var pairs: [(source: String, rendering: String, losses: [String])] = []
    for (index, source) in Self.sources().enumerated() {
      let name = "\(folder.path)/\(index).jpg"
      let result = try Tool.run(command + ["--json", source, "-o", name], in: folder.path)
      // Damaged images are rejected; other tests cover them.
      guard result.exitCode == 0, let report = try result.jsonLines().last else {
        #expect([65, 69].contains(result.exitCode), "\(source): \(result.errors)")
        continue
      }
      let losses = report["losses"]?.arrayValue?.compactMap { $0["kind"]?.stringValue }
      pairs.append((source, name, losses ?? []))
    }
    #expect(pairs.count > 10)
    let all = try Self.tags(of: pairs.flatMap { [$0.source, $0.rendering] }, folder)
    for (source, rendering, losses) in pairs {
      let before = try #require(all[source], "\(source)")
      let after = try #require(all[rendering], "\(rendering)")
      if !losses.contains("icc") {
        #expect(try Self.profile(of: rendering) == Self.profile(of: source), "\(source)")
      }
      let removed = losses.flatMap { Self.lost[$0] ?? [] }
      for tag in Set(before.keys).union(after.keys).sorted() where before[tag] != after[tag] {
        let isAllowed =
          Self.allowed.contains { tag.hasPrefix($0.prefix) }
          || (after[tag] == nil && removed.contains { tag.hasPrefix($0) })
        let (old, new) = (before[tag], after[tag])
        #expect(
          isAllowed,
          "\(source): \(tag) was \(String(describing: old)), is \(String(describing: new))"
        )
      }
    }
  }

  @Test(.enabled(if: itemExists, "ExifTool is not installed; Tools/setup --tests does"))
  func `ExifTool reports no new warnings`() throws {
    let folder = try TemporaryFolder()
    var pairs: [(source: String, rendering: String)] = []
    for (index, source) in Self.sources().enumerated() {
      let name = "\(folder.path)/\(index).jpg"
      let words = ["apply", "--no-sidecar", "--filter", "sepia", source, "-o", name]
      guard try Tool.run(words, in: folder.path).exitCode == 0 else { continue }
      pairs.append((source, name))
    }
    #expect(pairs.count > 10)
    let all = try Self.warnings(of: pairs.flatMap { [$0.source, $0.rendering] }, folder)
    for (source, rendering) in pairs {
      let before = try #require(all[source]), after = try #require(all[rendering])
      #expect(after.isSubset(of: before), "\(source): \(after.subtracting(before).sorted())")
    }
  }
}

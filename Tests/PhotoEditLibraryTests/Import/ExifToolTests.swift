// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditCodecs
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary

@Suite("Metadata compared with ExifTool")
struct ExifToolTests {
  private static let program = Program.find("exiftool")

  /// The output of ExifTool for a file; every value is optional.
  private struct Answer: Decodable {
    var SourceFile: String
    var GPSLatitude: Double?
    var GPSLongitude: Double?
    var GPSAltitude: Double?
    var SubSecDateTimeOriginal: String?
    var BurstUUID: String?
    var MediaGroupUUID: String?
    var ContentIdentifier: String?

    enum CodingKeys: String, CodingKey {
      case SourceFile, GPSLatitude, GPSLongitude, GPSAltitude, SubSecDateTimeOriginal, BurstUUID
      case MediaGroupUUID, ContentIdentifier
    }

    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      SourceFile = try values.decode(String.self, forKey: .SourceFile)
      // A damaged value is a string instead of a number.
      GPSLatitude = try? values.decode(Double.self, forKey: .GPSLatitude)
      GPSLongitude = try? values.decode(Double.self, forKey: .GPSLongitude)
      GPSAltitude = try? values.decode(Double.self, forKey: .GPSAltitude)
      SubSecDateTimeOriginal = try? values.decode(String.self, forKey: .SubSecDateTimeOriginal)
      BurstUUID = try? values.decode(String.self, forKey: .BurstUUID)
      MediaGroupUUID = try? values.decode(String.self, forKey: .MediaGroupUUID)
      ContentIdentifier = try? values.decode(String.self, forKey: .ContentIdentifier)
    }
  }

  private func answers(_ paths: [String]) throws -> [Answer] {
    let folder = try TemporaryFolder()
    let program = try #require(Self.program)
    // Exit code 1 means only that a file could not be fully read.
    _ = Program.run(
      program,
      [
        "-json", "-n", "-fast", "-Composite:GPSLatitude", "-Composite:GPSLongitude",
        "-Composite:GPSAltitude", "-SubSecDateTimeOriginal", "-BurstUUID", "-MediaGroupUUID",
        "-ContentIdentifier",
      ] + paths, output: folder.path("json"))
    return try JSONDecoder().decode(
      [Answer].self, from: Data(contentsOf: folder.url("json")))
  }

  private func compare(_ paths: [String]) throws -> Int {
    var count = 0
    for answer in try answers(paths) {
      guard let bytes = try? FileBytes.reading(answer.SourceFile),
        let facts = try? ImageProperties.reading(bytes)
      else { continue }
      let name = Comment(rawValue: FileSystem.lastName(of: answer.SourceFile))
      if let latitude = answer.GPSLatitude, let longitude = answer.GPSLongitude {
        let coordinate = try #require(facts.media.location, name)
        #expect(abs(coordinate.latitude - latitude) < 1e-6, name)
        #expect(abs(coordinate.longitude - longitude) < 1e-6, name)
        if let altitude = answer.GPSAltitude {
          #expect(coordinate.altitude.map { abs($0 - altitude) < 1e-3 } == true, name)
        }
        count += 1
      }
      #expect(facts.capture.apple?.burstIdentifier == answer.BurstUUID, name)
      #expect(
        facts.capture.apple?.contentIdentifier
          == answer.MediaGroupUUID ?? answer.ContentIdentifier, name)
      if let text = answer.SubSecDateTimeOriginal, text.count > 19,
        let expected = CaptureDate(
          iso: String(text.prefix(10)).replacing(":", with: "-") + String(text.dropFirst(10))),
        expected.hasOffset
      {
        #expect(facts.capture.date?.seconds == expected.seconds, name)
        count += 1
      }
    }
    return count
  }

  @Test(.enabled(if: program != nil, "exiftool is not installed"))
  func `metadata of generated images matches ExifTool`() throws {
    let folder = try TemporaryFolder()
    var paths: [String] = []
    for index in 0..<24 {
      var file = ImageFile()
      file.main = [.text(0x010F, "Apple"), .text(0x0110, "iPhone 15 Pro")]
      let offset = ["+00:00", "+05:45", "-03:30", "+13:00"][index % 4]
      file.exif = [
        .text(0x9000, "0232"),
        .text(0x9003, "20\(10 + index):03:\(10 + index % 20) 0\(index % 10):01:02"),
        .text(0x9291, "\(index * 41)"), .text(0x9011, offset),
        ImageFile.appleNote(
          burst: "BURST-\(index)", content: index % 3 == 0 ? nil : "C-\(index)"),
      ]
      file.gps = [
        .text(1, index % 2 == 0 ? "N" : "S"), .fractions(2, [(index, 1), (59, 1), (index * 7, 3)]),
        .text(3, index % 3 == 0 ? "E" : "W"), .fractions(4, [(7 * index, 1), (123, 10), (0, 1)]),
        .byte(5, UInt8(index % 2)), .fractions(6, [(index * 1000 + 1, 7)]),
      ]
      paths.append(try folder.write(try file.jpeg(index + 1), to: "\(index).jpg"))
    }
    #expect(try compare(paths) == 48)
  }

  @Test(
    .enabled(
      if: program != nil && Corpora.path != nil,
      "exiftool or the corpora are not available; set PHOTOEDIT_CORPORA"))
  func `metadata of real images matches ExifTool`() throws {
    let root = try #require(Corpora.path)
    var paths: [String] = []
    for corpus in ["pigallery2", "exifr", "exif-orientation-examples"] {
      let names = try? FileManager.default.subpathsOfDirectory(atPath: "\(root)/\(corpus)")
      paths += (names ?? []).sorted().filter {
        let ending = FileSystem.splitName(FileSystem.lastName(of: $0)).fileExtension.lowercased()
        return ["jpg", "jpeg", "heic", "tif", "tiff", "png"].contains(ending)
      }.map { "\(root)/\(corpus)/\($0)" }
    }
    let count = try compare(paths)
    #expect(paths.isEmpty || count > 0)
  }

  @Test(.enabled(if: Corpora.path != nil, "the corpora are not available; set PHOTOEDIT_CORPORA"))
  func `a real Live Photo is imported as one asset`() throws {
    let folder = try #require(Corpora.path) + "/pigallery2/test/backend/assets/live_photo"
    guard FileSystem.isFolder(folder) else { return }
    let library = try TestLibrary()
    let report = Importer(library.library).run([folder])
    let asset = try #require(try library.assets().first)
    #expect(report.assetCount == 1 && asset.playbackStyle == .livePhoto, "\(report.files)")
    #expect(asset.location != nil || asset.creationDate != nil)
  }
}

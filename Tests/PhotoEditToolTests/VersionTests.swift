// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditTestSupport
import Testing

@Suite("photoedit version", .runsPrograms)
struct VersionTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func `each component has a version that begins with a digit or names the library`() throws {
    let result = try Tool.run(["version", "--json"], in: folder.path)
    #expect(result.exitCode == 0)
    let object = try #require(try result.jsonLines().first)
    #expect(object["name"]?.stringValue == "photoedit")
    let parts = try #require(object["components"]?.objectValue)
    for name in [
      "engine", "libjpeg-turbo", "libpng", "zlib", "libavformat", "libavcodec", "libarchive",
      "libfreetype", "libraqm", "libharfbuzz", "libfontconfig", "liblensfun",
    ] {
      #expect(parts[name]?.stringValue?.first?.isNumber == true, "\(name)")
    }
    #expect(parts["libcrypto"]?.stringValue?.hasPrefix("OpenSSL ") == true)
    #expect(parts["edit format"]?.stringValue?.hasPrefix("org.photoedit.") == true)
    #expect(object["pictures"] == ["jpeg", "png", "heif", "avif", "webp", "tiff", "gif", "raw"])
    #expect(object["movies"]?["copied"] == ["quickTime"])
    #expect(object["archives"]?["formats"] == ["zip", "tar", "7z"])
    #expect(object["archives"]?["package"]?.stringValue?.hasPrefix("libarchive") == true)
    let kernels = try #require(object["kernels"])
    #expect(kernels["available"]?.arrayValue?.first == "baseline")
    let chosen = try #require(kernels["chosen"])
    #expect(kernels["available"]?.arrayValue?.contains(chosen) == true)
  }

  @Test func `each optional component is described, and loads on request`() throws {
    let plain = try Tool.run(["version", "--json"], in: folder.path)
    let asked = try Tool.run(["version", "--json", "--check"], in: folder.path)
    #expect(plain.exitCode == 0 && asked.exitCode == 0, "\(asked.errors)")
    let parts = try #require(try plain.jsonLines().first?["optional"]?.objectValue)
    #expect(parts.keys.sorted() == ["gif", "heif", "raw", "tiff", "webp"])
    let checked = try #require(try asked.jsonLines().first?["optional"]?.objectValue)
    for (name, part) in parts {
      #expect(part["built"] == true && part["loads"] == nil, "\(name)")
      #expect(part["version"]?.stringValue?.contains(/[0-9]/) == true, "\(name)")
      #expect(checked[name]?["loads"] == true, "\(name)")
    }
    #expect(parts["heif"]?["formats"] == ["heif", "avif"])
    #expect(parts["heif"]?["package"] == "libheif1")
  }

  @Test func `the command and the option list the same components`() throws {
    let command = try Tool.run(["version"], in: folder.path)
    let option = try Tool.run(["--version"], in: folder.path)
    #expect(option.exitCode == 0)
    #expect(option.output.split(separator: "\n").count > 5)
    #expect(command.output.hasPrefix(option.output))
    let asJSON = try Tool.run(["--version", "--json"], in: folder.path).jsonLines().first
    let ofCommand = try Tool.run(["version", "--json"], in: folder.path).jsonLines().first
    #expect(asJSON?["components"] == ofCommand?["components"])
  }

  @Test func `the source of the places is stated if there are any`() throws {
    let file = try folder.write(PlaceFile.sample.bytes, to: "places.bin")
    for (path, count) in [(file, 7), (folder.path("none.bin"), nil)] {
      let environment = ["PHOTOEDIT_PLACES": path]
      let text = try Tool.run(["version"], in: folder.path, environment: environment)
      #expect(text.output.contains("GeoNames (geonames.org), CC BY 4.0") == (count != nil))
      let json = try Tool.run(["version", "--json"], in: folder.path, environment: environment)
      #expect(try json.jsonLines().first?["places"]?["count"]?.integerValue == count)
    }
  }

  @Test func `an extra argument is a usage error, as JSON if requested`() throws {
    let result = try Tool.run(["version", "more", "--json"], in: folder.path)
    #expect(result.exitCode == 64)
    #expect(try result.jsonLines().first?["error"]?["exit"] == 64)
    #expect(result.errors.contains("usage: photoedit version"))
  }

  @Test func `the environment selects only instruction sets that exist`() throws {
    for name in ["baseline", ""] {
      let result = try Tool.run(
        ["version", "--json"], in: folder.path, environment: ["PHOTOEDIT_KERNELS": name])
      #expect(result.exitCode == 0)
      let chosen = try result.jsonLines().first?["kernels"]?["chosen"]
      #expect(chosen != nil && (name.isEmpty || chosen == "baseline"))
    }
    for name in ["AVX2", "fastest", "baseline "] {
      let result = try Tool.run(
        ["version"], in: folder.path, environment: ["PHOTOEDIT_KERNELS": name])
      #expect(result.exitCode == 64)
      #expect(result.errors.contains("PHOTOEDIT_KERNELS") && result.errors.contains("baseline"))
      #expect(result.output.isEmpty)
    }
  }
}

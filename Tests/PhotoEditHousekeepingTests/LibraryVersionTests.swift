// SPDX-License-Identifier: Apache-2.0
import Testing

@Suite("Versions of C libraries")
struct LibraryVersionTests {
  private struct Requirement: Hashable {
    let library: String
    let version: String
  }

  private static func requirements(
    _ files: [TextFile], _ pattern: Regex<(Substring, Substring, Substring)>
  ) -> Set<Requirement> {
    Set(
      files.flatMap(\.lines).flatMap { $0.matches(of: pattern) }.map {
        Requirement(library: String($0.1), version: String($0.2))
      })
  }

  @Test func `the documented minimum versions are those that the compiler checks`() {
    let pages = Repository.texts.filter { $0.path.hasSuffix("/Formats.md") }
    let documented = Self.requirements(
      pages, #/^\| ([A-Za-z][A-Za-z -]*) \| ([0-9.]+) \| [0-9.]+ \|/#)
    let checked = Self.requirements(
      Repository.texts(under: "Sources"), #/"requires ([A-Za-z -]+) ([0-9.]+) or newer"/#)
    #expect(documented == checked && documented.count > 15)
  }

  @Test func `each target with headers of a library checks its version`() {
    let header =
      #/^#include <(?:archive|expat|fontconfig/|ft2build|gif_lib|harfbuzz/|jpeglib|lcms2|lensfun/|libav(?:codec|format)/|libheif/|libraw/|microhttpd|openssl/|png|raqm|sqlite3|tiffio|webp/|zlib)/#
    let files = Repository.texts(under: "Sources").filter { $0.type == "c" || $0.type == "h" }
    func targets(_ isFound: (Substring) -> Bool) -> Set<Substring> {
      Set(
        files.filter { $0.lines.contains(where: isFound) }.compactMap {
          $0.path.split(separator: "/").dropFirst().first
        })
    }
    let using = targets { $0.contains(header) }
    #expect(using.count > 14)
    #expect(using.subtracting(targets { $0.contains("or newer\");") }) == [])
  }
}

// SPDX-License-Identifier: Apache-2.0
import PhotoEditContainers
import PhotoEditPlatform
import PhotoEditStorage
import Testing

/// Nicolas Seriot's JSONTestSuite, if the corpora are available.
@Suite(
  "JSONTestSuite",
  .enabled(if: !JSONCorpus.names.isEmpty, "set PHOTOEDIT_CORPORA to a folder with JSONTestSuite"))
struct JSONTestSuiteTests {
  /// Valid under RFC 8259, but rejected deliberately: readers disagree about duplicate names.
  private static let refusedByDesign: Set = [
    "y_object_duplicated_key.json", "y_object_duplicated_key_and_value.json",
  ]

  @Test func `the suite is complete`() {
    let kinds = Dictionary(grouping: JSONCorpus.names, by: \.first).mapValues(\.count)
    #expect(kinds["y", default: 0] >= 90)
    #expect(kinds["n", default: 0] >= 180)
    #expect(kinds["i", default: 0] >= 30)
    #expect(Self.refusedByDesign.isSubset(of: JSONCorpus.names))
  }

  @Test(arguments: JSONCorpus.names.filter { $0.hasPrefix("y_") })
  func `a valid text is read`(name: String) throws {
    let bytes = try JSONCorpus.bytes(name)
    if Self.refusedByDesign.contains(name) {
      let error = #expect(throws: JSONError.self) { try JSONValue(parsing: bytes) }
      guard case .duplicateName = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    } else {
      let value = try JSONValue(parsing: bytes)
      #expect(try JSONValue(parsing: value.canonicalBytes()) == value)
    }
  }

  @Test(arguments: JSONCorpus.names.filter { $0.hasPrefix("n_") })
  func `an invalid text is rejected`(name: String) throws {
    let bytes = try JSONCorpus.bytes(name)
    let error = #expect(throws: JSONError.self) { try JSONValue(parsing: bytes) }
    #expect(error?.description.isEmpty == false)
  }

  @Test(arguments: JSONCorpus.names.filter { !$0.hasPrefix("y_") && !$0.hasPrefix("n_") })
  func `a disputed text is read completely or rejected`(name: String) throws {
    let bytes = try JSONCorpus.bytes(name)
    guard let value = try? JSONValue(parsing: bytes) else { return }
    #expect(try JSONValue(parsing: value.canonicalBytes()) == value)
  }
}

/// The files of JSONTestSuite.
private enum JSONCorpus {
  private static let folders: [String] = {
    let root = #filePath.split(separator: "/").dropLast(4).map { "/\($0)" }.joined()
    let corpora =
      getenv("PHOTOEDIT_CORPORA").map { String(cString: $0) }
      ?? root + "/../shared/corpora"
    return ["/test_parsing/", "/test_transform/"].map { corpora + "/JSONTestSuite" + $0 }
  }()

  /// File names without their folder, sorted.
  static let names: [String] = folders.flatMap(list).sorted()

  static func bytes(_ name: String) throws -> [UInt8] {
    for folder in folders where access(folder + name, R_OK) == 0 {
      do throws(FileError) {
        return try withExtendedLifetime(FileBytes.reading(folder + name)) { Array($0.buffer) }
      } catch {
        guard error.kind == .empty else { throw error }
        return []
      }
    }
    throw FileError(.missing, path: name, reason: "not in JSONTestSuite")
  }

  private static func list(_ folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.hasSuffix(".json") { names.append(name) }
    }
    return names
  }
}

// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditTestSupport
import Testing

@Suite("photoedit filters", .runsPrograms)
struct FiltersTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private let listed =
    FilterCatalog.descriptions + FilterCatalog.movieOperations.map { $0.description }

  @Test func `the list names every filter once, with its summary, under its group`() throws {
    let result = try Tool.run(["filters"], in: folder.path)
    #expect(result.exitCode == 0)
    var groups: [String] = []
    var found: [String: String] = [:]
    for line in result.output.split(separator: "\n") {
      guard line.hasPrefix("  ") else {
        groups.append(String(line.dropLast()))
        continue
      }
      let name = String(line.split(separator: " ")[0])
      #expect(found.updateValue(groups.last ?? "", forKey: name) == nil, "\(name) is listed twice")
      let description = listed.first { $0.name == name }
      #expect(line.hasSuffix(try #require(description).summary))
    }
    #expect(groups == FilterCatalog.groupNames + [FilterCatalog.movieGroupName])
    for filter in FilterCatalog.all + FilterCatalog.movieOperations {
      #expect(found[filter.description.name] == FilterCatalog.group(of: filter))
    }
  }

  @Test func `the JSON catalog describes the values of every parameter`() throws {
    let object = try #require(
      try Tool.run(["filters", "--json"], in: folder.path).jsonLines().first)
    let filters = try #require(object["filters"]?.arrayValue)
    #expect(filters.count == listed.count)
    let groups = FilterCatalog.groupNames + [FilterCatalog.movieGroupName]
    for (filter, description) in zip(filters, listed) {
      #expect(filter["name"]?.stringValue == description.name)
      #expect(filter["light"]?.stringValue == description.transferEncoding.rawValue)
      #expect(filter["group"]?.stringValue.map(groups.contains) == true)
      #expect(filter["edges"]?.stringValue == description.dependency.edgeRule)
      let parameters = try #require(filter["parameters"]?.arrayValue)
      #expect(parameters.count == description.parameters.count)
      for (parameter, entry) in zip(parameters, description.parameters) {
        #expect(parameter["default"] == entry.default.json, "\(description.name).\(entry.name)")
        switch entry.type {
        case .number(let range, _):
          #expect(
            parameter["range"]?.arrayValue?.map(\.numberValue) == [
              range.lowerBound, range.upperBound,
            ])
        case .integer, .vector, .numbers: #expect(parameter["range"]?.arrayValue?.count == 2)
        case .choice(let names):
          #expect(parameter["choices"]?.arrayValue?.map(\.stringValue) == names)
        case .points: #expect(parameter["pointCount"]?.arrayValue?.count == 2)
        case .strokes: #expect(parameter["strokeCount"]?.arrayValue?.count == 2)
        case .members: #expect(parameter["memberCount"]?.arrayValue?.count == 2)
        case .stops: #expect(parameter["stopCount"]?.arrayValue?.count == 2)
        case .asset(let kind): #expect(parameter["kind"]?.stringValue == kind.rawValue)
        case .text(let maximum):
          #expect(parameter["maximumBytes"]?.integerValue == maximum)
        case .flag, .color: break
        }
      }
    }
  }

  @Test(arguments: ["exposure", "Exposure", "EXPOSURE", "hue-rotate", "rotate"])
  func `a filter is found by its name, its aliases and other spellings`(name: String) throws {
    let result = try Tool.run(["filters", name, "--json"], in: folder.path)
    #expect(result.exitCode == 0)
    let filters = try result.jsonLines().first?["filters"]?.arrayValue
    #expect(filters?.count == 1)
    let expected = try FilterCatalog.filter(named: name).description.name
    #expect(filters?.first?["name"]?.stringValue == expected)
  }

  @Test func `the details show range, unit, default and the value of a bare name`() throws {
    let exposure = try Tool.run(["filters", "exposure"], in: folder.path).output
    #expect(exposure.contains("ev: "))
    #expect(exposure.contains(" stops\n"))
    #expect(exposure.contains("transfer encoding  linear\n"))
    #expect(exposure.contains("group              Tone\n"))
    let blur = try Tool.run(["filters", "gaussianBlur"], in: folder.path).output
    #expect(
      blur.contains("edges              edge extend: edge pixels are repeated outside the image\n"))
    let sepia = try Tool.run(["filters", "sepia"], in: folder.path).output
    #expect(sepia.contains("default"))
    #expect(sepia.contains("source"))
  }

  @Test func `a misspelled name suggests the nearest one and exits with 64`() throws {
    let result = try Tool.run(["filters", "expsure"], in: folder.path)
    #expect(result.exitCode == 64)
    #expect(result.output.isEmpty)
    #expect(result.errors.contains("did you mean 'exposure'?"))
    let hopeless = try Tool.run(["filters", "qqqqqqqq", "--json"], in: folder.path)
    #expect(hopeless.exitCode == 64)
    #expect(
      try hopeless.jsonLines().first?["error"]?["hint"]?.stringValue?.contains("list them") == true)
  }
}

// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditFilters
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("Filter declarations")
struct DeclarationContractTests {
  @Test func `the catalog lists every type of its folder exactly once`() throws {
    let folder = "\(TestImages.packageRoot)/Sources/PhotoEditFilters/Catalog"
    let files = try FileManager.default.contentsOfDirectory(atPath: folder).flatMap { group in
      try FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(group)")
        .filter { $0.hasSuffix(".swift") && !$0.contains("+") }
        .map { String($0.dropLast(6)) }
    }
    // Rows of a table are types of one generic type.
    let types = FilterCatalog.all.map { "\($0)" }
    #expect(Set(types).count == types.count)
    #expect(Set(types.map { String($0.prefix { $0 != "<" }) }).sorted() == files.sorted())
  }

  @Test func `no two filters share a name or an alias`() {
    let names = FilterCatalog.descriptions.flatMap { [$0.name] + $0.aliases }
      .map { $0.lowercased() }
    #expect(Set(names).count == names.count)
  }

  @Test func `a filter is found by its declared name`() throws {
    for (type, description) in zip(FilterCatalog.all, FilterCatalog.descriptions) {
      #expect(try FilterCatalog.filter(named: description.name) == type, "\(description.name)")
      // A stored node is looked up by its exact name only.
      let node = try #require(try FilterGraph([type.init()]).nodes.first)
      #expect(Swift.type(of: try node.resolved()) == type, "\(description.name)")
    }
  }

  @Test(arguments: CatalogCase.all)
  func `every filter has a description, its equivalents and a reference`(
    _ entry: CatalogCase
  ) {
    let description = entry.description
    #expect(description.summary.hasSuffix(".") && description.summary.count <= 150)
    #expect(!description.equivalents.isEmpty && !description.source.isEmpty)
    #expect(!description.formula.isEmpty)
    #expect(!description.tolerance.isEmpty && description.version >= 1)
    let first = description.name.first
    #expect(
      first?.isLowercase == true
        && description.name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "." })
    for parameter in description.parameters { #expect(parameter.summary.hasSuffix(".")) }
    #expect(Set(description.parameters.map(\.name)).count == description.parameters.count)
  }

  @Test(arguments: CatalogCase.all)
  func `defaults are in range and have no effect where possible`(
    _ entry: CatalogCase
  ) throws {
    let filter = entry.type.init()
    try filter.check()
    for parameter in entry.description.parameters {
      if let identity = parameter.identity {
        #expect(parameter.default == identity, "\(parameter.name)")
        #expect(throws: Never.self) { _ = try entry.type.init(values: [parameter.name: identity]) }
      }
      if case .number(let range, let ui) = parameter.type {
        #expect(range.lowerBound <= ui.lowerBound && ui.upperBound <= range.upperBound)
      }
    }
  }

  @Test(arguments: CatalogCase.all)
  func `a stored node is read back as the same filter`(_ entry: CatalogCase) throws {
    #expect(!entry.active.isEmpty)
    for filter in entry.active {
      let graph = try Charts.graph([filter])
      let read = try FilterGraph(json: graph.canonicalBytes())
      #expect(read == graph && read.digest == graph.digest && read.blockingReasons.isEmpty)
      let node = try #require(read.nodes.last { $0.filter == entry.description.name })
      #expect(try node.resolved().values == filter.values)
      // Every parameter is written, so that a new default changes no edit.
      #expect(filter.values.count == entry.description.parameters.count)
    }
  }

  @Test(arguments: CatalogCase.all)
  func `different values give different identities`(_ entry: CatalogCase) throws {
    var byValues: [[String: ParameterValue]: String] = [:]
    var filters: [any Filter] = entry.active + [entry.type.init()]
    for parameter in entry.description.parameters {
      filters += CatalogCase.ends(of: parameter.type)
        .compactMap { entry.filter([parameter.name: $0]) }
    }
    for filter in filters { byValues[filter.values] = try FilterGraph([filter]).digest.hex }
    let hasChoice = entry.description.parameters.contains { $0.type.takesSeveralValues }
    #expect(byValues.count > 1 || !hasChoice)
    #expect(Set(byValues.values).count == byValues.count)
  }

  @Test(arguments: CatalogCase.all)
  func `an unknown parameter is rejected with the nearest name`(_ entry: CatalogCase) {
    for parameter in entry.description.parameters where parameter.name.count > 2 {
      let misspelt = parameter.name + "q"
      #expect(
        throws: ParameterError.unknownParameter(
          filter: entry.description.name, name: misspelt, nearest: parameter.name)
      ) { try entry.type.init(values: [misspelt: parameter.default]) }
    }
  }

  @Test(arguments: CatalogCase.all)
  func `a value out of range is rejected with the range and its unit`(_ entry: CatalogCase) throws {
    for parameter in entry.description.parameters {
      let error = try #require(throws: ParameterError.self) {
        try entry.type.init(values: [parameter.name: CatalogCase.outside(parameter.type)])
      }
      guard case .invalidValue(_, let name, _, let allowed) = error else {
        Issue.record("\(error)")
        continue
      }
      #expect(name == parameter.name && allowed == parameter.type.allowed(unit: parameter.unit))
      #expect("\(error)".contains(allowed))
      if parameter.unit != .none { #expect(allowed.contains(parameter.unit.rawValue)) }
      switch parameter.type {
      case .number, .integer, .vector, .points, .numbers, .stops, .strokes, .members:
        #expect(allowed.contains("…"))
      case .text(let maximum): #expect(allowed.contains("\(maximum)"))
      case .color: #expect(allowed.contains("#rrggbb"))
      case .asset(let kind): #expect(allowed.contains(kind.summary))
      case .choice(let names): #expect(names.allSatisfy(allowed.contains))
      case .flag: #expect(allowed == "true, false")
      }
    }
  }

  @Test(arguments: CatalogCase.all)
  func `not a number and infinity are rejected`(_ entry: CatalogCase) throws {
    for parameter in entry.description.parameters {
      for bad in [Double.nan, .infinity, -.infinity] {
        switch parameter.type {
        case .number, .integer:
          #expect(throws: ParameterError.self) {
            try entry.type.init(values: [parameter.name: .number(bad)])
          }
        case .vector(let count, _):
          #expect(throws: ParameterError.self) {
            try entry.type.init(
              values: [parameter.name: .numbers(Array(repeating: bad, count: count))])
          }
        case .points:
          #expect(throws: ParameterError.self) {
            try entry.type.init(
              values: [parameter.name: .points([CurvePoint(0, 0), CurvePoint(bad, 1)])])
          }
        case .numbers(let counts, _):
          #expect(throws: ParameterError.self) {
            try entry.type.init(
              values: [parameter.name: .numbers(Array(repeating: bad, count: counts[0]))])
          }
        case .stops:
          #expect(throws: ParameterError.self) {
            try entry.type.init(
              values: [parameter.name: .stops([ColorStop(0, .white), ColorStop(bad, .white)])])
          }
        case .strokes:
          for point in [BrushStroke.Point(bad, 0), .init(0, bad), .init(0, 0, pressure: bad)] {
            #expect(throws: ParameterError.self) {
              try entry.type.init(
                values: [parameter.name: .strokes([BrushStroke(radius: 0.1, points: [point])])])
            }
          }
        case .members:
          #expect(throws: ParameterError.self) {
            try entry.type.init(values: [parameter.name: .members([MaskMember(opacity: bad)])])
          }
        case .choice, .flag, .text, .color, .asset: continue
        }
      }
    }
  }

  @Test(arguments: CatalogCase.all)
  func `command-line notation of the values gives the same filter`(
    _ entry: CatalogCase
  ) throws {
    for filter in entry.active {
      let pairs = filter.values.sorted { $0.key < $1.key }
        .map { "\($0.key)=\($0.value.argument)" }.joined(separator: ",")
      for name in [entry.description.name] + entry.description.aliases {
        let read = try FilterCatalog.filter(argument: "\(name):\(pairs)")
        #expect(read.values == filter.values)
      }
    }
  }

  @Test(arguments: CatalogCase.all)
  func `the name alone has an effect or the error shows an example`(_ entry: CatalogCase) throws {
    let name = entry.description.name
    do {
      let filter = try FilterCatalog.filter(argument: name)
      #expect(!filter.isIdentity)
    } catch ParameterError.missingValue(let filter, let example) {
      #expect(filter == name && example.hasPrefix(name + ":"))
      #expect(throws: Never.self) { try FilterCatalog.filter(argument: example) }
    }
  }
}

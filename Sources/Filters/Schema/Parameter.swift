// SPDX-License-Identifier: Apache-2.0

/// What a parameter is measured in.
public enum Unit: String, Sendable, Hashable, CaseIterable {
  /// A plain number.
  case none
  /// Photographic stops; one doubles the light.
  case stops
  /// Degrees.
  case degrees
  /// Pixels of the full-resolution picture.
  case pixels
  /// A share of the picture or of the full range, 0 to 1.
  case fraction
  /// Clockwise quarter turns.
  case quarterTurns
  /// Kelvin of a correlated colour temperature.
  case kelvin
  /// Hundredths of the pixels.
  case percent
}

/// What values a parameter takes.
public enum ParameterType: Hashable, Sendable {
  /// A real number in a range; the second range is its useful part.
  case number(ClosedRange<Double>, ui: ClosedRange<Double>)
  /// A whole number in a range.
  case integer(ClosedRange<Int>)
  /// One of these names.
  case choice([String])
  /// Yes or no.
  case flag
  /// So many numbers, each in a range.
  case vector(count: Int, ClosedRange<Double>)
  /// So many curve points, x strictly rising, both coordinates 0 to 1.
  case points(count: ClosedRange<Int>)
  /// Numbers, each in a range, as many as one of these counts.
  case numbers(counts: [Int], ClosedRange<Double>)
  /// A colour as "#rrggbb".
  case color
  /// So many colours of a gradient, places strictly rising, 0 to 1.
  case stops(count: ClosedRange<Int>)
  /// The name of one of the graph's assets; on the command line a file.
  case asset(AssetKind)
}

/// One adjustable value of a filter, bound to the property that holds it.
public struct Parameter<Root: Filter>: Sendable {
  /// The name in stored edits and on the command line.
  public let name: String
  /// Values it takes.
  public let type: ParameterType
  /// What it is measured in.
  public let unit: Unit
  /// The value without effect; nil where there is none.
  public let neutral: ParameterValue?
  /// The value on a command line that names the filter without this parameter; nil = the default.
  public let argument: ParameterValue?
  /// One sentence.
  public let summary: String

  let read: @Sendable (Root) -> ParameterValue
  let write: @Sendable (inout Root, ParameterValue) -> Bool

  /// The value of a filter made with `init()`.
  public var `default`: ParameterValue { read(Root()) }

  /// Declares a real number.
  public init(
    _ name: String, _ keyPath: any WritableKeyPath<Root, Double> & Sendable, unit: Unit = .none,
    in range: ClosedRange<Double>, ui: ClosedRange<Double>? = nil, neutral: Double? = nil,
    argument: Double? = nil, _ summary: String
  ) {
    self.name = name
    self.type = .number(range, ui: ui ?? range)
    self.unit = unit
    self.neutral = neutral.map { .number($0) }
    self.argument = argument.map { .number($0) }
    self.summary = summary
    read = { .number($0[keyPath: keyPath]) }
    write = { root, value in
      guard case .number(let number) = value else { return false }
      root[keyPath: keyPath] = number
      return true
    }
  }

  /// Declares a whole number.
  public init(
    _ name: String, _ keyPath: any WritableKeyPath<Root, Int> & Sendable, unit: Unit = .none,
    in range: ClosedRange<Int>, neutral: Int? = nil, argument: Int? = nil, _ summary: String
  ) {
    self.name = name
    self.type = .integer(range)
    self.unit = unit
    self.neutral = neutral.map { .number(Double($0)) }
    self.argument = argument.map { .number(Double($0)) }
    self.summary = summary
    read = { .number(Double($0[keyPath: keyPath])) }
    write = { root, value in
      guard case .number(let number) = value, let whole = Int(exactly: number) else { return false }
      root[keyPath: keyPath] = whole
      return true
    }
  }

  /// Declares a choice from the cases of an enumeration.
  public init<Choice: RawRepresentable<String> & CaseIterable & Sendable>(
    _ name: String, _ keyPath: any WritableKeyPath<Root, Choice> & Sendable, _ summary: String
  ) {
    self.name = name
    self.type = .choice(Choice.allCases.map(\.rawValue))
    self.unit = .none
    self.neutral = nil
    self.argument = nil
    self.summary = summary
    read = { .text($0[keyPath: keyPath].rawValue) }
    write = { root, value in
      guard case .text(let name) = value, let choice = Choice(rawValue: name) else {
        return false
      }
      root[keyPath: keyPath] = choice
      return true
    }
  }

  /// Declares a colour.
  public init(
    _ name: String, _ keyPath: any WritableKeyPath<Root, Background> & Sendable, _ summary: String
  ) {
    self.name = name
    self.type = .color
    self.unit = .none
    self.neutral = nil
    self.argument = nil
    self.summary = summary
    read = { .text($0[keyPath: keyPath].description) }
    write = { root, value in
      guard case .text(let text) = value, let color = Background(text) else { return false }
      root[keyPath: keyPath] = color
      return true
    }
  }

  /// Declares the colours of a gradient.
  public init(
    _ name: String, _ keyPath: any WritableKeyPath<Root, [ColorStop]> & Sendable,
    count: ClosedRange<Int>, _ summary: String
  ) {
    self.name = name
    self.type = .stops(count: count)
    self.unit = .none
    self.neutral = nil
    self.argument = nil
    self.summary = summary
    read = { .stops($0[keyPath: keyPath]) }
    write = { root, value in
      guard case .stops(let stops) = value else { return false }
      root[keyPath: keyPath] = stops
      return true
    }
  }

  /// Declares the name of an asset.
  public init(
    asset name: String, _ keyPath: any WritableKeyPath<Root, String> & Sendable,
    kind: AssetKind, _ summary: String
  ) {
    self.name = name
    self.type = .asset(kind)
    self.unit = .none
    self.neutral = nil
    self.argument = nil
    self.summary = summary
    read = { .text($0[keyPath: keyPath]) }
    write = { root, value in
      guard case .text(let text) = value else { return false }
      root[keyPath: keyPath] = text
      return true
    }
  }

  /// Declares a list of numbers whose count is one of several.
  public init(
    _ name: String, _ keyPath: any WritableKeyPath<Root, [Double]> & Sendable, counts: [Int],
    in range: ClosedRange<Double>, _ summary: String
  ) {
    self.name = name
    self.type = .numbers(counts: counts, range)
    self.unit = .none
    self.neutral = nil
    self.argument = nil
    self.summary = summary
    read = { .numbers($0[keyPath: keyPath]) }
    write = { root, value in
      guard case .numbers(let numbers) = value else { return false }
      root[keyPath: keyPath] = numbers
      return true
    }
  }

  /// Declares a yes or no.
  public init(
    _ name: String, _ keyPath: any WritableKeyPath<Root, Bool> & Sendable, _ summary: String
  ) {
    self.name = name
    self.type = .flag
    self.unit = .none
    self.neutral = nil
    self.argument = nil
    self.summary = summary
    read = { .flag($0[keyPath: keyPath]) }
    write = { root, value in
      guard case .flag(let flag) = value else { return false }
      root[keyPath: keyPath] = flag
      return true
    }
  }

  /// Declares a vector or a matrix.
  public init(
    _ name: String, _ keyPath: any WritableKeyPath<Root, [Double]> & Sendable, count: Int,
    in range: ClosedRange<Double>, unit: Unit = .none, neutral: [Double]? = nil, _ summary: String
  ) {
    self.name = name
    self.type = .vector(count: count, range)
    self.unit = unit
    self.neutral = neutral.map { .numbers($0) }
    self.argument = nil
    self.summary = summary
    read = { .numbers($0[keyPath: keyPath]) }
    write = { root, value in
      guard case .numbers(let numbers) = value else { return false }
      root[keyPath: keyPath] = numbers
      return true
    }
  }

  /// Declares the points of a curve.
  public init(
    _ name: String, _ keyPath: any WritableKeyPath<Root, [CurvePoint]> & Sendable,
    count: ClosedRange<Int>, neutral: [CurvePoint]? = nil, _ summary: String
  ) {
    self.name = name
    self.type = .points(count: count)
    self.unit = .none
    self.neutral = neutral.map { .points($0) }
    self.argument = nil
    self.summary = summary
    read = { .points($0[keyPath: keyPath]) }
    write = { root, value in
      guard case .points(let points) = value else { return false }
      root[keyPath: keyPath] = points
      return true
    }
  }
}

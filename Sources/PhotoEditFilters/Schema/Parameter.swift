// SPDX-License-Identifier: Apache-2.0

/// The unit of a parameter.
public enum ParameterUnit: String, Sendable, Hashable, CaseIterable {
  /// A plain number.
  case none
  /// Photographic stops; one stop doubles the light.
  case stops
  /// Degrees.
  case degrees
  /// Pixels of the full-resolution image.
  case pixels
  /// A fraction of the image or of the full range, 0 to 1.
  case fraction
  /// Clockwise 90° rotations.
  case rotations = "quarterTurns"
  /// Kelvin of a correlated color temperature.
  case kelvin
  /// Percent of the pixels.
  case percent
  /// Seconds of a video.
  case seconds
  /// Minutes.
  case minutes
}

/// The type of a parameter's values.
public enum ParameterType: Hashable, Sendable {
  /// A real number in a range; the second range is the slider range.
  case number(ClosedRange<Double>, ui: ClosedRange<Double>)
  /// An integer in a range.
  case integer(ClosedRange<Int>)
  /// One of these names.
  case choice([String])
  /// A Boolean.
  case flag
  /// A fixed count of numbers, each in a range.
  case vector(count: Int, ClosedRange<Double>)
  /// Curve points, x strictly increasing, both coordinates 0 to 1.
  case points(count: ClosedRange<Int>)
  /// Numbers, each in a range; their count is one of the given counts.
  case numbers(counts: [Int], ClosedRange<Double>)
  /// A text of up to a number of UTF-8 bytes, which may have several lines.
  case text(maximumBytes: Int)
  /// A color as "#rrggbb".
  case color
  /// Colors of a gradient, positions strictly increasing, 0 to 1.
  case stops(count: ClosedRange<Int>)
  /// Strokes of a brush, with at most a number of points in all.
  case strokes(count: ClosedRange<Int>, points: Int)
  /// The members of a group of masks.
  case members(count: ClosedRange<Int>)
  /// The name of one of the graph's attachments; on the command line, a file.
  case asset(AttachmentKind)
}

/// One adjustable value of a filter, bound to its property.
public struct Parameter<Root: Filter>: Sendable {
  /// The name in stored edits and on the command line.
  public let name: String
  /// The type of its values.
  public let type: ParameterType
  /// The unit of measurement.
  public let unit: ParameterUnit
  /// The identity value, if any.
  public let identity: ParameterValue?
  /// The default argument on a command line that names only the filter; nil means the default.
  public let argument: ParameterValue?
  /// A one-sentence description.
  public let summary: String

  let read: @Sendable (Root) -> ParameterValue
  let write: @Sendable (inout Root, ParameterValue) -> Bool

  /// The value in a filter created with `init()`.
  public var `default`: ParameterValue { read(Root()) }

  private init<Value>(
    _ name: String, _ keyPath: any WritableKeyPath<Root, Value> & Sendable, _ type: ParameterType,
    unit: ParameterUnit = .none, identity: Value? = nil, argument: Value? = nil, _ summary: String,
    wrap: @escaping @Sendable (Value) -> ParameterValue,
    unwrap: @escaping @Sendable (ParameterValue) -> Value?
  ) {
    (self.name, self.type, self.unit) = (name, type, unit)
    self.identity = identity.map(wrap)
    self.argument = argument.map(wrap)
    self.summary = summary
    read = { wrap($0[keyPath: keyPath]) }
    write = { root, value in
      guard let value = unwrap(value) else { return false }
      root[keyPath: keyPath] = value
      return true
    }
  }

  /// Creates a parameter like that of another filter, for a filter that wraps it.
  init<Other>(
    _ other: Parameter<Other>, read: @escaping @Sendable (Root) -> ParameterValue,
    write: @escaping @Sendable (inout Root, ParameterValue) -> Bool
  ) {
    (name, type, unit) = (other.name, other.type, other.unit)
    (identity, argument, summary) = (other.identity, other.argument, other.summary)
    (self.read, self.write) = (read, write)
  }

  /// Declares a real number.
  public init(
    _ name: String, _ keyPath: any WritableKeyPath<Root, Double> & Sendable,
    unit: ParameterUnit = .none,
    in range: ClosedRange<Double>, ui: ClosedRange<Double>? = nil, identity: Double? = nil,
    argument: Double? = nil, _ summary: String
  ) {
    self.init(
      name, keyPath, .number(range, ui: ui ?? range), unit: unit, identity: identity,
      argument: argument, summary, wrap: { .number($0) }, unwrap: \.number)
  }

  /// Declares an integer.
  public init(
    _ name: String, _ keyPath: any WritableKeyPath<Root, Int> & Sendable,
    unit: ParameterUnit = .none,
    in range: ClosedRange<Int>, identity: Int? = nil, argument: Int? = nil, _ summary: String
  ) {
    self.init(
      name, keyPath, .integer(range), unit: unit, identity: identity, argument: argument, summary,
      wrap: { .number(Double($0)) }, unwrap: { $0.number.flatMap(Int.init(exactly:)) })
  }

  /// Declares a choice from the cases of an enumeration.
  public init<Choice: RawRepresentable<String> & CaseIterable & Sendable>(
    _ name: String, _ keyPath: any WritableKeyPath<Root, Choice> & Sendable, _ summary: String
  ) {
    self.init(
      name, keyPath, .choice(Choice.allCases.map(\.rawValue)), summary,
      wrap: { .text($0.rawValue) }, unwrap: { $0.text.flatMap(Choice.init(rawValue:)) })
  }

  /// Declares a text.
  public init(
    text name: String, _ keyPath: any WritableKeyPath<Root, String> & Sendable,
    maximumBytes: Int, identity: String? = nil, _ summary: String
  ) {
    self.init(
      name, keyPath, .text(maximumBytes: maximumBytes), identity: identity, summary,
      wrap: { .text($0) }, unwrap: \.text)
  }

  /// Declares a color.
  public init(
    _ name: String, _ keyPath: any WritableKeyPath<Root, Background> & Sendable, _ summary: String
  ) {
    self.init(
      name, keyPath, .color, summary, wrap: { .text($0.description) },
      unwrap: { $0.text.flatMap { Background($0) } })
  }

  /// Declares the colors of a gradient.
  public init(
    _ name: String, _ keyPath: any WritableKeyPath<Root, [ColorStop]> & Sendable,
    count: ClosedRange<Int>, _ summary: String
  ) {
    self.init(
      name, keyPath, .stops(count: count), summary, wrap: { .stops($0) }, unwrap: \.stops)
  }

  /// Declares the strokes of a brush.
  public init(
    _ name: String, _ keyPath: any WritableKeyPath<Root, [BrushStroke]> & Sendable,
    count: ClosedRange<Int>, points: Int, _ summary: String
  ) {
    self.init(
      name, keyPath, .strokes(count: count, points: points), summary, wrap: { .strokes($0) },
      unwrap: \.strokes)
  }

  /// Declares the members of a group of masks.
  public init(
    _ name: String, _ keyPath: any WritableKeyPath<Root, [MaskMember]> & Sendable,
    count: ClosedRange<Int>, _ summary: String
  ) {
    self.init(
      name, keyPath, .members(count: count), summary, wrap: { .members($0) }, unwrap: \.members)
  }

  /// Declares the name of an attachment.
  public init(
    asset name: String, _ keyPath: any WritableKeyPath<Root, String> & Sendable,
    kind: AttachmentKind, _ summary: String
  ) {
    self.init(name, keyPath, .asset(kind), summary, wrap: { .text($0) }, unwrap: \.text)
  }

  /// Declares a list of numbers whose count is one of several.
  public init(
    _ name: String, _ keyPath: any WritableKeyPath<Root, [Double]> & Sendable, counts: [Int],
    in range: ClosedRange<Double>, _ summary: String
  ) {
    self.init(
      name, keyPath, .numbers(counts: counts, range), summary, wrap: { .numbers($0) },
      unwrap: \.numbers)
  }

  /// Declares a Boolean.
  public init(
    _ name: String, _ keyPath: any WritableKeyPath<Root, Bool> & Sendable, _ summary: String
  ) {
    self.init(name, keyPath, .flag, summary, wrap: { .flag($0) }, unwrap: \.flag)
  }

  /// Declares a vector or a matrix.
  public init(
    _ name: String, _ keyPath: any WritableKeyPath<Root, [Double]> & Sendable, count: Int,
    in range: ClosedRange<Double>, unit: ParameterUnit = .none, identity: [Double]? = nil,
    _ summary: String
  ) {
    self.init(
      name, keyPath, .vector(count: count, range), unit: unit, identity: identity, summary,
      wrap: { .numbers($0) }, unwrap: \.numbers)
  }

  /// Declares the points of a curve.
  public init(
    _ name: String, _ keyPath: any WritableKeyPath<Root, [CurvePoint]> & Sendable,
    count: ClosedRange<Int>, identity: [CurvePoint]? = nil, _ summary: String
  ) {
    self.init(
      name, keyPath, .points(count: count), identity: identity, summary, wrap: { .points($0) },
      unwrap: \.points)
  }
}

extension ParameterValue {
  fileprivate var number: Double? { if case .number(let value) = self { value } else { nil } }
  fileprivate var text: String? { if case .text(let value) = self { value } else { nil } }
  fileprivate var flag: Bool? { if case .flag(let value) = self { value } else { nil } }
  fileprivate var numbers: [Double]? { if case .numbers(let value) = self { value } else { nil } }
  fileprivate var points: [CurvePoint]? {
    if case .points(let value) = self { value } else { nil }
  }
  fileprivate var strokes: [BrushStroke]? {
    if case .strokes(let value) = self { value } else { nil }
  }
  fileprivate var members: [MaskMember]? {
    switch self {
    case .members(let value): value
    // An empty array has no type in JSON.
    case .numbers(let value) where value.isEmpty: []
    default: nil
    }
  }
  fileprivate var stops: [ColorStop]? { if case .stops(let value) = self { value } else { nil } }
}

// SPDX-License-Identifier: Apache-2.0

/// The image whose pixels automatic adjustments and picked points are measured in.
enum MeasurementTarget {
  /// None: filters that are derived from pixels are refused.
  case none
  /// None yet: only the arguments are checked.
  case arguments
  case image(MeasuredImage)
}

/// An image to measure.
struct MeasuredImage {
  let image: ImageSource
  /// The name of the input.
  let name: String
  let options: RenderOptions
}

/// The argument of `--auto`: names of `AutomaticAdjustment.Kind`, separated by commas.
struct AutomaticKinds: ArgumentValue, Hashable {
  let kinds: Set<AutomaticAdjustment.Kind>

  init(argument: String) throws(ArgumentError) {
    let names = argument.split(separator: ",", omittingEmptySubsequences: false)
    var kinds: Set<AutomaticAdjustment.Kind> = []
    for name in names {
      if name == "all" {
        kinds.formUnion(AutomaticAdjustment.Kind.allCases)
      } else if let kind = AutomaticAdjustment.Kind(rawValue: String(name)) {
        kinds.insert(kind)
      } else {
        let allowed = AutomaticAdjustment.Kind.allCases.map(\.rawValue) + ["all"]
        throw ArgumentError(
          "invalid value '\(name)' (allowed: \(allowed.joined(separator: ", ")); comma-separated)",
          hint: nearestMatch(to: String(name), among: allowed).map(didYouMean))
      }
    }
    self.kinds = kinds
  }
}

extension GraphArguments {
  /// Returns a graph with the filters of `--auto`, `--match` or `--deflicker` and the adjustment
  /// that they are from; nil without these options.
  ///
  /// - Parameters:
  ///   - image: The image that the graph is applied to; nil for a video.
  ///   - input: The name of the input.
  func adjusted(
    _ graph: FilterGraph, for image: MeasuredImage?, named input: String
  ) throws(CommandFailure) -> (graph: FilterGraph, adjustment: AutomaticAdjustment?) {
    guard automatic != nil || match != nil || deflickers else { return (graph, nil) }
    guard let image else {
      let option = automatic != nil ? "--auto" : match != nil ? "--match" : "--deflicker"
      throw CommandFailure(
        .badData, "\(input): \(option) is not supported for videos", code: "movie")
    }
    if deflickers, series[PathKey(input)] == nil {
      throw CommandFailure(
        .badData, "\(input): --deflicker evens out files, not library assets or pipes",
        hint: "export the assets with 'photoedit asset export'", code: "series")
    }
    var graph = graph
    let before = graph.beforeAutomaticNodes
    let adjustment =
      if let evening = series[PathKey(input)] {
        evening
      } else if let match {
        try inImage(
          input,
          Renderer.automaticAdjustment(
            of: image.image, after: before, matching: match, options: image.options))
      } else {
        try inImage(
          input,
          Renderer.automaticAdjustment(
            of: image.image, after: before, kinds: automatic?.kinds ?? [], options: image.options))
      }
    try translating(
      { CommandFailure($0 as GraphEditError, input: input) }, graph.apply(adjustment))
    return (graph, adjustment)
  }

  /// Measures the photo of `--match`, once for all inputs.
  mutating func measureReference(
    _ rendering: RenderingArguments, _ environment: CommandEnvironment
  ) throws(CommandFailure) {
    guard let reference, match == nil else { return }
    let image = try rendering.open(reference, environment)
    match = try inImage(
      reference, Renderer.sceneMatch(of: image, options: rendering.options(environment)))
  }
}

extension GraphArguments {
  /// Measures the photos of a series, for `--deflicker`.
  ///
  /// A photo that cannot be opened has no part in the series; its own edit reports why.
  mutating func measureSeries(
    _ inputs: [String], _ rendering: RenderingArguments, _ environment: CommandEnvironment
  ) throws(CommandFailure) {
    guard deflickers else { return }
    guard inputs.count > 1 else {
      throw .usage("--deflicker: requires a series of photos", hint: "name all of its photos")
    }
    var measured: [(input: String, match: SceneMatch)] = []
    for (index, input) in inputs.enumerated() {
      try environment.checkCancellation()
      environment.progress.update(index, of: inputs.count, input)
      do throws(CommandFailure) {
        let image = try rendering.open(input, environment)
        let match = try inImage(
          input,
          Renderer.sceneMatch(of: image, options: rendering.options(environment, for: input)))
        measured.append((input, match))
      } catch {
        if error.exitCode == .usage { throw error }
      }
    }
    environment.progress.clear()
    let adjustments = SceneMatch.evening(measured.map(\.match))
    for (photo, adjustment) in zip(measured, adjustments) {
      series[PathKey(photo.input)] = adjustment
    }
  }
}

/// The point of `whiteBalance:pick=X:Y[:RADIUS]`, as fractions of the image.
struct GrayPoint: Sendable {
  private let x: Double
  private let y: Double
  private let radius: Double

  /// Takes the point from the argument of a filter; nil without one.
  init?(of argument: inout FilterArgument) throws(CommandFailure) {
    guard let filter = try? FilterCatalog.filter(named: argument.name),
      filter.description.name == "whiteBalance", let text = argument.take(["pick"])["pick"]
    else { return nil }
    let form = "--filter \(argument.name):pick=\(text)"
    let numbers = text.split(separator: ":", omittingEmptySubsequences: false).map { Double($0) }
    guard (2...3).contains(numbers.count), let x = numbers[0], let y = numbers[1],
      (0...1).contains(x), (0...1).contains(y)
    else {
      throw .usage(
        "\(form): invalid point (expected X:Y or X:Y:RADIUS as fractions of the image, 0–1)",
        hint: "write the center of the image as pick=0.5:0.5")
    }
    guard let radius = numbers.count > 2 ? numbers[2] : 0.01, (0...0.5).contains(radius) else {
      throw .usage("\(form): invalid radius (allowed: 0–0.5 of the longer side)")
    }
    if let other = argument.pairs.first {
      throw .usage(
        "\(form): cannot be combined with \(other.key)",
        hint: "adjust temperature and tint afterward with 'photoedit adjust'")
    }
    (self.x, self.y, self.radius) = (x, y, radius)
  }

  /// Returns the white balance by which the point of a graph's result becomes gray.
  func filter(
    after graph: FilterGraph, for target: MeasurementTarget
  ) throws(CommandFailure) -> WhiteBalance {
    switch target {
    case .arguments: return WhiteBalance()
    case .none:
      throw .usage(
        "whiteBalance:pick requires the pixels of an image", hint: "give temperature and tint")
    case .image(let measured):
      let filter = try inImage(
        measured.name,
        Renderer.whiteBalance(
          grayAt: x, y, radius: radius, of: measured.image, after: graph,
          options: measured.options))
      guard let filter else {
        throw CommandFailure(
          .badData, "\(measured.name): the point of whiteBalance:pick is black or clipped",
          hint: "pick a gray that is neither", code: "pick")
      }
      return filter
    }
  }
}

extension AutomaticAdjustment {
  /// "exposure ev=0.31 rolloff=0.35; white-balance: neutral".
  var text: String {
    let set = filters.map { filter in
      let description = type(of: filter).description
      let values = filter.values
      let set = description.parameters.filter { values[$0.name] != $0.default }
      return description.name
        + set.map { " \($0.name)=\(values[$0.name]?.argument ?? "")" }.joined()
    }
    let left = unchanged.map { "\($0.kind.rawValue): \($0.reason)" }
    let found = set.isEmpty ? ["nothing is needed"] : set
    return (found + left).joined(separator: "; ")
  }

  var json: JSONValue {
    [
      "nodes": .array(
        filters.map { filter in
          [
            "filter": .string(type(of: filter).description.name),
            "params": .object(filter.values.mapValues(\.json)),
          ]
        }),
      "unchanged": .array(
        unchanged.map { ["kind": .string($0.kind.rawValue), "reason": .string($0.reason)] }),
    ]
  }
}

// SPDX-License-Identifier: Apache-2.0

/// Prices for an estimate; what has no price is not estimated in money.
struct Prices: Sendable, ArgumentValue {
  private var values: [String: Double] = [:]

  private static let keys = ["core-hour", "put", "get", "gb-month"]

  /// Joins several lists of prices.
  init(_ prices: [Prices]) {
    for prices in prices { values.merge(prices.values) { $1 } }
  }

  init(argument: String) throws(ArgumentError) {
    for part in argument.split(separator: ",", omittingEmptySubsequences: false) {
      let pair = part.split(separator: "=", omittingEmptySubsequences: false)
      guard pair.count == 2, Self.keys.contains(String(pair[0])), let price = Double(pair[1]),
        price.isFinite, price >= 0
      else {
        throw ArgumentError(
          "'\(part)' is not a price (allowed: \(Self.keys.joined(separator: ", ")))",
          hint: "write it as core-hour=0.04")
      }
      values[String(pair[0])] = price
    }
  }

  /// Returns the costs of a number of units; nil without a price.
  func costs(_ key: String, _ units: Double) -> Double? { values[key].map { $0 * units } }
}

/// An estimate of a whole run from a few of its images.
struct RunEstimate {
  let index: ManifestIndex
  /// The files of the looks.
  let looks: [SHA256Digest: String]
  let root: String
  let rendering: RenderingArguments

  /// The number of images that are rendered.
  private static let sampleCount = 20

  func run(
    cores: Int, _ prices: Prices, _ environment: CommandEnvironment
  ) throws(CommandFailure) {
    var worker = try ImageWorker(rendering, environment)
    let reader = try LineAccess(index.path)
    // The order is that of hashes, so the first images are a random choice, the same each time.
    let sample = index.entries.prefix(Self.sampleCount)
    var failures: [CommandFailure] = []
    var (seconds, input, output, names) = (0.0, 0.0, 0.0, 0.0)
    for (number, entry) in sample.enumerated() {
      environment.progress.update(number, of: sample.count)
      try environment.checkCancellation()
      let line = try reader.line(entry)
      guard let source = line.localSource(in: root) else {
        throw .usage(
          "--estimate: \(line.source) is not a local file",
          hint: "download some of the images and estimate with a manifest of those")
      }
      let before = ProcessLimits.usage.processorTime
      do throws(CommandFailure) {
        let result = try worker.render(
          .init(
            input: .file(source),
            look: .file(line.look.flatMap { looks[$0] } ?? looks.values.first ?? ""),
            digest: line.digest))
        output += Double(result.rendering.jpeg.count)
        input += Double(FileVersion(source)?.size ?? 0)
      } catch {
        environment.warn(error.message)
        failures.append(error)
      }
      seconds += Double(ProcessLimits.usage.processorTime - before) / 1e6
      if line.output != nil { names += 1 }
    }
    environment.progress.clear()
    if failures.count == sample.count, let first = failures.first { throw first }
    let rendered = Double(sample.count - failures.count)
    let count = Double(index.entries.count)
    let share = rendered / Double(sample.count)
    let total = (
      seconds: seconds / Double(sample.count) * count, input: input / rendered * count,
      output: output / rendered * count * share, gets: count,
      puts: count * share * 2 + names / Double(sample.count) * count * share
    )
    let costs = [
      ("processors", prices.costs("core-hour", total.seconds / 3600)),
      (
        "requests",
        sum(prices.costs("get", total.gets / 1000), prices.costs("put", total.puts / 1000))
      ),
      ("storage for a month", prices.costs("gb-month", total.output / 1e9)),
    ]
    if environment.wantsJSON {
      var money: [String: JSONValue] = [:]
      for case (let name, let cost?) in costs {
        money[name] = .number((cost * 100).rounded() / 100)
      }
      return try environment.write([
        "images": .whole(index.entries.count), "rendered": .number(rendered),
        "failed": .whole(failures.count), "cpuSeconds": .number(total.seconds.rounded()),
        "bytesIn": .number(total.input.rounded()), "bytesOut": .number(total.output.rounded()),
        "gets": .number(total.gets), "puts": .number(total.puts.rounded()),
        "cores": .whole(cores), "seconds": .number((total.seconds / Double(cores)).rounded()),
        "costs": .object(money),
      ])
    }
    var lines = LabelledLines()
    lines.add("images", "\(index.entries.count), estimated from \(sample.count)")
    if !failures.isEmpty { lines.add("failed", "\(failures.count) of \(sample.count)") }
    lines.add("processor time", "\(Int(total.seconds.rounded())) s")
    lines.add("time", "\(Int((total.seconds / Double(cores)).rounded())) s on \(cores) cores")
    lines.add("bytes", "\(Int(total.input)) in, \(Int(total.output)) out")
    lines.add("requests", "\(Int(total.gets)) GET, \(Int(total.puts.rounded())) PUT")
    for case (let name, let cost?) in costs {
      lines.add(name, "\((cost * 100).rounded() / 100)")
    }
    lines.print(in: environment)
  }

  private func sum(_ first: Double?, _ second: Double?) -> Double? {
    guard first != nil || second != nil else { return nil }
    return (first ?? 0) + (second ?? 0)
  }
}

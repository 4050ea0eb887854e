// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditLibrary
import PhotoEditPixels
import PhotoEditRendering
import PhotoEditTestSupport

/// What people wait for at a terminal, and what the text index costs an import.
extension LibraryBenchmark {
  /// The number of imported and exported photos.
  private static let photos = 10_000
  /// The number of photos in a folder, which one import reads.
  private static let block = 1_000

  /// Completes an album title and the prefix of an identifier in the large library.
  func measureCompletion(_ measure: inout Measure) throws {
    var options = FetchOptions<Asset>()
    options.fetchLimit = 1
    let asset = Array(try library.fetchAssets(options))[0].localIdentifier
    for (name, command, word) in [
      ("an album title", "album", "Albu"), ("6 digits of an asset", "asset", asset.prefix(6)),
      ("1 digit of an asset", "asset", asset.prefix(1)),
    ] {
      let words = ["__complete", "--", command, "show", "--library", url.path, String(word)]
      try measureProgram("complete \(name)", words, limit: 50, &measure) { $0.contains(word) }
    }
  }

  /// Measures a run of the program, from its start to its end.
  private func measureProgram(
    _ name: String, _ words: [String], limit: Double?, rounds: Int = 5, _ measure: inout Measure,
    check: (String) -> Bool
  ) throws {
    let output = url.path + "-output"
    defer { try? FileManager.default.removeItem(atPath: output) }
    var isDone = true
    var least = Double.infinity
    for _ in 0..<rounds {
      least = min(
        least,
        Measure.seconds { isDone = Program.run(program, words, output: output) == 0 && isDone })
    }
    let text = try? String(contentsOfFile: output, encoding: .utf8)
    if !isDone || text.map(check) != true {
      complain("\(program) \(words.joined(separator: " ")): failed")
      least = .nan
    }
    measure.add(name, least * 1000, "ms", limit: limit)
  }

  /// Imports the same photos into two libraries, alternately, of which one has no search tables, and
  /// exports those of the other one.
  func measureImportAndExport(_ measure: inout Measure) throws {
    let (source, target) = (url.path + "-photos", url.path + "-export")
    let folders = [true, false].map { url.path + ($0 ? "-searchable" : "-plain") }
    defer {
      for path in folders + [source, target] { try? FileManager.default.removeItem(atPath: path) }
    }
    try writePhotos(to: source)
    var plain = LibraryConfiguration()
    plain.updatesSearch = false
    let libraries = [
      try PhotoLibrary.create(at: URL(filePath: folders[0])),
      try PhotoLibrary.create(at: URL(filePath: folders[1]), configuration: plain),
    ]
    var ratios: [Double] = []
    var total = 0.0
    for block in 0..<Self.photos / Self.block {
      var seconds = [0.0, 0.0]
      for index in block.isMultiple(of: 2) ? [0, 1] : [1, 0] {
        seconds[index] = Measure.seconds {
          let report = Importer(libraries[index]).run(["\(source)/\(block)"])
          precondition(report.assetCount == Self.block)
        }
      }
      ratios.append(seconds[0] / seconds[1])
      total += seconds[0]
    }
    measure.add("import of small photos", Double(Self.photos) / total, "per second", limit: nil)
    ratios.sort()
    measure.add(
      "  slower by the search tables, median of \(ratios.count)",
      100 * ((ratios[ratios.count / 2] + ratios[(ratios.count - 1) / 2]) / 2 - 1), "%", limit: 5)
    try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
    let words = ["asset", "export", "--all", "-o", target, "--update", "--library", folders[0]]
    try measureProgram(
      "export of 10,000 photos", words + ["--json"], limit: nil, rounds: 1, &measure
    ) { $0.split(separator: "\n").count { $0.contains("\"written\"") } == Self.photos }
    try measureProgram(
      "export of the same with --update", words + ["--json"], limit: 2_000, rounds: 3, &measure
    ) { $0.split(separator: "\n").count { $0.contains("\"unchanged\"") } == Self.photos }
  }

  private func writePhotos(to folder: String) throws {
    let size = PixelSize(width: 320, height: 240)
    var image = ImageBuffer(size: size, layout: RowLayout(channels: .rgb))
    for index in image.bytes.indices { image.bytes[index] = UInt8(index * index / 4000 & 127) }
    let jpeg = try Thumbnail(image).jpeg(quality: 80)
    for number in 0..<Self.photos {
      let block = "\(folder)/\(number / Self.block)"
      if number.isMultiple(of: Self.block) {
        try FileManager.default.createDirectory(atPath: block, withIntermediateDirectories: true)
      }
      // Trailing bytes make it a different file.
      let tail = (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
      try Data(jpeg + tail).write(to: URL(filePath: "\(block)/IMG_\(number).JPG"))
    }
  }
}

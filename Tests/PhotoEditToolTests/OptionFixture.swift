// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditFilters
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

/// The files, edits, libraries and runs that the commands of `OptionTable` use.
struct OptionFiles {
  let folder: TemporaryFolder

  /// The commands that edit the files.
  private static let edits = """
    apply edited.jpg --filter sepia
    apply edited.jpg --filter invert
    undo edited.jpg
    apply chain.jpg --filter sepia --filter invert
    apply chain.jpg --filter grayscale
    apply undone.jpg --filter sepia
    apply undone.jpg --filter invert
    undo undone.jpg --to 0
    apply retouched.jpg --filter sepia
    apply overwritten.jpg --filter sepia
    apply overwritten.jpg --filter invert
    undo overwritten.jpg
    apply stated.jpg --filter sepia --state-dir states
    apply stated2.jpg --filter sepia --state-dir states
    undo stated2.jpg --state-dir states
    apply away.jpg --filter sepia -o away/
    apply awayundone.jpg --filter sepia -o away/
    undo awayundone.jpg -o away/awayundone.edited.jpg
    apply occupied.jpg --filter sepia
    undo occupied.jpg
    apply alphaedit.png --filter sepia
    apply deepedit.png --filter sepia
    apply cutedit.jpg --filter sepia --lenient
    apply progressive-edit.jpg --filter sepia
    apply clipedit.mov --filter sepia --video-preset ultrafast
    apply clipmp4.mp4 --filter rotate90
    apply foreignedit.mp4 --filter rotate90 --drop-streams
    apply moved/m.jpg --filter sepia
    apply editedphotos/0.jpg --filter invert
    preset edited.jpg -o vivid.json
    preset edited.jpg -o look.json
    sheet edited.jpg -o page.html
    bake --filter grayscale --size 33 -o lut.cube
    apply cube.jpg --filter lut3d:file=lut.cube
    preset cube.jpg -o cube.json
    render photo.jpg --filter exposure:ev=-0.5 -o dim.jpg
    library create lib
    library create second
    asset import photos halves live -L lib
    """

  /// The commands that change the library.
  private static let changes = """
    album create Lisbon {0} {1} -L lib
    folder create Trips -L lib
    asset set {0} --favorite yes --location 48,11 -L lib
    asset set {1} --date 2024-05-06T07:08:09Z -L lib
    asset set {2} --hidden yes -L lib
    asset delete {trash} --yes -L lib
    asset set {titled} --title T --caption C -L lib
    album add Lisbon {titled} -L lib
    album create Porto {titled} -L lib
    apply {1} --filter sepia -L lib
    apply {2} --filter sepia -L lib
    undo {2} -L lib
    apply {livedit} --filter sepia -L lib --video-preset ultrafast
    apply {titled} --filter sepia -L lib
    album create Inside {0} --folder Trips -L lib
    """

  /// Makes the files; returns the identifiers of assets by the names of their files, and a token of
  /// the changes as "token".
  func make() throws -> [String: String] {
    for name in ["away", "photos", "editedphotos", "states", "moved", "halves", "live"] {
      try FileSystem.createFolder(folder.path(name))
    }
    let place: [ImageFile.Field] = [
      .text(1, "N"), .fractions(2, [(48, 1), (8, 1), (0, 1)]), .text(3, "E"),
      .fractions(4, [(11, 1), (30, 1), (0, 1)]),
    ]
    func photo(_ name: String, _ seed: Int = 0, _ change: (inout ImageFile) -> Void = { _ in })
      throws
    {
      var file = ImageFile()
      file.gps = place
      change(&file)
      try folder.write(file.jpeg(seed == 0 ? abs(Self.seed(name)) : seed), to: name)
    }
    for name in [
      "photo", "edited", "chain", "undone", "retouched", "overwritten", "stated", "stated2", "away",
      "awayundone", "occupied", "cube", "moved/m", "photos/0", "photos/1", "photos/2", "photos/bad",
      "photos/occupied", "editedphotos/0", "editedphotos/1", "halves/half", "live/titled",
      "live/trash", "live/occupied",
    ] {
      try photo(name + ".jpg")
    }
    for name in ["0", "1"] {
      try folder.write(contents("photos/\(name).jpg"), to: "editedphotos/\(name).jpg")
    }
    for (name, image) in [
      ("big.jpg", "photo-landscape.jpg"), ("deep.png", "png-rgb-16.png"),
      ("deepedit.png", "png-rgb-16.png"), ("alpha.png", "png-rgba-8.png"),
      ("alphaedit.png", "png-rgba-8.png"), ("progressive.jpg", "jpeg-progressive.jpg"),
      ("progressive-edit.jpg", "jpeg-progressive.jpg"),
    ] {
      try folder.write(try TestImages.bytes("inputs/" + image), to: name)
    }
    let whole = try TestImages.bytes("inputs/photo-64.jpg")
    for name in ["cut.jpg", "cutedit.jpg"] {
      try folder.write(Array(whole.dropLast(600)), to: name)
    }
    try makeImports(photo)
    try makeMovies()
    try run(Self.edits, [:])
    try spoil(photo)
    let names = try Self.identifiers(folder.path)
    try run(Self.changes, names)
    try makeRuns()
    try FileManager.default.copyItem(atPath: folder.path("lib"), toPath: folder.path("damaged"))
    try damage(folder.path("damaged/assets"))
    return names
  }

  private static func seed(_ name: String) -> Int {
    name.utf8.reduce(7) { ($0 &* 31 &+ Int($1)) % 1_000_003 }
  }

  private func contents(_ name: String) throws -> [UInt8] {
    try FileBytes.reading(folder.path(name)).array
  }

  /// Writes files whose import depends on an option.
  private func makeImports(
    _ photo: (String, Int, (inout ImageFile) -> Void) throws -> Void
  ) throws {
    for name in ["tagged", "tagged3", "deepfolder", "deepfolder/below", "Takeout"] {
      try FileSystem.createFolder(folder.path(name))
    }
    func rating(_ value: Int) -> String { "xmp:Rating=\"\(value)\"" }
    try photo("tagged/rated.jpg", 1) { $0.xmp = rating(4) }
    try folder.write(Array(ImageFile.packet(rating(1)).utf8), to: "tagged/rated.xmp")
    for (place, value) in [("live", 2), ("tagged3", 5)] {
      try photo("\(place)/tagged.jpg", 2) { _ in }
      try folder.write(Array(ImageFile.packet(rating(value)).utf8), to: "\(place)/tagged.xmp")
    }
    try photo("deepfolder/a.jpg", 3) { _ in }
    try photo("deepfolder/below/b.jpg", 4) { _ in }
    for name in ["Takeout/Google Photos", "Takeout/Google Photos/Trash"] {
      try FileSystem.createFolder(folder.path(name))
    }
    try photo("Takeout/Google Photos/Trash/a.jpg", 5) { _ in }
    try folder.write(
      Array(
        #"{"title":"a.jpg","photoTakenTime":{"timestamp":"1500000000"},"trashed":true}"#.utf8),
      to: "Takeout/Google Photos/Trash/a.jpg.json")
    for number in 1...2 {
      try photo("live/burst\(number).jpg", 5 + number) {
        $0.exif = [ImageFile.appleNote(burst: "0A1B2C3D-1111-2222-3333-444444444444")]
      }
    }
    try folder.write(
      Array(
        """
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
        xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
        <rdf:Description xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/"
         crs:ProcessVersion="11.0" crs:Exposure2012="+0.50" crs:Dehaze="+12"
         crs:Version="15.0"/></rdf:RDF></x:xmpmeta>
        """.utf8), to: "a.xmp")
  }

  private func makeMovies() throws {
    try makeMovie("clip.mov")
    try makeMovie("clip.mp4")
    try makeMovie("halves/halfmovie.mov")
    try makeMovie("foreign.mp4", audio: " -f lavfi -i sine=d=0.3 -c:a libopus")
    try makeMovie("foreignedit.mp4", audio: " -f lavfi -i sine=d=0.3 -c:a libopus")
    for (name, copy) in [("clip.mov", "clipedit.mov"), ("clip.mp4", "clipmp4.mp4")] {
      try folder.write(contents(name), to: copy)
    }
    for (number, name) in ["live", "livedit"].enumerated() {
      let identifier = "0000000\(number)-1111-2222-3333-444444444444"
      try folder.write(ImageFile.live(identifier, seed: 20 + number), to: "live/\(name).jpg")
      try makeMovie("live/\(name).mov", hue: 30 * number + 30, identifier)
    }
    var motion = ImageFile()
    motion.exif = [.blob(0x927C, Array("Maker\0".utf8) + [UInt8](repeating: 7, count: 40))]
    try folder.write(motion.jpeg() + contents("clip.mp4"), to: "live/motion.jpg")
  }

  private func makeMovie(
    _ name: String, hue: Int = 0, _ identifier: String? = nil, audio: String = ""
  ) throws {
    let ffmpeg = try #require(Program.find("ffmpeg"))
    var words =
      "-v error -f lavfi -i testsrc=size=64x48:rate=10:duration=0.3,hue=h=\(hue)" + audio
      + " -c:v libx264 -preset ultrafast -pix_fmt yuv420p"
    if let identifier {
      words +=
        " -movflags use_metadata_tags -metadata com.apple.quicktime.content.identifier="
        + identifier
    }
    let arguments = words.split(separator: " ").map(String.init) + [folder.path(name)]
    try #require(Program.run(ffmpeg, arguments, output: "/dev/null") == 0)
  }

  /// Changes files of edits, and makes a report of a failure.
  private func spoil(_ photo: (String, Int, (inout ImageFile) -> Void) throws -> Void) throws {
    try folder.write(try TestImages.bytes("inputs/jpeg-444.jpg"), to: "retouched.jpg")
    for (number, name) in ["overwritten", "occupied"].enumerated() {
      try photo(name + ".edited.jpg", 30 + number) { _ in }
    }
    try FileSystem.rename(folder.path("moved/m.jpg"), to: folder.path("moved/n.jpg"))
    for name in try FileSystem.names(in: folder.path) where name.hasSuffix(".cube") {
      try FileSystem.rename(folder.path(name), to: folder.path("away/" + name))
    }
    let failed = ["apply", "missing.jpg", "--filter", "invert", "--report", "failed.jsonl"]
    #expect(try Tool.run(failed, in: folder.path).exitCode == 66)
    try photo("missing.jpg", 40) { _ in }
  }

  private static func identifiers(_ folder: String) throws -> [String: String] {
    let list = ["asset", "list", "-L", "lib", "--json", "--include-hidden", "--include-bursts"]
    var names: [String: String] = [:]
    for asset in try Tool.run(list, in: folder).jsonLines() {
      let file = try #require(asset["originalFilename"]?.stringValue)
      names[FileSystem.splitName(file).stem] = try #require(asset["identifier"]?.stringValue)
    }
    let changes = try Tool.run(["changes", "-L", "lib", "--json"], in: folder).jsonLines()
    names["token"] = try #require(changes.first?["token"]?.stringValue)
    return names
  }

  private func run(_ script: String, _ names: [String: String]) throws {
    for line in script.split(separator: "\n") {
      let words = OptionFixture.words(line.split(separator: " ").map(String.init), names)
      let result = try Tool.run(words, in: folder.path)
      try #require(result.exitCode == 0, "\(line): \(result.errors)")
    }
  }

  // MARK: Runs

  private func makeRuns() throws {
    try folder.write(
      Array((#"{"id":"a","src":"0.jpg"}"# + "\n" + #"{"id":"b","src":"1.jpg"}"# + "\n").utf8),
      to: "manifest.jsonl")
    try makeRun("run", of: ["0", "1", "bad"])
    try makeRun("failedrun", of: ["0", "bad"])
    try makeRun("damagedrun", of: ["0"])
    try makeRun("litteredrun", of: ["0"])
    let blobs = folder.path("out/damagedrun/blobs")
    for name in try FileSystem.names(in: blobs) {
      for file in try FileSystem.names(in: "\(blobs)/\(name)") {
        try Data([1, 2, 3]).write(to: URL(filePath: "\(blobs)/\(name)/\(file)"))
      }
    }
    try folder.write([1], to: "litteredrun/.photoedit-old")
    FileSystem.setModificationTime(of: folder.path("litteredrun/.photoedit-old"), to: 1e9)
  }

  /// Plans a run and publishes its results; the photo "bad" fails.
  private func makeRun(_ name: String, of photos: [String]) throws {
    try FileManager.default.createDirectory(
      atPath: folder.path("out"), withIntermediateDirectories: true)
    let lines = photos.map { #"{"id":"\#($0).jpg","src":"\#($0).jpg"}"# + "\n" }
    try folder.write(Array(lines.joined().utf8), to: "\(name).jsonl")
    try run(
      "plan \(name).jsonl --graph look.json -o out/\(name) --run \(name) --root photos", [:])
    let plan = try JSONValue(parsing: contents("\(name)/run.json"))
    var results: [JSONValue] = []
    for photo in photos {
      guard photo != "bad" else {
        results.append(["id": "bad.jpg", "status": "failed", "exit": 65, "code": "damaged"])
        continue
      }
      let request: JSONValue = [
        "id": .string(photo + ".jpg"), "input": .string("photos/\(photo).jpg"),
        "output": "rendered.jpg", "look": "look.json",
      ]
      let worker = try Tool.run(
        ["worker"], in: folder.path, input: try request.canonicalBytes() + [10])
      var answer = try #require(try worker.jsonLines().last?.objectValue)
      let key = try #require(answer["key"]?.stringValue)
      let rendering = try #require(answer["rendering"]?.stringValue)
      let blobs = "out/\(name)/blobs/\(rendering.prefix(2))"
      let records = "out/\(name)/records/\(key.prefix(2))"
      for path in [blobs, records] {
        try FileManager.default.createDirectory(
          atPath: folder.path(path), withIntermediateDirectories: true)
      }
      try FileSystem.rename(
        folder.path("rendered.jpg"), to: folder.path("\(blobs)/\(rendering).jpg"))
      answer["engine"] = plan["engine"]
      answer["options"] = plan["options"]
      let record = JSONValue.object(answer)
      try folder.write(try record.canonicalBytes(), to: "\(records)/\(key).json")
      results.append([
        "id": .string(photo + ".jpg"), "status": "written", "key": .string(key),
        "rendering": .string(rendering), "bytes": answer["bytes"] ?? .null, "cpuMs": 1,
      ])
    }
    let text = try results.map { try $0.canonicalBytes() + [10] }.joined()
    try folder.write(Array(text), to: "\(name)/results/0-0.1.jsonl")
  }

  /// Changes the bytes of all originals in a library.
  private func damage(_ path: String) throws {
    for name in try FileSystem.names(in: path) {
      let file = "\(path)/\(name)"
      if FileSystem.isFolder(file) {
        try damage(file)
      } else if name.hasPrefix("photo-") {
        let bytes = try FileBytes.reading(file).array
        try FileSystem.remove(file)
        try Data(bytes.dropLast(3) + [1, 2, 3]).write(to: URL(filePath: file))
      }
    }
  }
}

/// The files for `OptionTable`, of which each run gets a copy.
final class OptionFixture: Sendable {
  private let folder: TemporaryFolder
  private let names: [String: String]
  /// Folders that are copied only for commands that name one of them.
  private static let large = [
    "lib", "second", "damaged", "run", "failedrun", "damagedrun", "litteredrun", "out",
  ]

  init() throws {
    let files = OptionFiles(folder: try TemporaryFolder())
    names = try files.make()
    folder = files.folder
  }

  static func words(_ words: [String], _ names: [String: String]) -> [String] {
    words.map { word in
      guard word.hasPrefix("{"), word.hasSuffix("}") else { return word }
      return names[String(word.dropFirst().dropLast())] ?? word
    }
  }

  /// Runs a command in a copy of the folder; returns its exit code, its output, and all files with
  /// their sizes, without what differs between runs.
  func run(_ call: OptionTests.Call) throws -> [String] {
    let copy = try TemporaryFolder()
    let all = call.command + call.probe
    for name in try FileSystem.names(in: folder.path) {
      let isNeeded = all.contains { word in Self.large.contains { word.contains($0) } }
      guard isNeeded || !Self.large.contains(name) else { continue }
      try FileManager.default.copyItem(atPath: folder.path(name), toPath: copy.path(name))
    }
    if all.contains("damaged") { try Self.age(copy.path("damaged/assets")) }
    var input: [UInt8] = []
    if let file = call.input {
      let request: JSONValue =
        call.command.first == "mcp"
        ? ["jsonrpc": "2.0", "id": "a", "method": .string("\(file)/list")]
        : ["id": "a", "input": .string(file), "output": "worker.jpg", "look": "look.json"]
      input = try request.canonicalBytes() + [10]
    }
    let result = try Tool.run(
      Self.words(call.command, names), in: copy.path, input: input,
      environment: ["PHOTOEDIT_PLACES": "/nowhere"])
    #expect(
      result.exitCode == call.exitCode, "\(call.command): \(result.exitCode) \(result.errors)")
    var found = ["\(result.exitCode)", result.output, result.errors]
    if !call.probe.isEmpty {
      found.append(try Tool.run(Self.words(call.probe, names), in: copy.path).output)
    }
    try list(copy.path, into: &found)
    // New assets have other names in each run, and so another order.
    return found.map { Self.withoutVariables($0.replacing(copy.path, with: "")) }.sorted()
  }

  /// Gives files times before their commits: a check that is not deep hashes those with later ones.
  private static func age(_ path: String) throws {
    for name in try FileSystem.names(in: path) {
      let file = "\(path)/\(name)"
      if FileSystem.isFolder(file) {
        try age(file)
      } else {
        let times = [timespec](repeating: timespec(tv_sec: 1_000_000_000, tv_nsec: 0), count: 2)
        try #require(utimensat(AT_FDCWD, file, times, 0) == 0)
      }
    }
  }

  private func list(_ path: String, into found: inout [String]) throws {
    for name in try FileSystem.names(in: path) where !name.hasPrefix("library.db") {
      var status = stat()
      guard lstat("\(path)/\(name)", &status) == 0 else { continue }
      if status.st_mode & S_IFMT == S_IFDIR {
        try list("\(path)/\(name)", into: &found)
      } else {
        let isOld = status.st_mtim.tv_sec < 1_700_000_000
        // Manifests contain times with a varying number of digits.
        let isManifest = name == "asset.json" || path.contains("/collections/")
        let size = isManifest ? 0 : status.st_size
        found.append("\(path)/\(name) \(size) \(status.st_nlink) \(isOld)")
      }
    }
  }

  /// Replaces identifiers, digests, dates and durations.
  private static func withoutVariables(_ text: String) -> String {
    text
      .replacing(#/(assets|collections)/[0-9A-F]{2}//#) { "\($0.output.1)/" }
      .replacing(#/[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}/#, with: "UUID")
      .replacing(#/[0-9a-f]{16,}/#, with: "DIGEST")
      .replacing(#/\d{4}-\d\d-\d\d[T ]\d\d:\d\d[^"\s]*/#, with: "DATE")
      .replacing(#/"(milliseconds|cpuMs|cpuSeconds|peakKiB)":[\d.]+/#, with: "NUMBER")
  }
}

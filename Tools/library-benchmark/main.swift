// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import PhotoEditLibrary
// Measure a library of a million generated assets.
//
// usage: swift run -c release library-benchmark [--assets N] [--program FILE] [--check] [FOLDER]
//
// The library is created in FOLDER, or in a folder in TMPDIR that is removed afterward. FILE is the
// photoedit that is run for completions and exports, by default the one that Tools/build-release
// built. With --check, the exit status is 1 if a limit is exceeded or cannot be measured; the limits
// apply to a million assets on two cores.
import PhotoEditSQLite
import PhotoEditTestSupport

/// Writes a line to standard error.
func complain(_ text: String) {
  let bytes = Array("library-benchmark: \(text)\n".utf8)
  _ = write(2, bytes, bytes.count)
}

var count = 1_000_000
var isChecking = false
var folder: String?
var program = BuiltProgram.path
var words = CommandLine.arguments.dropFirst()
while let word = words.popFirst() {
  switch word {
  case "--check": isChecking = true
  case "--assets":
    guard let number = words.popFirst().flatMap({ Int($0) }), number >= 10_000 else {
      complain("--assets takes a number from 10000")
      exit(64)
    }
    count = number
  case "--program":
    guard let path = words.popFirst() else {
      complain("--program takes the path of photoedit")
      exit(64)
    }
    program = path
  case "-h", "--help":
    print("usage: library-benchmark [--assets N] [--program FILE] [--check] [FOLDER]")
    exit(0)
  case _ where word.hasPrefix("-"):
    complain("unknown option \(word); there are --assets N, --program FILE and --check")
    exit(64)
  default: folder = word
  }
}
let parent = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
let place = folder ?? "\(parent)/photoedit-library-\(getpid())"
defer { if folder == nil { try? FileManager.default.removeItem(atPath: place) } }

var measure = Measure()
do {
  let benchmark = try LibraryBenchmark(place: place, count: count, program: program)
  try benchmark.run(&measure)
} catch {
  complain("\(error)")
  exit(1)
}
if folder == nil { try? FileManager.default.removeItem(atPath: place) }
let broken = measure.lines.filter { !$0.isKept }
print("\(measure.lines.count) measured, \(broken.count) limits broken")
exit(isChecking && !broken.isEmpty ? 1 : 0)

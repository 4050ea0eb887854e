// SPDX-License-Identifier: Apache-2.0
// Measure previews and thumbnails in one process, as an app requests them; prints JSON: the seconds
// of every run by name.
//
// usage: interactive previews PHOTO SIDE          fitting a square of SIDE pixels
//    or: interactive thumbnails LIBRARY COUNT SIDE
// exit codes: 0 done · 1 failed · 64 usage
import FoundationEssentials
import Glibc
import PhotoEdit

func fail(_ text: String, code: Int32) -> Never {
  let line = Array("interactive: \(text)\n".utf8)
  _ = write(2, line, line.count)
  exit(code)
}

let words = Array(CommandLine.arguments.dropFirst())
let numbers = words.dropFirst(2).compactMap { Int($0) }.filter { $0 > 0 }
var measurements = Measurements()
do {
  switch (words.first, words.count, numbers.count) {
  case ("previews", 3, 1):
    let box = PixelSize(width: numbers[0], height: numbers[0])
    try Previews(photo: URL(filePath: words[1]), box: box).measure(&measurements)
  case ("thumbnails", 4, 2):
    let size = PixelSize(width: numbers[1], height: numbers[1])
    try Thumbnails(library: URL(filePath: words[1]), count: numbers[0], size: size)
      .measure(&measurements)
  default:
    fail("expected 'previews PHOTO SIDE' or 'thumbnails LIBRARY COUNT SIDE'", code: 64)
  }
} catch {
  fail("\(error)", code: 1)
}
print(measurements.json)

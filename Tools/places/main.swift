// SPDX-License-Identifier: Apache-2.0
import Glibc

// Prints the place of each point in the input, and the time for each point.
// usage: places PLACES.bin <POINTS

func bytes(of path: String) -> [UInt8] {
  guard let file = fopen(path, "rb") else { fatalError("\(path): cannot be opened") }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 1 << 20)
  while case let count = fread(&chunk, 1, chunk.count, file), count > 0 {
    bytes += chunk[..<count]
  }
  return bytes
}

let index = try PlaceIndex(bytes(of: CommandLine.arguments[1]))
var points: [(Double, Double)] = []
while let line = readLine() {
  let numbers = line.split(separator: " ").compactMap { Double($0) }
  points.append((numbers[0], numbers[1]))
}
for (latitude, longitude) in points {
  let place = index.nearest(latitude: latitude, longitude: longitude)
  print(place.map { "\($0.name)\t\($0.region)\t\($0.country)" } ?? "")
}

let (clock, rounds) = (ContinuousClock(), 100)
var found = 0
let time = clock.measure {
  for _ in 0..<rounds {
    for (latitude, longitude) in points
    where index.nearest(latitude: latitude, longitude: longitude) != nil {
      found += 1
    }
  }
}
let (seconds, attoseconds) = time.components
let microseconds = Double(seconds) * 1e6 + Double(attoseconds) / 1e12
let each = (microseconds / Double(rounds * points.count) * 100).rounded() / 100
print("\(each) µs for each point")

// SPDX-License-Identifier: Apache-2.0
// Records goldens: what edits give today, to be looked at and committed.
//
//   swift run golden-recorder                 renders all; what differs is written as a candidate
//   swift run golden-recorder NAME…           the same for these
//   swift run golden-recorder --new NAME INPUT CLASS PURPOSE FILTER…
//                                             makes one; INPUT is below TestImages
//   swift run golden-recorder --new NAME INPUT CLASS PURPOSE GRAPH.json
//                                             makes one of a graph with branches or files
//   swift run golden-recorder --accept NAME…  puts candidates in the place of the goldens
//
// Candidates are golden.candidate.png and .json beside the golden, for people to look at. One that
// is outside of the golden's class is accepted only with a new version, of a filter (in graph.json)
// or of the engine (Renderer.semanticsVersion). In CI it refuses to run.
import Glibc

do {
  try Recorder.run(Array(CommandLine.arguments.dropFirst()))
} catch {
  let message = Array("golden-recorder: \(error)\n".utf8)
  _ = write(STDERR_FILENO, message, message.count)
  exit(1)
}

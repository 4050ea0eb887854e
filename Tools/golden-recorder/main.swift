// SPDX-License-Identifier: Apache-2.0
// Records goldens: the current results of edits, for review and commit.
//
//   swift run golden-recorder                 render all; differences are written as candidates
//   swift run golden-recorder NAME…           render only these
//   swift run golden-recorder --new NAME INPUT CLASS PURPOSE FILTER…
//                                             create one; INPUT is relative to TestImages
//   swift run golden-recorder --new NAME INPUT CLASS PURPOSE GRAPH.json
//                                             create one from a graph with branches or files
//   swift run golden-recorder --accept NAME…  replace the goldens with the candidates
//
// Candidates are written for review as golden.candidate.png and .json next to the golden. One that
// is outside of the golden's tolerance class is accepted only with a new version of a filter (in
// graph.json) or of the engine (Renderer.semanticsVersion). The recorder does not run in CI.
import Glibc

do {
  try Recorder.run(Array(CommandLine.arguments.dropFirst()))
} catch {
  let message = Array("golden-recorder: \(error)\n".utf8)
  _ = write(STDERR_FILENO, message, message.count)
  exit(1)
}

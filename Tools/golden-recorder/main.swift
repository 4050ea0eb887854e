// SPDX-License-Identifier: Apache-2.0
// Records goldens: what edits give today, to be looked at and committed.
//
//   swift run golden-recorder                 records every golden anew
//   swift run golden-recorder NAME…           records these
//   swift run golden-recorder --new NAME INPUT CLASS PURPOSE FILTER…
//                                             makes one; INPUT lies below TestImages
//   swift run golden-recorder --new NAME INPUT CLASS PURPOSE GRAPH.json
//                                             makes one of a graph with branches or files
//
// A golden changes with a filter's version, with a proof that the change stays inside the filter's
// class, or with a decoder that decodes otherwise; the commit says which. In CI it refuses to run.
import Glibc

do {
  try Recorder.run(Array(CommandLine.arguments.dropFirst()))
} catch {
  let message = Array("golden-recorder: \(error)\n".utf8)
  _ = write(STDERR_FILENO, message, message.count)
  exit(1)
}

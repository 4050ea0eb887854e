// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import FuzzSupport
import Glibc
import PhotoEditMovieFiles
import PhotoEditStorage

/// Converts a video to QuickTime, with and without an edit; the report must match the written file,
/// which must be a valid movie.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let source = Scratch.path("in"), staged = Scratch.path("out")
  let bytes = Data(bytes: start, count: count)
  Scratch.write(bytes, "in")
  _ = try? PassthroughExport.inspect(source)
  let edits: [[MovieEdit]] = [
    [.mute], [.trim(start: 0.1, end: 0.3)], [.rotate90(turns: 1), .flip(.vertical)],
    [.volume(0.5), .location(nil)], [.trim(start: 0.25)], [.contentIdentifier("A"), .mute],
  ]
  for edits in [[], edits[Int(bytes.last ?? 0) % edits.count]] {
    guard let report = try? MovieRewriter.run(from: source, to: staged, edits: edits) else {
      precondition(access(staged, F_OK) != 0, "a failed export leaves a file")
      precondition(access(staged + ".part", F_OK) != 0, "a failed export leaves a partial file")
      continue
    }
    precondition((try? FileBytes.digest(of: staged)) == report.digest, "the digest is wrong")
    guard (try? PassthroughExport.inspect(staged)) != nil else {
      preconditionFailure("the written file is not a movie")
    }
    unlink(staged)
  }
  return 0
}

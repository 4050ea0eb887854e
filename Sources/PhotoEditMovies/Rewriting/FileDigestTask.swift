// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Storage
import Synchronization

/// The digest of a whole file, made on another thread while its parts are looked at.
final class FileDigestTask: Sendable {
  private let outcome = Mutex<Result<Digest, MovieError>?>(nil)
  private let group = DispatchGroup()

  /// Begins.
  init(_ path: String, _ cancellation: Cancellation) {
    DispatchQueue.global().async(group: group) {
      let result: Result<Digest, MovieError>
      do throws(MovieError) {
        result = .success(try openMovie(path).movieDigest(cancellation))
      } catch {
        result = .failure(error)
      }
      self.outcome.withLock { $0 = result }
    }
  }

  /// Waits for the end, whatever comes of it.
  func wait() { group.wait() }

  /// Waits for the digest.
  func result() throws(MovieError) -> Digest {
    wait()
    let result = outcome.withLock { $0 }
    guard let result else { throw .cancelled }
    return try result.get()
  }
}

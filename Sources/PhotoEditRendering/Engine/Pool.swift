// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// Things that are costly to make and are used by one task at a time.
final class Pool<Element>: Sendable {
  private let free = Guarded<[Element]>([])

  /// Runs the body with a free element, or with a new one when there is none.
  ///
  /// An element that a failing body had is not used again.
  func with<Result, Failure>(
    _ make: () throws(Failure) -> Element, _ body: (Element) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let element: Element
    if let idle = free.withLock({ $0.popLast() }) { element = idle } else { element = try make() }
    let result = try body(element)
    free.withLock { $0.append(element) }
    return result
  }
}

// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Things that are costly to make and are used by one task at a time.
final class Pool<Element>: Sendable {
  private struct Free: @unchecked Sendable {  // Safe: an element is here, or with one task.
    var elements: [Element] = []
    var taken: Element?
  }

  private let free = Mutex(Free())

  /// Runs the body with a free element, or with a new one when there is none.
  ///
  /// An element that a failing body had is not used again.
  func with<Result, Failure>(
    _ make: () throws(Failure) -> Element, _ body: (Element) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let element: Element
    if let idle = take() { element = idle } else { element = try make() }
    let result = try body(element)
    let returned = Free(elements: [], taken: element)
    free.withLock { if let element = returned.taken { $0.elements.append(element) } }
    return result
  }

  private func take() -> Element? {
    free.withLock { Free(elements: [], taken: $0.elements.popLast()) }.taken
  }
}

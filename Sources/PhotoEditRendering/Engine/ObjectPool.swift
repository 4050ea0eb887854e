// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// A pool of objects that are expensive to create and are used by one task at a time.
final class ObjectPool<Element>: Sendable {
  private let free = LockedValue<[Element]>([])

  /// Runs the body with a free element, or with a new one if no element is free.
  ///
  /// An element used by a failing body is not reused.
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

// SPDX-License-Identifier: Apache-2.0
import CPhotoEditAllocations

/// Counts the allocations of a thread.
package enum Allocations {
  /// Allocations of this thread so far.
  package static var count: Int { Int(pe_allocation_count()) }
  /// True if allocations are counted; a sanitizer replaces the same functions.
  package static var areCounted: Bool { pe_allocation_count() >= 0 }
}

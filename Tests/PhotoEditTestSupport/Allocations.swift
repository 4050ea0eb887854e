// SPDX-License-Identifier: Apache-2.0
import CPhotoEditAllocations

/// Counts what a thread allocates.
package enum Allocations {
  /// Allocations of this thread so far.
  package static var count: Int { Int(pe_allocation_count()) }
  /// Whether they are counted; a sanitizer stands in the same place.
  package static var areCounted: Bool { pe_allocation_count() >= 0 }
}

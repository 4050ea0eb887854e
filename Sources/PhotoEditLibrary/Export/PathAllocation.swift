// SPDX-License-Identifier: Apache-2.0

/// The paths in use during an export, which differ in more than case and Unicode form.
struct PathAllocation {
  private var used: Set<String> = []

  mutating func reserve(_ paths: some Sequence<String>) {
    used.formUnion(paths.lazy.map { $0.lowercased() })
  }

  /// Returns a path whose file names are all unused, numbered if necessary.
  mutating func allocate(_ base: String, naming names: (String) -> [String]) -> String {
    var candidate = base
    var number = 1
    var own = names(candidate).map { $0.lowercased() }
    while !used.isDisjoint(with: own) {
      candidate = "\(base) (\(number))"
      own = names(candidate).map { $0.lowercased() }
      number += 1
    }
    used.formUnion(own)
    return candidate
  }
}

// SPDX-License-Identifier: Apache-2.0

/// The kind of change to an object; the raw values are those in the history.
enum ChangeKind: Int64 {
  case inserted = 1
  case updated = 2
  case deleted = 3
}

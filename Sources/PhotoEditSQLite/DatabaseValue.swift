// SPDX-License-Identifier: Apache-2.0

/// A SQLite value: a statement parameter or the content of a column.
package enum DatabaseValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
}

extension DatabaseValue: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral,
  ExpressibleByNilLiteral, ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral
{
  package init(integerLiteral value: Int64) { self = .integer(value) }
  package init(stringLiteral value: String) { self = .text(value) }
  package init(nilLiteral: ()) { self = .null }
  package init(floatLiteral value: Double) { self = .real(value) }
  package init(booleanLiteral value: Bool) { self = .integer(value ? 1 : 0) }
}

extension DatabaseValue {
  package init(_ value: Int64?) { self = value.map { .integer($0) } ?? .null }
  package init(_ value: Int?) { self = value.map { .integer(Int64($0)) } ?? .null }
  package init(_ value: Double?) { self = value.map { .real($0) } ?? .null }
  package init(_ value: String?) { self = value.map { .text($0) } ?? .null }
  package init(_ value: [UInt8]?) { self = value.map { .blob($0) } ?? .null }
  package init(_ value: Bool) { self = .integer(value ? 1 : 0) }
}

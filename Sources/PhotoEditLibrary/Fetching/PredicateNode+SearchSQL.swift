// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite
import PhotoEditStorage

/// The use of the search tables by a statement.
enum SearchAccess {
  /// Not used: the statement reads the columns of each asset.
  case none
  /// The matching assets are listed first, which is best for few of them.
  case lists
  /// Each asset is looked up, which is best if most match and only the first are needed.
  case probes
}

/// The conditions on keywords, albums, words and days in SQL.
extension PredicateCompiler {
  /// Compares days; the condition on the date lets SQLite use its index.
  mutating func compareDay(_ comparison: PredicateNode.Comparison, _ day: Int64) -> String {
    values.append(.integer(day))
    let test = "day \(sqlOperator(comparison)) ?"
    // No offset from UTC is longer than a day.
    let (after, before) = (Double(day - 1) * 86_400, Double(day + 2) * 86_400)
    switch comparison {
    case .notEqual: return "(\(test))"
    case .equal:
      values += [.real(after), .real(before)]
      return "(\(test) AND creationDate BETWEEN ? AND ?)"
    case .less, .lessOrEqual:
      values.append(.real(before))
      return "(\(test) AND creationDate <= ?)"
    case .greater, .greaterOrEqual:
      values.append(.real(after))
      return "(\(test) AND creationDate >= ?)"
    }
  }

  mutating func list(
    _ column: FetchColumn, _ test: PredicateNode.ListTest, _ text: String, _ folding: TextFolding
  ) -> String {
    // A column of several texts has one per line.
    if text.utf8.contains(0x0A) { return "0" }
    if column == .digest {
      guard let digest = SHA256Digest(text.asciiLowercased) else { return "0" }
      values.append(.blob(digest.bytes))
      return "(asset.id IN (SELECT asset FROM resource WHERE digest = ?))"
    }
    if column.kind == .external {
      return "EXISTS (\(rows(column)) AND \(matches("title", isPath: false, test, text, folding)))"
    }
    guard access != .none, column == .keyword else {
      return "coalesce(\(matches(name(column), isPath: true, test, text, folding)), 0)"
    }
    let keywords = keywords(test, text, folding)
    return access == .lists
      ? "(id IN (SELECT asset FROM asset_keyword WHERE keyword IN (\(keywords))))"
      : """
      EXISTS (SELECT 1 FROM asset_keyword AS k WHERE k.asset = asset.id
        AND k.keyword IN (\(keywords)))
      """
  }

  mutating func keywords(
    _ test: PredicateNode.ListTest, _ text: String, _ folding: TextFolding
  ) -> String {
    "SELECT id FROM keyword WHERE \(matches("name", isPath: true, test, text, folding))"
  }

  /// The rows of other tables whose texts belong to an asset.
  func rows(_ column: FetchColumn) -> String {
    column == .album
      ? """
      SELECT 1 FROM member AS m JOIN collection AS c ON c.id = m.album
      WHERE m.asset = asset.id AND c.state = 0
      """ : "SELECT 1 FROM resource AS r WHERE r.asset = asset.id"
  }

  private mutating func matches(
    _ name: String, isPath: Bool, _ test: PredicateNode.ListTest, _ text: String,
    _ folding: TextFolding
  ) -> String {
    let (start, end) = ListText.bounds(test)
    values.append(.text(start + folding(text) + end))
    let column = isPath ? ListText.sql(name, for: text) : "'/' || \(name) || '/'"
    return "(instr(\(folding.sql(column)), ?) > 0)"
  }

  mutating func words(_ column: FetchColumn, _ query: WordQuery) -> String {
    guard !query.terms.isEmpty else { return "0" }
    if access != .none {
      let rows = query.rows(where: access == .lists ? nil : "w.rowid = asset.id")
      values += rows.values
      return access == .lists ? "(id IN (\(rows.text)))" : "EXISTS (\(rows.text))"
    }
    let text = name(column)
    let tests = query.terms.map { term in
      values.append(.text(term.pattern))
      return "instr(\(text), ?) > 0"
    }
    return "(\(tests.joined(separator: " AND ")))"
  }
}

extension PredicateNode {
  /// The statement that lists the matches of a condition in its search table; nil for others.
  var searchMatches: SQLFragment? {
    switch self {
    case .words(_, let text):
      let query = WordQuery(text)
      return query.terms.isEmpty ? nil : query.rows()
    case .list(.keyword, let test, let text, let folding) where !text.utf8.contains(0x0A):
      var compiler = PredicateCompiler(source: Asset.source, access: .lists)
      let keywords = compiler.keywords(test, text, folding)
      return SQLFragment(
        "SELECT 1 FROM asset_keyword WHERE keyword IN (\(keywords))", compiler.values)
    default: return nil
    }
  }
}

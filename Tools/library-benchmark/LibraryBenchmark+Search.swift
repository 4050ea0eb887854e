// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditLibrary
import PhotoEditSQLite

extension LibraryBenchmark {
  /// Searches for words, keywords and ratings, and counts the months.
  func measureSearch(_ measure: inout Measure) throws {
    func firstPage(_ name: String, _ terms: [String], limit: Double?) throws {
      var options = FetchOptions<Asset>(predicate: try FetchPredicate(search: terms))
      options.fetchLimit = 100
      var found = 0
      try measure.milliseconds("first 100: \(name)", limit: limit) {
        found = Array(try library.fetchAssets(options)).count
      }
      precondition(found == 100 || found > 0 && count < 1_000_000, "\(name): \(found)")
    }
    try firstPage("a word in 1 of 1,000 assets", ["harbor"], limit: 10)
    try firstPage("the beginning of a word in 1 of 1,000", ["harb*"], limit: 10)
    try firstPage("a word in 1 of 20 assets", ["title"], limit: nil)
    try firstPage("a word in every asset", ["img"], limit: nil)
    try firstPage("a keyword of 1 of 500 assets", ["keyword:Lisbon"], limit: 10)
    try firstPage(
      "word, keyword and rating", ["harbor", "rating:4..", "-keyword:draft"], limit: 10)
    try firstPage("a camera in every third asset", ["camera:x100"], limit: nil)
    for unit in [Timeline.Unit.day, .month, .year] {
      try measure.milliseconds("count by \(unit.rawValue)", limit: 50) {
        let timeline = try library.fetchTimeline(by: unit)
        precondition(timeline.count > count / 2)
      }
    }
    let month = FetchOptions<Asset>(predicate: try FetchPredicate(search: ["2005-06"]))
    try measure.milliseconds("the assets of a month", limit: 50) {
      let found = try library.fetchAssets(month)
      precondition(found.count > 0 || count < 1_000_000)
    }
    try measureTextSize(&measure)
  }

  /// Measures the share of the index in the database.
  private func measureTextSize(_ measure: inout Measure) throws {
    let connection = try Connection(url.path + "/library.db", .readOnly)
    func bytes(_ condition: String) throws -> Double {
      try connection.first("SELECT sum(pgsize) FROM dbstat WHERE \(condition)") { $0.real(0) } ?? 0
    }
    let index = try bytes("name LIKE 'asset\\_text%' ESCAPE '\\'")
    measure.add(
      "size of the full-text index", 100 * index / (try bytes("1") - index), "% of the rest",
      limit: nil)
  }
}

// SPDX-License-Identifier: Apache-2.0
import CPhotoEditAVFormat
import PhotoEditNumbers

/// The notation of text subtitles that are converted to timed text.
enum TextSubtitles: String {
  case subRip = "subrip"
  case plain = "text"
  case webVTT = "webvtt"

  /// Returns the text of a subtitle without markup, and whether there was any.
  func plainText(_ bytes: UnsafeBufferPointer<UInt8>) -> (text: String, isStyled: Bool) {
    let source = String(decoding: bytes, as: UTF8.self)
      .replacing("\r\n", with: "\n").replacing("\0", with: "")
    guard self != .plain else { return (source.trimmed, false) }
    var text = ""
    var isStyled = false
    var rest = source[...]
    while let mark = rest.firstIndex(where: { "<{&".contains($0) }) {
      text += rest[..<mark]
      rest = rest[mark...]
      if let length = markupLength(rest) {
        isStyled = true
        rest = rest.dropFirst(length)
      } else if let (character, length) = entity(rest) {
        text += character
        rest = rest.dropFirst(length)
      } else {
        text.append(rest.removeFirst())
      }
    }
    return ((text + rest).trimmed, isStyled)
  }

  /// Returns the length of the markup at the beginning; nil if it is not markup.
  private func markupLength(_ text: Substring) -> Int? {
    // SubRip has no specification; players know these elements, and the overrides of SSA.
    if self == .subRip, text.hasPrefix("{\\") { return Self.length(text, through: "}") }
    guard text.first == "<", let length = Self.length(text, through: ">") else { return nil }
    if self == .webVTT { return length }
    let name = text.dropFirst().drop { $0 == "/" }.prefix { $0.isLetter }.lowercased()
    return ["b", "font", "i", "s", "u"].contains(name) ? length : nil
  }

  private static func length(_ text: Substring, through end: Character) -> Int? {
    text.firstIndex(of: end).map { text.distance(from: text.startIndex, to: $0) + 1 }
  }

  /// Returns the character of a reference at the beginning, and the length of the reference.
  private func entity(_ text: Substring) -> (String, Int)? {
    guard self == .webVTT else { return nil }
    let match = Self.entities.first { text.hasPrefix($0.name) }
    return match.map { ($0.character, $0.name.count) }
  }

  /// W3C, WebVTT, 4.2.2.
  private static let entities: [(name: String, character: String)] = [
    ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&nbsp;", "\u{a0}"), ("&lrm;", "\u{200e}"),
    ("&rlm;", "\u{200f}"),
  ]
}

extension String {
  /// The text without empty space at its ends.
  fileprivate var trimmed: String {
    let start = drop { $0.isWhitespace }
    let end = start.lastIndex { !$0.isWhitespace }
    return end.map { String(start[...$0]) } ?? ""
  }
}

/// Converts the packets of one stream of subtitles, and notes what timed text does not hold.
final class TextConverter {
  private let subtitles: TextSubtitles
  private var isStyled = false
  private var isShortened = false
  private var overlaps = false
  private var isJoined = false
  /// The last text, whose end depends on the beginning of the next.
  private var waiting: Cue?

  init(_ subtitles: TextSubtitles) { self.subtitles = subtitles }

  /// A text and the packet with its times.
  struct Cue {
    var text: String
    var packet: pe_av_packet
  }

  /// Indicates whether a text waits for the next one.
  var isWaiting: Bool { waiting != nil }

  /// Adds a packet; returns the text before it, which ends where the new one begins at the latest.
  ///
  /// Texts that begin at the same time become one.
  func add(_ packet: pe_av_packet) -> Cue? {
    guard let text = text(of: packet) else { return nil }
    guard var last = waiting else {
      waiting = Cue(text: text, packet: packet)
      return nil
    }
    let (start, next) = (last.packet.presentation, packet.presentation)
    let end = start.addingSaturated(last.packet.duration)
    guard next > start else {
      isJoined = true
      last.text += "\n" + text
      let other = next.addingSaturated(packet.duration)
      last.packet.duration = max(end, other) &- start
      waiting = last
      return nil
    }
    if next < end {
      overlaps = true
      last.packet.duration = next &- start
    }
    waiting = Cue(text: text, packet: packet)
    return last
  }

  /// Returns the last text.
  func finish() -> Cue? { waiting.take() }

  /// Returns the text of a packet; nil if it has none.
  private func text(of packet: pe_av_packet) -> String? {
    let bytes = UnsafeBufferPointer(start: packet.data, count: Int(packet.size))
    let (text, isStyled) = subtitles.plainText(bytes)
    self.isStyled = self.isStyled || isStyled || packet.has_cue_settings != 0
    return text.isEmpty ? nil : text
  }

  /// Returns the sample for a text.
  ///
  /// - Source: 3GPP TS 26.245, 5.17: the length of the text, and the text in UTF-8.
  func sample(_ text: String) -> [UInt8] {
    var kept = text
    while kept.utf8.count > Int(UInt16.max) {
      isShortened = true
      kept.removeLast()
    }
    var sample: [UInt8] = []
    sample.append(u16: UInt16(clamping: kept.utf8.count))
    return sample + kept.utf8
  }

  /// Returns noun phrases for what was lost.
  func losses(of stream: String) -> [String] {
    [
      (isStyled, "styles and positions of \(stream)"),
      (overlaps, "texts of \(stream) that overlap, of which the earlier ones end early"),
      (isJoined, "texts of \(stream) that begin together, which are written as one"),
      (isShortened, "ends of texts of \(stream) longer than 65535 bytes"),
    ].filter(\.0).map(\.1)
  }
}

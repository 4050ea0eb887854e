// SPDX-License-Identifier: Apache-2.0
import CPhotoEditExpat

/// What stands in an XML document.
package enum XMLEvent {
  /// The beginning of an element; names have their prefixes.
  case start(name: String, attributes: [(name: String, value: String)])
  /// A piece of text, which is valid during the call.
  case text(UnsafeRawBufferPointer)
  case end
}

/// Why an XML document could not be read to its end; lines count from 1.
package enum XMLFlaw {
  /// Not well formed, or in an encoding that is not known; `reason` is what expat says.
  case malformed(line: Int, reason: String)
  /// A document type declaration, the only way to declare entities.
  case documentType(line: Int)
  case outOfMemory
}

/// Reads XML documents with expat; nothing outside of them is ever read.
package enum XMLReader {
  /// The version of expat that runs, such as "expat_2.5.0".
  package static var version: String { String(cString: pe_expat_version()) }

  /// Tells what stands in a document, in its order and with the line.
  ///
  /// - Parameter body: What takes the events; where it throws, the reading ends.
  /// - Returns: What is wrong behind the events that were told; nil for a whole document.
  package static func read<Failure: Error>(
    _ bytes: ArraySlice<UInt8>, _ body: (XMLEvent, _ line: Int) throws(Failure) -> Void
  ) throws(Failure) -> XMLFlaw? {
    var failure: Failure?
    func take(_ event: XMLEvent, _ line: Int) -> Bool {
      // Events are still told of the element at which the reading stops.
      guard failure == nil else { return false }
      do throws(Failure) { try body(event, line) } catch { failure = error }
      return failure == nil
    }
    let flaw = withoutActuallyEscaping(take) { parse(bytes, Listener($0)) }
    if let failure { throw failure }
    return flaw
  }

  private static func parse(_ bytes: ArraySlice<UInt8>, _ listener: Listener) -> XMLFlaw? {
    var handlers = pe_expat_handlers(
      context: Unmanaged.passUnretained(listener).toOpaque(),
      start: { context, name, attributes, line in
        Listener.tell(
          context,
          .start(
            name: name.map { String(cString: $0) } ?? "", attributes: XMLReader.pairs(attributes)),
          line)
      },
      text: { context, text, count, line in
        Listener.tell(context, .text(UnsafeRawBufferPointer(start: text, count: count)), line)
      },
      end: { context, _, line in Listener.tell(context, .end, line) })
    var line = 0
    var message: UnsafePointer<CChar>?
    let status = withExtendedLifetime(listener) {
      bytes.withUnsafeBufferPointer {
        pe_expat_parse($0.baseAddress, $0.count, &handlers, &line, &message)
      }
    }
    return switch Int(status) {
    case Int(PE_EXPAT_OK), Int(PE_EXPAT_STOPPED): nil
    case Int(PE_EXPAT_DOCTYPE): .documentType(line: line)
    case Int(PE_EXPAT_MALFORMED):
      .malformed(line: line, reason: message.map { String(cString: $0) } ?? "")
    default: .outOfMemory
    }
  }

  private static func pairs(
    _ attributes: UnsafePointer<UnsafePointer<CChar>?>?
  ) -> [(name: String, value: String)] {
    guard var pair = attributes else { return [] }
    var pairs: [(String, String)] = []
    while let name = pair[0], let value = pair[1] {
      pairs.append((String(cString: name), String(cString: value)))
      pair += 2
    }
    return pairs
  }

  /// What carries the taker of events through C.
  private final class Listener {
    private let take: (XMLEvent, Int) -> Bool

    init(_ take: @escaping (XMLEvent, Int) -> Bool) { self.take = take }

    /// Tells an event to the listener behind a pointer; gives what expat takes for "go on".
    static func tell(_ context: UnsafeMutableRawPointer?, _ event: XMLEvent, _ line: Int) -> CInt {
      guard let context else { return 1 }
      return Unmanaged<Listener>.fromOpaque(context).takeUnretainedValue().take(event, line) ? 0 : 1
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import CPhotoEditExpat

/// An item of an XML document.
package enum XMLEvent {
  /// The beginning of an element; names include their prefixes.
  case start(name: String, attributes: [(name: String, value: String)])
  /// A piece of text, valid only during the call.
  case text(UnsafeRawBufferPointer)
  case end
}

/// The reason why an XML document could not be read to its end; lines count from 1.
package enum XMLFlaw {
  /// Not well-formed, or in an unknown encoding; `reason` is expat's message.
  case malformed(line: Int, reason: String)
  /// A document type declaration, the only way to declare entities.
  case documentType(line: Int)
  case outOfMemory
}

/// Reads XML documents with expat; nothing outside the documents is ever read.
package enum XMLReader {
  /// The version of the loaded expat library, such as "expat_2.5.0".
  package static var version: String { String(cString: pe_expat_version()) }

  /// Passes the items of a document to a closure, in order and with their lines.
  ///
  /// - Parameter body: Receives the events; reading stops if it throws.
  /// - Returns: The error after the reported events; nil if the entire document was read.
  package static func read<Failure: Error>(
    _ bytes: ArraySlice<UInt8>, _ body: (XMLEvent, _ line: Int) throws(Failure) -> Void
  ) throws(Failure) -> XMLFlaw? {
    var failure: Failure?
    func handle(_ event: XMLEvent, _ line: Int) -> Bool {
      // The remaining events of the element at which reading stops are still passed on.
      guard failure == nil else { return false }
      do throws(Failure) { try body(event, line) } catch { failure = error }
      return failure == nil
    }
    let flaw = withoutActuallyEscaping(handle) { parse(bytes, Listener($0)) }
    if let failure { throw failure }
    return flaw
  }

  private static func parse(_ bytes: ArraySlice<UInt8>, _ listener: Listener) -> XMLFlaw? {
    var handlers = pe_expat_handlers(
      context: Unmanaged.passUnretained(listener).toOpaque(),
      start: { context, name, attributes, line in
        Listener.notify(
          context,
          .start(
            name: name.map { String(cString: $0) } ?? "", attributes: XMLReader.pairs(attributes)),
          line)
      },
      text: { context, text, count, line in
        Listener.notify(context, .text(UnsafeRawBufferPointer(start: text, count: count)), line)
      },
      end: { context, _, line in Listener.notify(context, .end, line) })
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

  /// Carries the event handler through C.
  private final class Listener {
    private let handle: (XMLEvent, Int) -> Bool

    init(_ handle: @escaping (XMLEvent, Int) -> Bool) { self.handle = handle }

    /// Passes an event to the listener at a pointer; returns 0 for expat to continue.
    static func notify(_ context: UnsafeMutableRawPointer?, _ event: XMLEvent, _ line: Int) -> CInt
    {
      guard let context else { return 1 }
      return Unmanaged<Listener>.fromOpaque(context).takeUnretainedValue().handle(event, line)
        ? 0 : 1
    }
  }
}

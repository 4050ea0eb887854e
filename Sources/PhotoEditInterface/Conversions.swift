// SPDX-License-Identifier: Apache-2.0
import CPhotoEditInterface
import PhotoEditPixels
import PhotoEditPlatform
import PhotoEditTool

/// A text in memory that is never freed.
struct PermanentText: @unchecked Sendable {
  // Safe: never written after its creation.
  let pointer: UnsafePointer<CChar>

  init(_ text: String) { pointer = UnsafePointer(strdup(text)) }
}

let versionText = PermanentText(Program.version)

// MARK: Calls

/// Performs a call and writes its failure; returns its exit code.
///
/// - Parameter usesThreads: Whether it binds the library to this process.
func call(
  _ error: UnsafeMutablePointer<photoedit_error>?, usesThreads: Bool = true,
  _ body: () throws(CommandFailure) -> Void
) -> Int32 {
  error?.pointee = photoedit_error()
  do throws(CommandFailure) {
    if usesThreads { try OwnProcess.check() }
    try body()
    return 0
  } catch let failure {
    error?.pointee = photoedit_error(
      exit: failure.exitCode.rawValue, code: strdup(failure.code),
      message: strdup(failure.message), hint: failure.hint.flatMap { strdup($0) })
    return failure.exitCode.rawValue
  }
}

/// Creates an object and writes its handle.
func open<Object: Sendable>(
  _ handle: UnsafeMutablePointer<UInt64>?, _ error: UnsafeMutablePointer<photoedit_error>?,
  _ body: () throws(CommandFailure) -> Object
) -> Int32 {
  handle?.pointee = 0
  return call(error) { () throws(CommandFailure) in
    guard let handle else { throw .missing("handle") }
    handle.pointee = Handles.add(try body())
  }
}

/// Performs an operation and writes its file and its report.
func result(
  _ file: UnsafeMutablePointer<photoedit_bytes>?, _ report: UnsafeMutablePointer<photoedit_bytes>?,
  _ error: UnsafeMutablePointer<photoedit_error>?,
  _ body: () throws(CommandFailure) -> EmbeddedImage.Result
) -> Int32 {
  file?.pointee = photoedit_bytes()
  report?.pointee = photoedit_bytes()
  return call(error) { () throws(CommandFailure) in
    let result = try body()
    try write(result.file, to: file)
    if let report { try write(result.report().utf8, to: report) }
  }
}

// MARK: Arguments

/// Reads a text.
func string(_ text: UnsafePointer<CChar>?, _ name: String) throws(CommandFailure) -> String {
  guard let text else { throw .missing(name) }
  guard let string = String(validatingCString: text) else {
    throw .argument("\(name): '\(String(cString: text))' is not valid UTF-8")
  }
  return string
}

/// Reads an array of texts that ends with NULL; NULL is an empty array.
func strings(
  _ texts: UnsafePointer<UnsafePointer<CChar>?>?, _ name: String
) throws(CommandFailure) -> [String] {
  guard var next = texts else { return [] }
  var strings: [String] = []
  while let text = next.pointee {
    strings.append(try string(text, "\(name)[\(strings.count)]"))
    next += 1
  }
  return strings
}

/// Copies bytes; nil for NULL.
func bytes(
  _ data: UnsafeRawPointer?, _ size: Int, _ name: String
) throws(CommandFailure) -> [UInt8]? {
  guard let data else {
    guard size == 0 else { throw .argument("\(name): is NULL, but its size is \(size)") }
    return nil
  }
  guard size >= 0, size <= 4 << 30 else {
    throw .argument("\(name): is larger than \(4 << 30) bytes")
  }
  return [UInt8](UnsafeRawBufferPointer(start: data, count: size))
}

// MARK: Results

/// Copies bytes to memory of the caller.
func write(
  _ bytes: some Collection<UInt8>, to target: UnsafeMutablePointer<photoedit_bytes>?
) throws(CommandFailure) {
  guard let target else { return }
  let count = bytes.count
  guard let data = malloc(count + 1)?.assumingMemoryBound(to: UInt8.self) else {
    throw .noMemory
  }
  _ = UnsafeMutableBufferPointer(start: data, count: count).update(fromContentsOf: bytes)
  data[count] = 0
  target.pointee = photoedit_bytes(data: data, size: count)
}

/// Copies pixels to memory of the caller.
func write<Sample: PixelSample>(
  _ buffer: PixelBuffer<Sample>, sample: UInt32,
  to target: UnsafeMutablePointer<photoedit_pixels>
) throws(CommandFailure) {
  let size = buffer.samples.count * MemoryLayout<Sample>.stride
  guard let data = malloc(max(size, 1)) else { throw .noMemory }
  buffer.samples.withUnsafeBytes {
    UnsafeMutableRawBufferPointer(start: data, count: size).copyMemory(from: $0)
  }
  var icc = photoedit_bytes()
  if let profile = buffer.colorSpace.icc {
    do throws(CommandFailure) {
      try write(profile, to: &icc)
    } catch {
      free(data)
      throw error
    }
  }
  target.pointee = photoedit_pixels(
    width: UInt32(clamping: buffer.size.width), height: UInt32(clamping: buffer.size.height),
    channels: UInt32(clamping: buffer.channels.count), sample: sample,
    stride: buffer.size.width * buffer.channels.count * MemoryLayout<Sample>.stride, data: data,
    icc: icc.data, icc_size: icc.size)
}

extension CommandFailure {
  static var noMemory: Self {
    CommandFailure(.busy, "out of memory", hint: "try again later", code: "outOfMemory")
  }
}

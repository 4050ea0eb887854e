// SPDX-License-Identifier: Apache-2.0
public import CPhotoEditInterface
import PhotoEditPixels
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTool

// The functions of photoedit.h, which documents them. Each converts its arguments, calls one function
// of `PhotoEditTool`, and writes the results; nothing else is decided here.

/// Implements `photoedit_abi_version`.
@_cdecl("photoedit_abi_version")
public func photoeditABIVersion() -> Int32 { PHOTOEDIT_ABI_VERSION }

/// Implements `photoedit_version`.
@_cdecl("photoedit_version")
public func photoeditVersion() -> UnsafePointer<CChar> { versionText.pointer }

/// Implements `photoedit_set_decoder`.
@_cdecl("photoedit_set_decoder")
public func photoeditSetDecoder(
  _ program: UnsafePointer<CChar>?, _ error: UnsafeMutablePointer<photoedit_error>?
) -> Int32 {
  // No thread is started, so that a child of fork() may still be the first to use the library.
  call(error, usesThreads: false) { () throws(CommandFailure) in
    EmbeddedProgram.setDecoder(program == nil ? nil : try string(program, "program"))
  }
}

// MARK: Results

/// Implements `photoedit_error_clear`.
@_cdecl("photoedit_error_clear")
public func photoeditErrorClear(_ error: UnsafeMutablePointer<photoedit_error>?) {
  guard let error else { return }
  for text in [error.pointee.code, error.pointee.message, error.pointee.hint] { free(text) }
  error.pointee = photoedit_error()
}

/// Implements `photoedit_bytes_clear`.
@_cdecl("photoedit_bytes_clear")
public func photoeditBytesClear(_ bytes: UnsafeMutablePointer<photoedit_bytes>?) {
  free(bytes?.pointee.data)
  bytes?.pointee = photoedit_bytes()
}

/// Implements `photoedit_pixels_clear`.
@_cdecl("photoedit_pixels_clear")
public func photoeditPixelsClear(_ pixels: UnsafeMutablePointer<photoedit_pixels>?) {
  free(pixels?.pointee.data)
  free(pixels?.pointee.icc)
  pixels?.pointee = photoedit_pixels()
}

// MARK: Cancellation

/// Implements `photoedit_cancellation_create`.
@_cdecl("photoedit_cancellation_create")
public func photoeditCancellationCreate() -> UInt64 { Handles.add(Cancellation()) }

/// Implements `photoedit_cancellation_cancel`.
@_cdecl("photoedit_cancellation_cancel")
public func photoeditCancellationCancel(_ cancellation: UInt64) -> Int32 {
  call(nil) { () throws(CommandFailure) in
    try Handles.object(cancellation, Cancellation.self).cancel(.interrupted)
  }
}

/// Implements `photoedit_cancellation_free`.
@_cdecl("photoedit_cancellation_free")
public func photoeditCancellationFree(_ cancellation: UInt64) -> Int32 {
  call(nil) { () throws(CommandFailure) in
    try Handles.remove(cancellation, Cancellation.self)
  }
}

// MARK: Commands

/// Implements `photoedit_run`.
@_cdecl("photoedit_run")
public func photoeditRun(
  _ arguments: UnsafePointer<UnsafePointer<CChar>?>?, _ input: UnsafeRawPointer?,
  _ inputSize: Int, _ cancellation: UInt64,
  _ receiver: (
    @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<UInt8>?, Int) -> Int32
  )?, _ context: UnsafeMutableRawPointer?, _ output: UnsafeMutablePointer<photoedit_bytes>?,
  _ messages: UnsafeMutablePointer<photoedit_bytes>?,
  _ error: UnsafeMutablePointer<photoedit_error>?
) -> Int32 {
  output?.pointee = photoedit_bytes()
  messages?.pointee = photoedit_bytes()
  return call(error) { () throws(CommandFailure) in
    let arguments = try strings(arguments, "arguments")
    let input = try bytes(input, inputSize, "input") ?? []
    let cancellation = try Handles.cancellation(cancellation)
    let outcome =
      if let receiver {
        EmbeddedProgram.runElsewhere(arguments, input: input, cancellation: cancellation) { bytes in
          bytes.withUnsafeBufferPointer { receiver(context, $0.baseAddress, $0.count) == 0 }
        }
      } else {
        EmbeddedProgram.run(arguments, input: input, cancellation: cancellation)
      }
    try write(outcome.output, to: output)
    try write(outcome.messages, to: messages)
    if let failure = outcome.failure { throw failure }
  }
}

// MARK: Libraries

/// Implements `photoedit_library_open`.
@_cdecl("photoedit_library_open")
public func photoeditLibraryOpen(
  _ folder: UnsafePointer<CChar>?, _ library: UnsafeMutablePointer<UInt64>?,
  _ error: UnsafeMutablePointer<photoedit_error>?
) -> Int32 {
  open(library, error) { () throws(CommandFailure) in
    try EmbeddedLibrary(string(folder, "folder"))
  }
}

/// Implements `photoedit_library_close`.
@_cdecl("photoedit_library_close")
public func photoeditLibraryClose(_ library: UInt64) -> Int32 {
  call(nil) { () throws(CommandFailure) in
    try Handles.remove(library, EmbeddedLibrary.self).finish()
  }
}

// MARK: Images

/// Implements `photoedit_image_open`.
@_cdecl("photoedit_image_open")
public func photoeditImageOpen(
  _ path: UnsafePointer<CChar>?, _ options: UnsafePointer<UnsafePointer<CChar>?>?,
  _ image: UnsafeMutablePointer<UInt64>?, _ error: UnsafeMutablePointer<photoedit_error>?
) -> Int32 {
  open(image, error) { () throws(CommandFailure) in
    try EmbeddedImage(path: string(path, "path"), options: strings(options, "options"))
  }
}

/// Implements `photoedit_image_open_bytes`.
@_cdecl("photoedit_image_open_bytes")
public func photoeditImageOpenBytes(
  _ data: UnsafeRawPointer?, _ size: Int, _ options: UnsafePointer<UnsafePointer<CChar>?>?,
  _ image: UnsafeMutablePointer<UInt64>?, _ error: UnsafeMutablePointer<photoedit_error>?
) -> Int32 {
  open(image, error) { () throws(CommandFailure) in
    guard let data = try bytes(data, size, "data") else { throw .missing("data") }
    return try EmbeddedImage(bytes: FileBytes(data), options: strings(options, "options"))
  }
}

/// Implements `photoedit_image_open_pixels`.
@_cdecl("photoedit_image_open_pixels")
public func photoeditImageOpenPixels(
  _ pixels: UnsafePointer<photoedit_pixels>?, _ options: UnsafePointer<UnsafePointer<CChar>?>?,
  _ image: UnsafeMutablePointer<UInt64>?, _ error: UnsafeMutablePointer<photoedit_error>?
) -> Int32 {
  open(image, error) { () throws(CommandFailure) in
    let pixels = try ReceivedPixels(pixels)
    return try EmbeddedImage(
      pixels: pixels.image, profile: pixels.profile, options: strings(options, "options"))
  }
}

/// Implements `photoedit_image_free`.
@_cdecl("photoedit_image_free")
public func photoeditImageFree(_ image: UInt64) -> Int32 {
  call(nil) { () throws(CommandFailure) in try Handles.remove(image, EmbeddedImage.self) }
}

/// Implements `photoedit_image_inspect`.
@_cdecl("photoedit_image_inspect")
public func photoeditImageInspect(
  _ image: UInt64, _ report: UnsafeMutablePointer<photoedit_bytes>?,
  _ error: UnsafeMutablePointer<photoedit_error>?
) -> Int32 {
  report?.pointee = photoedit_bytes()
  return call(error) { () throws(CommandFailure) in
    try write(Handles.object(image, EmbeddedImage.self).inspect().utf8, to: report)
  }
}

/// Implements `photoedit_image_render`.
@_cdecl("photoedit_image_render")
public func photoeditImageRender(
  _ image: UInt64, _ graph: UnsafeRawPointer?, _ graphSize: Int,
  _ options: UnsafePointer<UnsafePointer<CChar>?>?, _ cancellation: UInt64,
  _ file: UnsafeMutablePointer<photoedit_bytes>?,
  _ report: UnsafeMutablePointer<photoedit_bytes>?, _ error: UnsafeMutablePointer<photoedit_error>?
) -> Int32 {
  result(file, report, error) { () throws(CommandFailure) in
    try Handles.object(image, EmbeddedImage.self).render(
      graph: bytes(graph, graphSize, "graph"), options: strings(options, "options"),
      cancellation: Handles.cancellation(cancellation))
  }
}

/// Implements `photoedit_image_render_pixels`.
@_cdecl("photoedit_image_render_pixels")
public func photoeditImageRenderPixels(
  _ image: UInt64, _ graph: UnsafeRawPointer?, _ graphSize: Int,
  _ options: UnsafePointer<UnsafePointer<CChar>?>?, _ sample: UInt32, _ cancellation: UInt64,
  _ pixels: UnsafeMutablePointer<photoedit_pixels>?, _ error: UnsafeMutablePointer<photoedit_error>?
) -> Int32 {
  pixels?.pointee = photoedit_pixels()
  return call(error) { () throws(CommandFailure) in
    guard let pixels else { throw .missing("pixels") }
    let image = try Handles.object(image, EmbeddedImage.self)
    func render<Sample: PixelSample>(_ type: Sample.Type) throws(CommandFailure) {
      let buffer = try image.pixels(
        type, graph: bytes(graph, graphSize, "graph"), options: strings(options, "options"),
        cancellation: Handles.cancellation(cancellation))
      try write(buffer, sample: sample, to: pixels)
    }
    switch sample {
    case 8: try render(UInt8.self)
    case 16: try render(UInt16.self)
    case 32: try render(Float.self)
    default: throw .sample(sample)
    }
  }
}

/// Implements `photoedit_image_encode`.
@_cdecl("photoedit_image_encode")
public func photoeditImageEncode(
  _ image: UInt64, _ pixels: UnsafePointer<photoedit_pixels>?,
  _ options: UnsafePointer<UnsafePointer<CChar>?>?, _ cancellation: UInt64,
  _ file: UnsafeMutablePointer<photoedit_bytes>?,
  _ report: UnsafeMutablePointer<photoedit_bytes>?, _ error: UnsafeMutablePointer<photoedit_error>?
) -> Int32 {
  result(file, report, error) { () throws(CommandFailure) in
    let (image, pixels) = (
      try Handles.object(image, EmbeddedImage.self), try ReceivedPixels(pixels)
    )
    func encode<Sample: PixelSample>(
      _ samples: [Sample]
    ) throws(CommandFailure) -> EmbeddedImage.Result {
      try image.encode(
        samples, pixels.size, pixels.channels, profile: pixels.profile,
        options: strings(options, "options"), cancellation: Handles.cancellation(cancellation))
    }
    return switch pixels.samples {
    case .bytes(let samples): try encode(samples)
    case .words(let samples): try encode(samples)
    case .floats(let samples): try encode(samples)
    }
  }
}

/// Implements `photoedit_image_thumbnail`.
@_cdecl("photoedit_image_thumbnail")
public func photoeditImageThumbnail(
  _ image: UInt64, _ options: UnsafePointer<UnsafePointer<CChar>?>?, _ cancellation: UInt64,
  _ file: UnsafeMutablePointer<photoedit_bytes>?,
  _ report: UnsafeMutablePointer<photoedit_bytes>?, _ error: UnsafeMutablePointer<photoedit_error>?
) -> Int32 {
  result(file, report, error) { () throws(CommandFailure) in
    try Handles.object(image, EmbeddedImage.self).thumbnail(
      options: strings(options, "options"), cancellation: Handles.cancellation(cancellation))
  }
}

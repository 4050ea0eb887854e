// SPDX-License-Identifier: Apache-2.0
import CPhotoEditSystem
import PhotoEditPlatform
import PhotoEditStorage

/// The program that decodes in a confined process: this one, started again under another name.
///
/// A program that uses the library calls ``runIfStarted(_:)`` first. Without that call, and without
/// a path, images are decoded in the process itself unless the policy is `require`.
public enum DecoderProgram {
  /// The first argument of a started process.
  static let name = "photoedit-decoder"

  /// Decodes for another process, and then ends this one, if it was started for that; otherwise
  /// the running program becomes the one to start.
  ///
  /// Must be called before other threads start, and before arguments are interpreted.
  ///
  /// - Parameter services: What it decodes in addition to images: `.video` of PhotoEditVideo.
  public static func runIfStarted(_ services: DecoderService...) {
    let arguments = CommandLine.arguments
    guard arguments.first == name, arguments.count == 3 else {
      return standard.withLock { $0.path = $0.path ?? "/proc/self/exe" }
    }
    let images = DecoderLibrary.allCases.map(DecoderServer.service)
    guard let service = (images + services).first(where: { $0.name == arguments[1] }) else {
      exit(EX_USAGE)
    }
    DecoderSocket.run(service, usesLandlock: arguments[2] == "landlock")
  }

  /// The path of the program to start; nil if none is known.
  ///
  /// It must call ``runIfStarted(_:)`` first, as `photoedit` of the same version does. Images are
  /// refused with `CodecError.notConfined` if a program that was set cannot be started.
  public static var path: String? {
    get { standard.withLock { $0.path } }
    set {
      standard.withLock {
        $0.path = newValue
        $0.isNamed = newValue != nil
      }
    }
  }

  /// The way in which processes are started and ended.
  package struct Configuration: Sendable, Hashable {
    /// The program; nil if images are decoded in this process.
    package var path: String?
    /// Indicates whether a client named the program, which must then be started.
    package var isNamed = false
    /// Seconds without an answer after which a process is ended; one is added for each megapixel.
    package var timeout = 60
    /// The number of images after which a process is replaced, since decoders leak memory.
    package var maximumImages = 32
    /// Indicates whether a started process uses Landlock if the kernel has it.
    package var usesLandlock = true

    package init(path: String?) { self.path = path }
  }

  /// The configuration for images whose options have none.
  static let standard = LockedValue(Configuration(path: nil))

  /// The protection of a confined process by the kernel.
  public struct Confinement: Sendable, Hashable {
    /// Indicates whether the kernel refuses all system calls but those for memory, threads and the
    /// socket.
    ///
    /// Without that, the process is separate, but not confined.
    public let filtersCalls: Bool
    /// The version of Landlock, which denies files independently; 0 without it.
    public let landlock: Int
  }

  /// Starts a process and returns how it is confined.
  ///
  /// - Throws: `CodecError.notConfined` if none can be started.
  public static func confinement() throws(CodecError) -> Confinement {
    try DecoderProcess.start(DecoderLibrary.gif.rawValue, standard.withLock { $0 }).confinement
  }

  /// Lets a confined process attempt all that it must not be able to do, and returns the error
  /// number of each; nil if it was permitted.
  ///
  /// - Throws: `CodecError.notConfined` if none can be started.
  package static func attempts(
    _ configuration: Configuration? = nil
  ) throws(CodecError) -> [(action: String, error: Int32?)] {
    let process = try DecoderProcess.start(
      DecoderLibrary.gif.rawValue, configuration ?? standard.withLock { $0 })
    var attempts: [(action: String, error: Int32?)] = []
    for index in 0..<pe_attempt_count() {
      attempts.append((String(cString: pe_attempt_name(index)), try process.attempt(index)))
    }
    return attempts
  }

  /// The processor time of all confined processes so far, in microseconds, and the largest resident
  /// size of one, in KiB.
  package static var usage: (processorTime: Int, peakKiB: Int) { DecoderProcess.usage }
}

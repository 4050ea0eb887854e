// SPDX-License-Identifier: Apache-2.0
import CPhotoEditSystem
package import PhotoEditPixels
import PhotoEditPlatform
package import PhotoEditStorage

/// A process that decodes, seen from the one that started it; ended along with this object.
package final class DecoderProcess: @unchecked Sendable {
  // Safe: used by one thread at a time, and by none while it is idle.

  /// The protection of the process.
  private(set) var confinement = DecoderProgram.Confinement(filtersCalls: false, landlock: 0)

  /// The name of what it decodes.
  private let service: String
  let process: pid_t
  private let socket: Int32
  private let configuration: DecoderProgram.Configuration
  /// The process that started it, since a fork has the same objects.
  private let starter = getpid()
  /// The number of the current image, which each answer must state.
  package private(set) var picture = 0
  private var isEnded = false
  /// The image that the process has opened, until its pixels are decoded.
  var held: HeldImage?
  /// The memory for rows, which is kept for the next image.
  var memory: MappedSlots?
  private var limit: (memory: Int, file: Int)?
  private var buffer = [UInt8](repeating: 0, count: DecoderMessage.capacity)

  /// Milliseconds after which a waiting thread asks whether it is canceled.
  private static let slice: Int32 = 50
  /// The memory of a process beside that of its images: stacks, and reservations of the C library.
  private static let overhead = 1 << 30

  /// Additional seconds for the start of a program on a busy machine.
  private static let secondsToStart = 30

  private static let idle = LockedValue<[DecoderProcess]>([])

  init(
    _ service: String, _ process: pid_t, _ socket: Int32,
    _ configuration: DecoderProgram.Configuration
  ) {
    (self.service, self.process, self.socket) = (service, process, socket)
    self.configuration = configuration
    pe_limit_waiting(socket, Self.slice)
    _ = Self.accounts.withLock { $0.running.insert(process) }
  }

  deinit { end() }

  // MARK: Start and end

  /// Returns an idle process or a new one; nil if images are to be decoded in this process.
  ///
  /// - Parameter file: A file that an idle process may have open.
  /// - Throws: `CodecError.notConfined` if the policy requires what is not possible, or if a program
  ///   was named that is no decoder, since no result would show its absence.
  package static func ready(
    for service: String, _ options: DecoderOptions, file: FileBytes? = nil
  ) throws(CodecError) -> DecoderProcess? {
    let policy = options.sandbox ?? .standard
    guard policy != .off else { return nil }
    let configuration = options.program ?? DecoderProgram.standard.withLock { $0 }
    let process: DecoderProcess
    do throws(CodecError) {
      if let idle = takeIdle(service, configuration, file) {
        process = idle
      } else {
        process = try start(service, configuration)
      }
    } catch .notConfined where policy == .auto && !configuration.isNamed {
      return nil
    }
    guard policy != .require || process.confinement.filtersCalls else {
      throw .notConfined("the kernel does not filter its system calls")
    }
    return process
  }

  private static func takeIdle(
    _ service: String, _ configuration: DecoderProgram.Configuration, _ file: FileBytes?
  ) -> DecoderProcess? {
    let current = getpid()
    let copy = file?.sharedCopy()
    // All others are ended outside of the lock.
    var unusable: [DecoderProcess] = []
    return idle.withLock { idle in
      while true {
        if let index = idle.firstIndex(where: { $0.starter != current }) {
          unusable.append(idle.remove(at: index))
          continue
        }
        let fitting = idle.indices.filter {
          idle[$0].service == service && idle[$0].configuration == configuration
        }
        // An image that is open will be decoded soon, unless many are.
        let index =
          fitting.last { copy != nil && idle[$0].held?.file === copy }
          ?? fitting.last { idle[$0].held?.file == nil }
          ?? (fitting.count < ThreadGroup.cores ? nil : fitting.first)
        guard let index else { return nil }
        let process = idle.remove(at: index)
        if process.isSilent { return process }
        unusable.append(process)
      }
    }
  }

  /// Indicates whether the process lives and waits for a request, as an idle one should.
  var isSilent: Bool {
    var poll = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    return PhotoEditPlatform.poll(&poll, 1, 0) == 0
  }

  /// Starts a process and waits until it is confined.
  ///
  /// - Throws: `CodecError.notConfined` if the program cannot decode; another error if the system
  ///   has no process left, which is no reason to do without one.
  static func start(
    _ service: String, _ configuration: DecoderProgram.Configuration
  ) throws(CodecError) -> DecoderProcess {
    guard let path = configuration.path else {
      throw .notConfined("this program does not start decoders")
    }
    let words = [
      DecoderProgram.name, service, configuration.usesLandlock ? "landlock" : "none",
    ]
    var arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var process: pid_t = 0
    let socket = pe_start_process(path, &arguments, &process)
    guard socket >= 0 else {
      if errno == ENOMEM { throw .outOfMemory }
      if [EAGAIN, EMFILE, ENFILE].contains(errno) { throw .noThreads }
      throw .notConfined("cannot start \(path): \(String(cString: strerror(errno)))")
    }
    let started = DecoderProcess(service, process, socket, configuration)
    do throws(CodecError) {
      var answer = try started.answer(.ready, extraSeconds: secondsToStart)
      started.confinement = DecoderProgram.Confinement(
        filtersCalls: try answer.flag(), landlock: try answer.number(in: 0...1000))
    } catch {
      throw .notConfined("\(path) is not a decoder of \(service)")
    }
    return started
  }

  /// Keeps the process for the next image, unless it has decoded many.
  package func rest() {
    guard !isEnded, picture < configuration.maximumImages || held != nil else {
      end()
      return
    }
    // The oldest one is ended outside of the lock.
    _ = Self.idle.withLock { idle in
      idle.append(self)
      for process in idle { process.letGo() }
      return idle.count > max(4, ThreadGroup.cores) ? idle.removeFirst() : nil
    }
  }

  /// Ends the process and returns how it ended, as a clause with its subject.
  @discardableResult
  package func end() -> String {
    guard !isEnded else { return "its decoder has ended" }
    isEnded = true
    close(socket)
    // A fork must not end what belongs to its parent.
    guard starter == getpid() else { return "its decoder belongs to another process" }
    var (processorTime, peak): (Int64, Int64) = (0, 0)
    let status = pe_end_process(process, &processorTime, &peak)
    Self.accounts.withLock { $0.close(process, Int(processorTime), Int(peak)) }
    return Self.reason(status)
  }

  // MARK: Usage

  /// The usage of all processes.
  private struct Accounts {
    var running: Set<pid_t> = []
    var (processorTime, peakKiB) = (0, 0)

    mutating func close(_ process: pid_t, _ processorTime: Int, _ peakKiB: Int) {
      running.remove(process)
      add(processorTime, peakKiB)
    }

    mutating func add(_ processorTime: Int, _ peakKiB: Int) {
      self.processorTime += processorTime
      self.peakKiB = max(self.peakKiB, peakKiB)
    }
  }

  private static let accounts = LockedValue(Accounts())

  /// The processor time of all processes in microseconds, and the largest resident size in KiB.
  static var usage: (processorTime: Int, peakKiB: Int) {
    var all = accounts.withLock { $0 }
    for process in all.running {
      var (processorTime, peak): (Int64, Int64) = (0, 0)
      pe_process_usage(process, &processorTime, &peak)
      all.add(Int(processorTime), Int(peak))
    }
    return (all.processorTime, all.peakKiB)
  }

  /// Describes a wait status.
  private static func reason(_ status: Int32) -> String {
    let signal = status & 0x7F
    switch (status, signal) {
    case (-1, _), (_, 0): return "its decoder exited"
    case (_, SIGSEGV): return "its decoder crashed (SIGSEGV)"
    case (_, SIGBUS): return "its decoder crashed (SIGBUS)"
    case (_, SIGFPE): return "its decoder crashed (SIGFPE)"
    case (_, SIGABRT), (_, SIGILL), (_, SIGTRAP):
      return "its decoder stopped; it may need more memory than its header states"
    case (_, SIGXCPU): return "its decoder took too much time"
    default: return "its decoder was ended by signal \(signal)"
    }
  }

  // MARK: Messages

  /// Begins another image.
  ///
  /// - Parameters:
  ///   - memory: The memory that decoding it may take.
  ///   - file: The size of the file.
  package func begin(memory: Int, file: Int) {
    picture += 1
    held = nil
    // Memory that the process keeps of earlier images counts. Sizes are rounded, so that most files
    // need no other limit than the one before.
    let file = (file >> 24 + 1) << 24
    if let limit, limit.memory == memory, limit.file >= file { return }
    let (most, overflow) = memory.addingReportingOverflow(Self.overhead + file)
    // Fails only for a process that has ended.
    if !overflow { pe_limit_process(process, Int64(most)) }
    limit = (memory, file)
  }

  /// Sends a further request about the image.
  package func send(
    _ request: DecoderMessage.Request, _ numbers: [Int] = [], with memory: SharedMemory? = nil
  ) -> Bool {
    var message = DecoderMessageWriter(request, picture: picture)
    for number in numbers { message.write(number) }
    return send(message, memory)
  }

  /// Sends a message; returns false if the process has ended.
  package func send(
    _ message: DecoderMessageWriter, _ first: SharedMemory?, _ second: SharedMemory? = nil
  ) -> Bool {
    // The number of a closed socket may belong to another one.
    guard !isEnded else { return false }
    return message.bytes.withUnsafeBytes {
      pe_send_message(
        socket, $0.baseAddress, $0.count, first?.descriptor ?? -1, second?.descriptor ?? -1) == 0
    }
  }

  /// Waits for an answer of some kind, and returns its fields.
  ///
  /// - Parameters:
  ///   - size: The size of the image, if it is known; large ones may take longer.
  ///   - extraSeconds: Seconds in addition to those of the configuration.
  /// - Throws: The error of the decoder, or `CodecError.decoderFailed`.
  package func answer(
    _ kind: DecoderMessage.Answer, size: PixelSize? = nil, extraSeconds: Int = 0,
    isCancelled: (@Sendable () -> Bool)? = nil
  ) throws(CodecError) -> DecoderMessageReader {
    let megapixels = (size?.pixelCount ?? 0) / 1_000_000
    let seconds = configuration.timeout + megapixels + extraSeconds
    let start = ContinuousClock.now
    while true {
      var descriptors: (first: Int32, second: Int32) = (-1, -1)
      let count = buffer.withUnsafeMutableBytes {
        pe_receive_message(
          socket, $0.baseAddress, $0.count, &descriptors.first, &descriptors.second)
      }
      let error = errno
      // A process that is confined has none to send.
      if descriptors.first >= 0 { close(descriptors.first) }
      if descriptors.second >= 0 { close(descriptors.second) }
      // The fields have memory of their own, so that the buffer is not copied.
      if count > 0 { return try fields(Array(buffer.prefix(count))[...], kind) }
      guard count < 0, error == EAGAIN else { throw .decoderFailed(end()) }
      if isCancelled?() == true {
        end()
        throw .cancelled
      }
      if start.duration(to: .now) > .seconds(seconds) {
        end()
        throw .decoderFailed("its decoder did not answer within \(seconds) seconds")
      }
    }
  }

  private func fields(
    _ bytes: ArraySlice<UInt8>, _ expected: DecoderMessage.Answer
  ) throws(CodecError) -> DecoderMessageReader {
    var fields = DecoderMessageReader(bytes)
    let kind: DecoderMessage.Answer = try fields.value()
    guard try fields.number() == picture else {
      throw .decoderFailed("its decoder answered about another image")
    }
    if kind == .failure { throw try fields.error() }
    guard kind == expected else { throw DecoderMessageReader.invalid }
    return fields
  }
}

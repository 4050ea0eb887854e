// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels

/// Compiles the steps of a stage into kernel calls and assigns a location to every plane.
///
/// A plane is not copied before it is changed: the stack of images holds locations, saving an image
/// duplicates them, and a step writes to a new location if the old one is still in use elsewhere.
struct RowCompiler {
  let stage: Stage
  /// Indicates whether bytes are unpacked one channel at a time.
  private let readsSamples: Bool
  let constants: RowConstants
  private(set) var segments: [RowProgram.Segment] = []
  private(set) var locations: [RowLocation] = []
  private(set) var registerCount = 0
  private(set) var rowCount = 0

  /// The locations of the planes in use, bottom image first; the last `image` of them are being
  /// processed.
  var values: [Int] = []
  var image: Int
  var hasAlpha: Bool
  private(set) var columns: Range<Int>
  private var instructions: [RowInstruction] = []
  private var pending = RowProgram.Segment()
  /// Registers that hold something other than planes.
  private var temporaries: Set<Int> = []
  private var steps: ArraySlice<RowStep>
  /// Scratch rows that hold the row of `Stage.blurred` before it is enlarged horizontally.
  private var blurredRows: [Int] = []

  init(_ stage: Stage, readsSamples: Bool, constants: RowConstants) {
    self.stage = stage
    self.readsSamples = readsSamples
    self.constants = constants
    image = stage.imagePlanes
    hasAlpha = stage.hasAlpha
    columns = 0..<stage.input.size.width
    steps = stage.steps[...]
  }

  mutating func compile() {
    switch stage.inputMapping {
    case .rotation, .area, .source: return
    case .rows, .blur, .resample: break
    }
    if let blurred = stage.blurred { gather(blurred) }
    gather()
    while let step = steps.popFirst() { compile(step) }
    finish()
  }

  // MARK: Locations

  /// The planes of the top image, without alpha, as indices of `values`.
  var colors: Range<Int> { values.count - image..<values.count - (hasAlpha ? 1 : 0) }

  mutating func location(_ location: RowLocation) -> Int {
    if let known = locations.firstIndex(of: location) { return known }
    locations.append(location)
    return locations.count - 1
  }

  /// Returns an unused register.
  mutating func freeRegister() -> Int {
    var number = 0
    while true {
      let register = location(.register(number))
      if !values.contains(register) && !temporaries.contains(register) {
        registerCount = max(registerCount, number + 1)
        return register
      }
      number += 1
    }
  }

  /// Returns a register to which the plane at an index may be written: its own, or a new one.
  mutating func writable(_ index: Int) -> Int {
    let current = values[index]
    if case .register = locations[current], values.count(where: { $0 == current }) == 1 {
      return current
    }
    values[index] = freeRegister()
    return values[index]
  }

  mutating func withTemporary(_ body: (inout RowCompiler, Int) -> Void) {
    let register = freeRegister()
    temporaries.insert(register)
    body(&self, register)
    temporaries.remove(register)
  }

  mutating func append(_ instruction: RowInstruction) { instructions.append(instruction) }

  // MARK: Start

  private mutating func gather() {
    let gathered: Int
    switch stage.input.format {
    case .packed(let layout): return unpack(layout)
    case .planes(let count): gathered = count
    }
    switch stage.inputMapping {
    case .rotation, .area, .source: preconditionFailure("operation has no row instructions")
    case .rows: values = (0..<gathered).map { location(.input($0)) }
    case .blur(let kernel, let fromPlane, let keepsInput):
      let weights = constants.store(kernel.weights.map { Float($0) })
      values = (0..<(keepsInput ? gathered : fromPlane)).map { location(.input($0)) }
      for plane in fromPlane..<gathered {
        let register = freeRegister()
        values.append(register)
        append(
          RowInstruction(
            .blur, to: [register], index: plane, radius: kernel.radius, constants: weights))
      }
    case .resample(let weights):
      let sums = constants.sums(weights, firstRow: 0)
      for plane in 0..<gathered {
        values.append(freeRegister())
        append(RowInstruction(.weighRows, to: [values[plane]], index: plane, constants: sums))
      }
    }
  }

  /// Appends a separate segment before all others, because the grid has different columns.
  private mutating func gather(_ blurred: BlurredRows) {
    guard case .planes(let count) = blurred.input.format else { return }
    let sums = constants.sums(blurred.weights, firstRow: blurred.firstRow)
    for plane in 0..<count {
      let row = location(.row(rowCount, shift: 0))
      rowCount += 1
      blurredRows.append(row)
      append(RowInstruction(.weighBlurredRows, to: [row], index: plane, constants: sums))
    }
    let requested = columns
    columns = 0..<blurred.input.size.width
    endSegment()
    columns = requested
    pending = RowProgram.Segment()
  }

  /// Replaces the top image with the blurred one.
  mutating func enlargeBlurred(_ weights: ResamplingWeights) {
    let table = UnsafeRawPointer(constants.resampling(weights))
    let top = values.count - image..<values.count
    for (index, row) in zip(top, blurredRows) {
      append(
        RowInstruction(
          .resample, from: [row], to: [writable(index)], index: columns.lowerBound,
          constants: table))
    }
  }

  private mutating func unpack(_ layout: RowLayout) {
    for _ in 0..<layout.channels.count { values.append(freeRegister()) }
    guard layout.bytesPerSample == 1 else {
      return append(RowInstruction(.unpackWords, to: values))
    }
    var curves = [ToneCurve](repeating: ToneCurve([]), count: layout.channels.colorCount)
    if case .curves(let first)? = steps.first {
      curves = first
      steps.removeFirst()
    }
    if layout.channels.hasAlpha { curves.append(ToneCurve([])) }
    append(
      RowInstruction(
        .unpackBytes, to: values, constants: UnsafeRawPointer(constants.tables(curves))))
  }

  // MARK: Columns

  mutating func crop(_ requested: Range<Int>) {
    let first = columns.lowerBound + requested.lowerBound
    columns = first..<first + requested.count
  }

  /// Ends the segment: the next step needs whole rows of the top image.
  mutating func beginSegment() {
    let isLast = steps.isEmpty
    var moves: [(from: Int, to: Int)] = []
    var rows: [Int: Int] = [:]
    for index in values.indices {
      let value = values[index]
      if index < values.count - image && columns.lowerBound == 0 {
        switch locations[value] {
        case .input, .row(_, shift: 0): continue
        case .register, .row, .output, .side:
          if isLast, case .planes = stage.output.format {
            values[index] = location(.output(index, shift: 0))
            moves.append((value, values[index]))
            continue
          }
        }
      }
      let row = rows[value] ?? rowCount
      if row == rowCount {
        moves.append((value, location(.row(row, shift: columns.lowerBound))))
        rows[value] = row
        rowCount += 1
      }
      values[index] = location(.row(row, shift: 0))
    }
    move(moves)
    let width = columns.count
    endSegment()
    columns = 0..<width
    pending = RowProgram.Segment()
  }

  mutating func setWidth(_ width: Int) { columns = 0..<width }

  private mutating func finish() {
    switch stage.output.format {
    case .packed:
      append(RowInstruction(values.count == 1 ? .packGray : .packColors, from: values))
    case .planes:
      move(
        values.enumerated().map { index, value in
          (value, location(.output(index, shift: columns.lowerBound)))
        })
    }
    endSegment()
  }

  private mutating func endSegment() {
    pending.columns = columns
    pending.instructions = UnsafeBufferPointer(
      start: constants.store(instructions), count: instructions.count)
    segments.append(pending)
    instructions = []
  }

  /// Indicates whether an instruction can write to any location; several channels are unpacked only
  /// to neighboring registers.
  private func canWriteAnywhere(_ instruction: RowInstruction) -> Bool {
    switch instruction.operation {
    case .unpackBytes: readsSamples
    case .unpackWords: false
    default: true
    }
  }

  /// Moves values to their locations, where possible by letting the last step write there.
  private mutating func move(_ moves: [(from: Int, to: Int)]) {
    var moved: [Int: Int] = [:]
    for (from, to) in moves where from != to {
      if let newLocation = moved[from] {
        append(RowInstruction(.copy, from: [newLocation], to: [to]))
      } else if case .register = locations[from],
        let last = instructions.lastIndex(where: { $0.writes(from) }),
        canWriteAnywhere(instructions[last]),
        !instructions[(last + 1)...].contains(where: { $0.reads(from) })
      {
        instructions[last].retarget(from, to: to)
        moved[from] = to
      } else {
        append(RowInstruction(.copy, from: [from], to: [to]))
      }
    }
  }
}

/// The rows that each output row is computed from, and their weights.
struct RowSums {
  /// The row that the first sum is for.
  var firstRow: Int
  var starts: UnsafePointer<Int>
  var offsets: UnsafePointer<Int>
  var weights: UnsafePointer<Float>
}

// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditPlatform

public struct Perspective: Filter {
  public static let schema = FilterSchema<Self>(
    "perspective", "Corrects perspective by mapping four points to a rectangle.",
    aliases: ["perspectiveCorrection", "keystone"],
    equivalents: """
      Core Image CIPerspectiveCorrection; ImageMagick -distort Perspective; libvips mapim; ffmpeg \
      perspective; CSS matrix3d()
      """,
    formula: "in(H·p), H the homography that maps the corners of the result to the four points",
    source: "direct linear transform, Hartley and Zisserman, Multiple View Geometry, 2004",
    dependency: .geometry, tolerance: "T1",
    parameters: [
      Parameter(
        "tl", \.topLeft, count: 2, in: 0...1, unit: .fraction, identity: [0, 0],
        "Point mapped to the top left corner."),
      Parameter(
        "tr", \.topRight, count: 2, in: 0...1, unit: .fraction, identity: [1, 0],
        "Point mapped to the top right corner."),
      Parameter(
        "br", \.bottomRight, count: 2, in: 0...1, unit: .fraction, identity: [1, 1],
        "Point mapped to the bottom right corner."),
      Parameter(
        "bl", \.bottomLeft, count: 2, in: 0...1, unit: .fraction, identity: [0, 1],
        "Point mapped to the bottom left corner."),
      Parameter(
        "crop", \.usesSideLengths,
        "Resize the result to the longer of opposite sides; otherwise keep the size."),
      Parameter("kernel", \.kernel, "Resampling kernel."),
      Parameter("light", \.light, "Transfer encoding to resample in: gamma-encoded or linear."),
    ])

  public var topLeft: [Double] = [0, 0]
  public var topRight: [Double] = [1, 0]
  public var bottomRight: [Double] = [1, 1]
  public var bottomLeft: [Double] = [0, 1]
  /// Indicates whether the size is that of the longer of opposite sides; otherwise the image keeps
  /// its size.
  public var usesSideLengths = true
  public var kernel = ResamplingKernel.catmullRom
  public var light = TransferEncoding.encoded

  public init() {}

  public func validate() throws(ParameterError) {
    let corners = [topLeft, topRight, bottomRight, bottomLeft]
    for (index, corner) in corners.enumerated() {
      let (next, after) = (corners[(index + 1) % 4], corners[(index + 2) % 4])
      let crossProduct =
        (next[0] - corner[0]) * (after[1] - next[1]) - (next[1] - corner[1]) * (after[0] - next[0])
      guard crossProduct > 1e-6 else {
        throw conflict("tl, tr, br and bl must form a convex quadrilateral in clockwise order")
      }
    }
  }

  public func lowered(in context: LoweringContext) throws(ParameterError) -> [FilterOperation] {
    if isIdentity { return [] }
    let (w, h) = (Double(context.size.width), Double(context.size.height))
    let corners = [topLeft, topRight, bottomRight, bottomLeft].map { (x: $0[0] * w, y: $0[1] * h) }
    var size = context.size
    if usesSideLengths {
      func length(_ a: Int, _ b: Int) -> Double {
        hypot(corners[a].x - corners[b].x, corners[a].y - corners[b].y)
      }
      size = PixelSize(
        width: max(1, Int(max(length(0, 1), length(3, 2)).rounded())),
        height: max(1, Int(max(length(0, 3), length(1, 2)).rounded())))
    }
    guard
      let projection = Projection(
        rectangle: (Double(size.width), Double(size.height)), to: corners)
    else { throw conflict("three of the points are on one line") }
    return [.area(.warp(Warp(projection, size: size, kernel: kernel)))].inEncoding(light)
  }
}

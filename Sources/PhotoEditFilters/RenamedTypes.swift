// SPDX-License-Identifier: Apache-2.0

// Former names, which the release after the next one removes.

/// The former name of ``AttachmentContent``.
@available(*, deprecated, renamed: "AttachmentContent")
public typealias AssetContent = AttachmentContent

/// The former name of ``AttachmentError``.
@available(*, deprecated, renamed: "AttachmentError")
public typealias AssetError = AttachmentError

/// The former name of ``AttachmentKind``.
@available(*, deprecated, renamed: "AttachmentKind")
public typealias AssetKind = AttachmentKind

/// The former name of ``AttachmentImage``.
@available(*, deprecated, renamed: "AttachmentImage")
public typealias AssetPicture = AttachmentImage

/// The former name of ``NotBakeable``.
@available(*, deprecated, renamed: "NotBakeable")
public typealias BakingObstacle = NotBakeable

/// The former name of ``CDLDocument``.
@available(*, deprecated, renamed: "CDLDocument")
public typealias ColorDecisionFile = CDLDocument

/// The former name of ``PixelDependency``.
@available(*, deprecated, renamed: "PixelDependency")
public typealias FilterFamily = PixelDependency

/// The former name of ``LUTFileError``.
@available(*, deprecated, renamed: "LUTFileError")
public typealias GradeError = LUTFileError

/// The former name of ``GraphAttachment``.
@available(*, deprecated, renamed: "GraphAttachment")
public typealias GraphAsset = GraphAttachment

/// The former name of ``UnsupportedNode``.
@available(*, deprecated, renamed: "UnsupportedNode")
public typealias GraphObstacle = UnsupportedNode

/// The former name of ``ColorLUT3D``.
@available(*, deprecated, renamed: "ColorLUT3D")
public typealias LookupCube = ColorLUT3D

/// The former name of ``ColorLUT1D``.
@available(*, deprecated, renamed: "ColorLUT1D")
public typealias LookupTable = ColorLUT1D

/// The former name of ``LUT1D``.
@available(*, deprecated, renamed: "LUT1D")
public typealias Lut1D = LUT1D

/// The former name of ``LUT3D``.
@available(*, deprecated, renamed: "LUT3D")
public typealias Lut3D = LUT3D

extension Parameter {
  /// The former name of ``identity``.
  @available(*, deprecated, renamed: "identity")
  public var neutral: ParameterValue? { identity }

  /// Declares a real number; the former name of `identity` is `neutral`.
  @available(*, deprecated, message: "use identity instead of neutral")
  public init(
    _ name: String, _ keyPath: any WritableKeyPath<Root, Double> & Sendable,
    unit: ParameterUnit = .none, in range: ClosedRange<Double>, ui: ClosedRange<Double>? = nil,
    neutral: Double, argument: Double? = nil, _ summary: String
  ) {
    self.init(
      name, keyPath, unit: unit, in: range, ui: ui, identity: neutral, argument: argument, summary)
  }

  /// Declares an integer; the former name of `identity` is `neutral`.
  @available(*, deprecated, message: "use identity instead of neutral")
  public init(
    _ name: String, _ keyPath: any WritableKeyPath<Root, Int> & Sendable,
    unit: ParameterUnit = .none, in range: ClosedRange<Int>, neutral: Int, argument: Int? = nil,
    _ summary: String
  ) {
    self.init(
      name, keyPath, unit: unit, in: range, identity: neutral, argument: argument, summary)
  }

  /// Declares a vector or a matrix; the former name of `identity` is `neutral`.
  @available(*, deprecated, message: "use identity instead of neutral")
  public init(
    _ name: String, _ keyPath: any WritableKeyPath<Root, [Double]> & Sendable, count: Int,
    in range: ClosedRange<Double>, unit: ParameterUnit = .none, neutral: [Double],
    _ summary: String
  ) {
    self.init(name, keyPath, count: count, in: range, unit: unit, identity: neutral, summary)
  }

  /// Declares the points of a curve; the former name of `identity` is `neutral`.
  @available(*, deprecated, message: "use identity instead of neutral")
  public init(
    _ name: String, _ keyPath: any WritableKeyPath<Root, [CurvePoint]> & Sendable,
    count: ClosedRange<Int>, neutral: [CurvePoint], _ summary: String
  ) {
    self.init(name, keyPath, count: count, identity: neutral, summary)
  }
}

extension FilterDescription.Entry {
  /// The former name of ``identity``.
  @available(*, deprecated, renamed: "identity")
  public var neutral: ParameterValue? { identity }
}

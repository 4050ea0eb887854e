// SPDX-License-Identifier: Apache-2.0
public import PhotoEditPixels
public import PhotoEditStorage

/// Declared here because images in memory know no files.
extension ComparisonError: PhotoEditError {
  /// The class and the name of the failure.
  public var facts: FailureFacts { FailureFacts(.unsuitable, "comparison") }
}

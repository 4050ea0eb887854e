// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import PhotoEdit
public import PhotoEditLibrary

// A separate module, so that programs without NSError do not load all of Foundation.

extension EditingError: CustomNSError {
  /// The corresponding PhotoKit error code.
  public var errorCode: Int { code.rawValue }

  /// The file concerned and the underlying error.
  public var errorUserInfo: [String: Any] {
    userInfo(of: self, path: path, underlying: underlying ?? file)
  }
}

extension LibraryError: CustomNSError {
  /// The corresponding PhotoKit error code.
  public var errorCode: Int { code.rawValue }

  /// The file concerned and the underlying error.
  public var errorUserInfo: [String: Any] { userInfo(of: self, path: path, underlying: file) }
}

private func userInfo(
  of error: some LocalizedError, path: String?, underlying: (any Error)?
) -> [String: Any] {
  let all: [String: Any?] = [
    NSLocalizedDescriptionKey: error.errorDescription,
    NSLocalizedRecoverySuggestionErrorKey: error.recoverySuggestion,
    NSFilePathErrorKey: path, NSUnderlyingErrorKey: underlying,
  ]
  return all.compactMapValues { $0 }
}

// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials

/// The kind of a failure of an edit or of a library; the raw values match PhotoKit.
public enum PhotosErrorCode: Int, Sendable, Hashable, CaseIterable {
  /// An internal error or a damaged database.
  case internalError = -1
  /// The operation was canceled or not confirmed.
  case userCancelled = 3072
  /// The history no longer reaches back to the token, or the token is of another library.
  case persistentChangeTokenExpired = 3105
  /// The folder of the library was removed or cannot be reached.
  case libraryVolumeOffline = 3114
  /// Another process is taking over the library.
  case relinquishingLibraryBundleToWriter = 3142
  /// The library was replaced by another one.
  case switchingSystemPhotoLibrary = 3143
  /// The content is not on this device.
  case networkAccessRequired = 3164
  /// A remote location failed.
  case networkError = 3169
  /// No object has this identifier.
  case identifierNotFound = 3201
  /// More than one object has this identifier.
  case multipleIdentifiersFound = 3202
  /// The details of this change are not kept in the history.
  case persistentChangeDetailsUnavailable = 3210
  /// The request is not valid.
  case changeNotSupported = 3300
  /// Another process interfered or changed the asset; fetch it again and repeat.
  case operationInterrupted = 3301
  /// The content cannot be accepted.
  case invalidResource = 3302
  /// The content does not exist.
  case missingResource = 3303
  /// The disk is full.
  case notEnoughSpace = 3305
  /// The asset does not allow this request.
  case requestNotSupportedForAsset = 3306
  /// The policy of the library or the file system forbids the operation.
  case accessRestricted = 3310
  /// The user lacks permission, or has not allowed the operation.
  case accessUserDenied = 3311
  /// The folder is synchronized by a program that would damage a database.
  case libraryInFileProviderSyncRoot = 5423

  /// Creates the code of a class of failures.
  package init(_ failure: FailureClass) {
    self = Self(rawValue: failure.photosCode) ?? .internalError
  }

  /// The class of failures with this code.
  package var failureClass: FailureClass {
    switch self {
    case .internalError: .internalError
    case .userCancelled: .cancelled
    case .persistentChangeTokenExpired, .persistentChangeDetailsUnavailable: .expired
    case .libraryVolumeOffline, .networkAccessRequired, .networkError: .unavailable
    case .operationInterrupted, .relinquishingLibraryBundleToWriter, .switchingSystemPhotoLibrary:
      .busy
    case .identifierNotFound, .missingResource: .missing
    case .changeNotSupported, .multipleIdentifiersFound: .invalidRequest
    case .invalidResource, .requestNotSupportedForAsset, .libraryInFileProviderSyncRoot: .unsuitable
    case .notEnoughSpace: .noSpace
    case .accessRestricted, .accessUserDenied: .noPermission
    }
  }
}

/// An error in PhotoKit's domain: that of an edit or of a library.
public protocol PhotosError: PhotoEditError, LocalizedError {
  /// The kind of failure.
  var code: PhotosErrorCode { get }
}

extension PhotosError {
  /// The class and the name of the failed file operation, otherwise those of the code.
  public var facts: FailureFacts {
    FailureFacts(
      file?.failureClass ?? code.failureClass, file?.facts.name ?? "\(code)", hint: hint)
  }

  /// The full message, in the form "photo.jpg: description; suggestion".
  public var description: String { text() + (hint.map { "; " + $0 } ?? "") }

  /// The failure, preceded by the path of the file concerned.
  public var errorDescription: String? { text() }

  /// A suggestion for recovery, if any.
  public var recoverySuggestion: String? { hint }
}

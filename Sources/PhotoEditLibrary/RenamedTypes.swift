// SPDX-License-Identifier: Apache-2.0

// Former names, which the release after the next one removes.

/// The former name of ``AssetVideo``.
@available(*, deprecated, renamed: "AssetVideo")
public typealias AssetMovie = AssetVideo

/// The former name of ``LibraryIssue``.
@available(*, deprecated, renamed: "LibraryIssue")
public typealias LibraryFinding = LibraryIssue

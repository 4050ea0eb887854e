// SPDX-License-Identifier: Apache-2.0

// Former names, which the release after the next one removes.

/// The former name of ``VideoColorProperties``.
@available(*, deprecated, renamed: "VideoColorProperties")
public typealias MovieColour = VideoColorProperties

/// The former name of ``PassthroughExport``.
@available(*, deprecated, renamed: "PassthroughExport")
public typealias MoviePassThrough = PassthroughExport

/// The former name of ``MovieEditPlan``.
@available(*, deprecated, renamed: "MovieEditPlan")
public typealias MovieRecipe = MovieEditPlan

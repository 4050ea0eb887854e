// SPDX-License-Identifier: Apache-2.0

// Former names, which the release after the next one removes.

/// The former name of ``EditingMediaType``.
@available(*, deprecated, renamed: "EditingMediaType")
public typealias EditedMedia = EditingMediaType

/// The former name of ``MovieDescription``.
@available(*, deprecated, renamed: "MovieDescription")
public typealias EditedMovie = MovieDescription

/// The former name of ``EditImportError``.
@available(*, deprecated, renamed: "EditImportError")
public typealias ForeignEditError = EditImportError

/// The former name of ``ThirdPartyEditFile``.
@available(*, deprecated, renamed: "ThirdPartyEditFile")
public typealias ForeignEditFile = ThirdPartyEditFile

/// The former name of ``EditConversion``.
@available(*, deprecated, renamed: "EditConversion")
public typealias ForeignTranslation = EditConversion

/// The former name of ``LocationCoordinate``.
@available(*, deprecated, renamed: "LocationCoordinate")
public typealias GeoPoint = LocationCoordinate

/// The former name of ``PhotoEditor``.
@available(*, deprecated, renamed: "PhotoEditor")
public typealias GraphEditing = PhotoEditor

/// The former name of ``MediaProperties``.
@available(*, deprecated, renamed: "MediaProperties")
public typealias MediaFacts = MediaProperties

/// The former name of ``RenderSettings``.
@available(*, deprecated, renamed: "RenderSettings")
public typealias RenderRecipe = RenderSettings

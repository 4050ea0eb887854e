// SPDX-License-Identifier: Apache-2.0

// A single import provides the filters, and the types of this module's interface and of its members.
// The engine is public in its own modules, which a client can import.
@_exported public import PhotoEditFilters

@_exported public import struct PhotoEditCodecs.ChromaSampling
@_exported public import enum PhotoEditCodecs.CodecError
@_exported public import struct PhotoEditCodecs.ImageFileError
@_exported public import enum PhotoEditCodecs.ImageFormat
@_exported public import enum PhotoEditCodecs.MetadataError
@_exported public import struct PhotoEditCodecs.MetadataLoss
@_exported public import struct PhotoEditCodecs.MetadataRemoval
@_exported public import enum PhotoEditCodecs.PixelEncoding
@_exported public import struct PhotoEditCodecs.StrippedMetadata
@_exported public import enum PhotoEditPixels.ChannelLayout
@_exported public import struct PhotoEditPixels.ImageBuffer
@_exported public import struct PhotoEditPixels.ImageLimits
@_exported public import struct PhotoEditPixels.NormalizedRect
@_exported public import enum PhotoEditPixels.Orientation
@_exported public import enum PhotoEditPixels.PixelArrangement
@_exported public import struct PhotoEditPixels.PixelBuffer
@_exported public import enum PhotoEditPixels.PixelChannels
@_exported public import struct PhotoEditPixels.PixelColorSpace
@_exported public import protocol PhotoEditPixels.PixelSample
@_exported public import struct PhotoEditPixels.PixelSize
@_exported public import struct PhotoEditPixels.Region
@_exported public import struct PhotoEditPixels.RowLayout
@_exported public import struct PhotoEditRendering.CopyShape
@_exported public import enum PhotoEditRendering.Dither
@_exported public import struct PhotoEditRendering.ImageSource
@_exported public import enum PhotoEditRendering.JPEGQuality
@_exported public import typealias PhotoEditRendering.PixelChange
@_exported public import struct PhotoEditRendering.PixelStrip
@_exported public import struct PhotoEditRendering.RenderEncoding
@_exported public import enum PhotoEditRendering.RenderError
@_exported public import struct PhotoEditRendering.RenderLoss
@_exported public import enum PhotoEditRendering.RenderMethod
@_exported public import struct PhotoEditRendering.RenderOptions
@_exported public import enum PhotoEditRendering.RenderPath
@_exported public import struct PhotoEditRendering.Rendering
@_exported public import enum PhotoEditStorage.FailureClass
@_exported public import struct PhotoEditStorage.FailureFacts
@_exported public import class PhotoEditStorage.FileBytes
@_exported public import struct PhotoEditStorage.FileError
@_exported public import protocol PhotoEditStorage.PhotoEditError
@_exported public import struct PhotoEditStorage.SHA256Digest
@_exported public import enum PhotoEditStorage.SandboxPolicy
@_exported public import class PhotoEditStorage.StagingFolder

// SPDX-License-Identifier: Apache-2.0

// Re-exports the C library of the platform, so that no other file needs conditional imports.

#if canImport(Glibc)
  @_exported public import Glibc
#elseif canImport(Musl)
  @_exported public import Musl
#elseif canImport(Darwin)
  @_exported public import Darwin
#endif

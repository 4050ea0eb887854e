// SPDX-License-Identifier: Apache-2.0

// The C library of the platform by one name, so that no other file has to ask which one it is.

#if canImport(Glibc)
  @_exported public import Glibc
#elseif canImport(Musl)
  @_exported public import Musl
#elseif canImport(Darwin)
  @_exported public import Darwin
#endif

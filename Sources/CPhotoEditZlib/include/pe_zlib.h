// SPDX-License-Identifier: Apache-2.0
#ifndef PE_ZLIB_H
#define PE_ZLIB_H

#include <stddef.h>
#include <stdint.h>

enum {
  PE_ZLIB_OK = 0,
  PE_ZLIB_DAMAGED = 1,
  PE_ZLIB_TOO_LARGE = 2,
  PE_ZLIB_NO_MEMORY = 3,
};

/// Inflates one zlib stream; at most `limit` bytes are ever written. On PE_ZLIB_OK the caller
/// owns `*output` and frees it with free(); otherwise it is NULL.
int pe_zlib_inflate(const uint8_t *input, size_t input_count, size_t limit, uint8_t **output,
                    size_t *output_count);

/// Inflates a raw deflate stream (RFC 1951), which has neither header nor checksum. On PE_ZLIB_OK
/// `*taken` is the number of input bytes consumed; others may follow.
int pe_zlib_inflate_raw(const uint8_t *input, size_t input_count, size_t limit, uint8_t **output,
                        size_t *output_count, size_t *taken);

/// Compresses bytes to a gzip file (RFC 1952). On PE_ZLIB_OK the caller frees `*output`.
int pe_zlib_gzip(const uint8_t *input, size_t input_count, uint8_t **output,
                 size_t *output_count);

/// Returns the CRC-32 of PNG (ISO 3309) over some bytes.
uint32_t pe_zlib_crc32(const uint8_t *bytes, size_t count);

/// Returns the version of the loaded zlib library, such as "1.2.13".
const char *pe_zlib_version(void);

#endif

// SPDX-License-Identifier: Apache-2.0
// SHA-256 and MD5 from OpenSSL's libcrypto. Linked statically: the shared library costs 2.7 ms at
// every start.
#ifndef PE_DIGEST_H
#define PE_DIGEST_H
#include <stddef.h>
#include <stdint.h>

typedef struct pe_sha256 pe_sha256;

/// Creates a state; returns NULL if out of memory.
pe_sha256 *pe_sha256_create(void);
void pe_sha256_update(pe_sha256 *state, const void *bytes, size_t count);
/// Writes 32 bytes and frees the state.
void pe_sha256_finish(pe_sha256 *state, uint8_t digest[32]);

/// Writes the 16 bytes of an MD5 digest, by which XMP names its parts; not used for security.
void pe_md5(const void *bytes, size_t count, uint8_t digest[16]);

/// Returns the version of the OpenSSL library linked in, such as "OpenSSL 3.0.17 1 Jul 2025".
const char *pe_digest_version(void);
#endif

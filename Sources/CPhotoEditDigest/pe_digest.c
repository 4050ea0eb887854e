// SPDX-License-Identifier: Apache-2.0
// The low-level calls are deprecated in favor of EVP, which adds the entire provider system.
#define OPENSSL_SUPPRESS_DEPRECATED
#include "pe_digest.h"
#include <openssl/md5.h>
#include <openssl/opensslv.h>
#include <openssl/sha.h>
#include <stdlib.h>

_Static_assert(OPENSSL_VERSION_NUMBER >= 0x30000000L, "requires OpenSSL 3.0 or newer");

struct pe_sha256 {
  SHA256_CTX context;
};

pe_sha256 *pe_sha256_create(void) {
  pe_sha256 *state = malloc(sizeof *state);
  if (state != NULL) SHA256_Init(&state->context);
  return state;
}

void pe_sha256_update(pe_sha256 *state, const void *bytes, size_t count) {
  SHA256_Update(&state->context, bytes, count);
}

void pe_sha256_finish(pe_sha256 *state, uint8_t digest[32]) {
  SHA256_Final(digest, &state->context);
  free(state);
}

void pe_md5(const void *bytes, size_t count, uint8_t digest[16]) {
  MD5(bytes, count, digest);
}

const char *pe_digest_version(void) { return OPENSSL_VERSION_TEXT; }

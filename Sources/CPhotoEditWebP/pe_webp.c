// SPDX-License-Identifier: Apache-2.0
#include "pe_webp.h"
#include "pe_library.h"
#include <stdlib.h>
#include <webp/decode.h>

// The header states no version of the library, only that of its decoder, which 1.2 has.
_Static_assert(WEBP_DECODER_ABI_VERSION >= 0x0209, "requires libwebp 1.2 or newer");

#define FUNCTIONS(X)                                                                              \
  X(WebPGetFeaturesInternal)                                                                      \
  X(WebPInitDecBufferInternal)                                                                    \
  X(WebPFreeDecBuffer)                                                                            \
  X(WebPINewDecoder)                                                                              \
  X(WebPIUpdate)                                                                                  \
  X(WebPIDecGetRGB)                                                                               \
  X(WebPIDelete)

#define DECLARE(name) __typeof__(&name) name;
static struct { FUNCTIONS(DECLARE) } library;

/// Number of input bytes per step; between steps, rows are delivered and cancellation is checked.
enum { STEP = 1 << 16 };

int32_t pe_webp_load(char *message) {
#define SYMBOL(name) {#name, (void **)&library.name},
  static const pe_library_symbol symbols[] = {FUNCTIONS(SYMBOL)};
  return pe_library_open("libwebp.so.7", symbols, sizeof symbols / sizeof symbols[0], message);
}

const char *pe_webp_version(void) {
  // The library's headers contain only the version of its interface, not the release: 0x0209 is
  // 2.09.
  enum { high = WEBP_DECODER_ABI_VERSION >> 8, low = WEBP_DECODER_ABI_VERSION & 255 };
  static const char text[] = {'A', 'B', 'I', ' ', '0' + high, '.', '0' + low / 10, '0' + low % 10, 0};
  return text;
}

static pe_webp_code translated(VP8StatusCode status) {
  switch (status) {
  case VP8_STATUS_OK: return PE_WEBP_OK;
  case VP8_STATUS_OUT_OF_MEMORY: return PE_WEBP_OUT_OF_MEMORY;
  case VP8_STATUS_UNSUPPORTED_FEATURE: return PE_WEBP_UNSUPPORTED;
  case VP8_STATUS_SUSPENDED:
  case VP8_STATUS_NOT_ENOUGH_DATA: return PE_WEBP_ENDS_EARLY;
  default: return PE_WEBP_DAMAGED;
  }
}

pe_webp_code pe_webp_read_info(const uint8_t *bytes, size_t count, pe_webp_info *info) {
  WebPBitstreamFeatures features;
  pe_webp_code code = translated(
      library.WebPGetFeaturesInternal(bytes, count, &features, WEBP_DECODER_ABI_VERSION));
  if (code != PE_WEBP_OK) return code;
  if (features.width <= 0 || features.height <= 0) return PE_WEBP_DAMAGED;
  info->width = (uint32_t)features.width;
  info->height = (uint32_t)features.height;
  info->has_alpha = features.has_alpha != 0;
  info->is_lossless = features.format == 2;
  return PE_WEBP_OK;
}

struct pe_webp_decoder {
  const uint8_t *bytes;
  size_t count, supplied;
  uint32_t height;
  pe_webp_cancelled cancelled;
  void *context;
  WebPDecBuffer output;
  WebPIDecoder *incremental;
  const uint8_t *rows;
  size_t bytes_per_row;
  uint32_t recovered;
};

pe_webp_decoder *pe_webp_create(
    const uint8_t *bytes, size_t count, const pe_webp_info *info, pe_webp_cancelled cancelled,
    void *context) {
  pe_webp_decoder *decoder = calloc(1, sizeof *decoder);
  if (decoder == NULL) return NULL;
  decoder->bytes = bytes;
  decoder->count = count;
  decoder->height = info->height;
  decoder->cancelled = cancelled;
  decoder->context = context;
  if (library.WebPInitDecBufferInternal(&decoder->output, WEBP_DECODER_ABI_VERSION)) {
    decoder->output.colorspace = info->has_alpha ? MODE_RGBA : MODE_RGB;
    decoder->incremental = library.WebPINewDecoder(&decoder->output);
  }
  if (decoder->incremental == NULL) {
    free(decoder);
    return NULL;
  }
  return decoder;
}

void pe_webp_destroy(pe_webp_decoder *decoder) {
  if (decoder == NULL) return;
  library.WebPIDelete(decoder->incremental);
  library.WebPFreeDecBuffer(&decoder->output);
  free(decoder);
}

static void count_rows(pe_webp_decoder *decoder) {
  int recovered = 0, width = 0, height = 0, stride = 0;
  uint8_t *rows =
      library.WebPIDecGetRGB(decoder->incremental, &recovered, &width, &height, &stride);
  if (rows == NULL || recovered <= 0 || stride <= 0) return;
  decoder->rows = rows;
  decoder->bytes_per_row = (size_t)stride;
  decoder->recovered =
      (uint32_t)recovered < decoder->height ? (uint32_t)recovered : decoder->height;
}

pe_webp_code pe_webp_decode(pe_webp_decoder *decoder, uint32_t rows, uint32_t *recovered) {
  pe_webp_code code = PE_WEBP_OK;
  while (code == PE_WEBP_OK && decoder->recovered < rows) {
    if (decoder->cancelled != NULL && decoder->cancelled(decoder->context))
      return PE_WEBP_CANCELLED;
    size_t left = decoder->count - decoder->supplied;
    decoder->supplied += left < STEP ? left : STEP;
    VP8StatusCode status =
        library.WebPIUpdate(decoder->incremental, decoder->bytes, decoder->supplied);
    count_rows(decoder);
    int is_waiting = status == VP8_STATUS_SUSPENDED || status == VP8_STATUS_NOT_ENOUGH_DATA;
    if (is_waiting && decoder->supplied < decoder->count) continue;
    code = translated(status);
    // A completed bitstream without its last rows would be an error of the library.
    if (code == PE_WEBP_OK && decoder->recovered < rows) code = PE_WEBP_DAMAGED;
  }
  *recovered = decoder->recovered;
  return decoder->recovered >= rows ? PE_WEBP_OK : code;
}

const uint8_t *pe_webp_row(const pe_webp_decoder *decoder, uint32_t row) {
  return decoder->rows + (size_t)row * decoder->bytes_per_row;
}

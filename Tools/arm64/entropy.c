// SPDX-License-Identifier: Apache-2.0
// Reads and writes the Huffman codes of JPEG files in every way and prints digests, a line for each
// file and way. The lines of two processors that differ name the way that is not portable.
//
// usage: entropy FILE …
// exit codes: 0 done · 1 coders of this processor write different bytes · 66 a file cannot be read
#include "pe_cjpeg.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *file_name;

static uint64_t digest(const void *bytes, size_t count) {
  uint64_t sum = 0xcbf29ce484222325u;
  for (size_t i = 0; i < count; i++) sum = (sum ^ ((const uint8_t *)bytes)[i]) * 0x100000001b3u;
  return sum;
}

static void report(const char *way, int code, const void *bytes, size_t count) {
  printf("%s: %s %d %016" PRIx64 "\n", file_name, way, code, digest(bytes, count));
}

/// Memory for MCU rows, and a pointer to each.
typedef struct {
  size_t row, count;
  uint8_t *bytes, **rows;
} mcu_memory;

static mcu_memory memory_for(size_t row, size_t count) {
  mcu_memory m = {row, count, calloc(count, row), malloc(count * sizeof(uint8_t *))};
  if (m.bytes == NULL || m.rows == NULL) exit(71);
  for (size_t i = 0; i < count; i++) m.rows[i] = m.bytes + i * row;
  return m;
}

static void discard(mcu_memory m) {
  free(m.bytes);
  free(m.rows);
}

/// A decoder that has begun to read a file.
typedef struct {
  pe_jpeg_decoder *decoder;
  pe_jpeg_info info;
  pe_jpeg_stream stream;
  pe_jpeg_code code;
} reader;

static reader open_reader(
    const uint8_t *bytes, size_t count, pe_jpeg_options options, pe_jpeg_delivery delivery) {
  if (options.scale_denominator == 0) options.scale_denominator = 1;
  options.maximum_scans = 100;
  reader r = {.decoder = pe_jpeg_create(bytes, count, &options)};
  if (r.decoder == NULL) exit(71);
  r.code = pe_jpeg_read_info(r.decoder, &r.info);
  // A damaged size would only take time.
  if (r.code == PE_JPEG_OK && (r.info.width > 4096 || r.info.height > 4096))
    r.code = PE_JPEG_DAMAGED;
  if (r.code == PE_JPEG_OK) r.code = pe_jpeg_start_stream(r.decoder, delivery, &r.stream);
  return r;
}

/// Reads all coefficients, with libjpeg only where the data is not clean.
static mcu_memory read_coefficients(
    const char *way, const uint8_t *bytes, size_t count, pe_jpeg_options options) {
  reader r = open_reader(bytes, count, options, PE_JPEG_COEFFICIENTS);
  mcu_memory m = {0};
  if (r.code == PE_JPEG_OK) {
    m = memory_for(r.stream.bytes_per_mcu_row, (size_t)r.stream.mcu_rows);
    pe_jpeg_set_rows(r.decoder, m.rows, 0, r.stream.mcu_rows);
    r.code = pe_jpeg_read_mcu_rows(r.decoder);
  }
  report(way, (int)r.code, m.bytes, m.row * m.count);
  if (r.code != PE_JPEG_OK) printf("%s: %s\n", file_name, pe_jpeg_message(r.decoder));
  pe_jpeg_destroy(r.decoder);
  return m;
}

/// Reads some columns of each MCU row through an index.
static void read_areas(const uint8_t *bytes, size_t count) {
  reader r = open_reader(bytes, count, (pe_jpeg_options){0}, PE_JPEG_COEFFICIENTS);
  if (r.code == PE_JPEG_OK && pe_jpeg_start_index(r.decoder, 1, 2)) {
    const pe_jpeg_stream s = r.stream;
    mcu_memory means = memory_for(s.bytes_per_mcu_row / 64, (size_t)s.mcu_rows);
    r.code = pe_jpeg_index_rows(r.decoder, 0, s.mcu_rows, (int16_t *)(void *)means.bytes);
    report("index", (int)r.code, means.bytes, means.row * means.count);
    mcu_memory m = memory_for(s.bytes_per_mcu_row, (size_t)s.mcu_rows);
    for (int32_t first = 0; r.code == PE_JPEG_OK && first < 5; first++) {
      memset(m.bytes, 0, m.row * m.count);
      const pe_jpeg_area area = {0, s.mcu_rows, first, 2, 2};
      const pe_jpeg_code code = pe_jpeg_read_area(r.decoder, &area, m.rows);
      report("area", (int)code, m.bytes, m.row * m.count);
    }
    discard(m);
    discard(means);
  }
  pe_jpeg_destroy(r.decoder);
}

/// Reads the intervals between restart markers from the last one to the first.
static void read_intervals(const uint8_t *bytes, size_t count) {
  reader r = open_reader(bytes, count, (pe_jpeg_options){0}, PE_JPEG_COEFFICIENTS);
  enum { MOST = 1024 };
  const uint8_t *starts[MOST];
  const int32_t found =
      r.code == PE_JPEG_OK ? pe_jpeg_find_intervals(r.decoder, 1, starts, MOST) : 0;
  if (found == r.stream.mcu_rows && found > 0) {
    mcu_memory m = memory_for(r.stream.bytes_per_mcu_row, (size_t)found);
    for (int32_t i = found - 1; i >= 0; i--)
      r.code |= pe_jpeg_read_interval(r.decoder, starts[i], m.rows, i, 1);
    report("intervals", (int)r.code, m.bytes, m.row * m.count);
    discard(m);
  }
  pe_jpeg_destroy(r.decoder);
}

/// Writes pixels and coefficients with each coder, whose bytes must be the same.
static int write_codes(
    const uint8_t *pixels, const pe_jpeg_info *info, size_t channels, reader *r, mcu_memory m) {
  int differ = 0;
  static const int32_t samplings[][2] = {{1, 1}, {2, 1}, {2, 2}};
  uint16_t tables[3][64];
  for (int i = 0; i < 64; i++) {
    tables[0][i] = (uint16_t)(1 + i / 4);
    tables[1][i] = (uint16_t)(2 + i);
  }
  for (int kind = 0; kind < 4; kind++) {
    uint64_t first = 0;
    for (int coder = PE_JPEG_FASTEST_CODER; coder <= PE_JPEG_LIBRARY_CODER; coder++) {
      pe_jpeg_encoder *encoder = pe_jpeg_encoder_create((pe_jpeg_coder)coder);
      if (encoder == NULL) exit(71);
      const uint8_t *bytes = NULL;
      size_t count = 0;
      pe_jpeg_code code;
      if (kind < 3) {
        const pe_jpeg_band band = {
            info->width, info->height, (int32_t)channels, channels == 1, samplings[kind][0],
            samplings[kind][1], tables[0], tables[1], 0};
        code = pe_jpeg_begin_band(encoder, &band);
        if (code == PE_JPEG_OK)
          code = pe_jpeg_write_rows(
              encoder, pixels, (size_t)info->width * channels, info->height);
        if (code == PE_JPEG_OK) code = pe_jpeg_end_band(encoder, &bytes, &count);
      } else {
        pe_jpeg_coefficient_band band = {
            info->width, info->height, info->component_count, (int32_t)m.count, {{0}}};
        if (m.count == 0 || info->component_count > 3) {
          pe_jpeg_encoder_destroy(encoder);
          break;
        }
        for (int32_t c = 0; c < info->component_count; c++) {
          const pe_jpeg_component of = pe_jpeg_component_at(r->decoder, c);
          if (!pe_jpeg_copy_table(r->decoder, c, tables[c])) memset(tables[c], 1, sizeof tables[c]);
          band.planes[c] = (pe_jpeg_coefficient_plane){
              pe_jpeg_plane_offset(r->decoder, c), pe_jpeg_plane_blocks_across(r->decoder, c),
              of.vertical, 0, 0, of.horizontal, of.vertical, c > 0, tables[c]};
        }
        code = pe_jpeg_encode_coefficients(encoder, &band, m.rows, &bytes, &count);
      }
      if (code != PE_JPEG_OK) count = 0;
      report(kind < 3 ? "pixels to codes" : "coefficients to codes", (int)code, bytes, count);
      if (coder == PE_JPEG_FASTEST_CODER) first = digest(bytes, count);
      differ |= first != digest(bytes, count);
      pe_jpeg_encoder_destroy(encoder);
    }
  }
  return differ;
}

/// Reconstructs pixels from coefficients, and writes both again.
static int reconstruct(const uint8_t *bytes, size_t count, mcu_memory m) {
  reader r = open_reader(bytes, count, (pe_jpeg_options){0}, PE_JPEG_PIXELS);
  int differ = 0;
  if (r.code == PE_JPEG_OK && !r.info.has_several_scans && r.info.component_count < 4) {
    const size_t channels = r.info.component_count == 1 ? 1 : 3;
    const size_t row = (size_t)r.info.width * channels;
    uint8_t *pixels = calloc((size_t)r.info.height, row);
    if (pixels == NULL) exit(71);
    int32_t written = 0;
    pe_jpeg_set_rows(r.decoder, m.rows, 0, (int32_t)m.count);
    r.code = pe_jpeg_read_rows(r.decoder, pixels, row, r.info.height, &written);
    report("pixels", (int)r.code, pixels, row * (size_t)r.info.height);
    differ = write_codes(pixels, &r.info, channels, &r, m);
    free(pixels);
  }
  pe_jpeg_destroy(r.decoder);
  return differ;
}

int main(int count, char **arguments) {
  int differ = 0;
  for (int i = 1; i < count; i++) {
    FILE *file = fopen(arguments[i], "rb");
    static uint8_t bytes[1 << 20];
    const size_t size = file != NULL ? fread(bytes, 1, sizeof bytes, file) : 0;
    if (file == NULL) {
      fprintf(stderr, "entropy: %s cannot be read\n", arguments[i]);
      return 66;
    }
    fclose(file);
    if (size == 0) continue;
    const char *slash = strrchr(arguments[i], '/');
    file_name = slash != NULL ? slash + 1 : arguments[i];
    mcu_memory all = read_coefficients("coefficients", bytes, size, (pe_jpeg_options){0});
    discard(read_coefficients("lenient", bytes, size, (pe_jpeg_options){.is_lenient = 1}));
    discard(read_coefficients("luma", bytes, size, (pe_jpeg_options){.luma_only = 1}));
    discard(read_coefficients("eighth", bytes, size, (pe_jpeg_options){.scale_denominator = 8}));
    read_areas(bytes, size);
    read_intervals(bytes, size);
    if (all.count > 0 && reconstruct(bytes, size, all)) {
      printf("%s: the coders differ\n", file_name);
      differ = 1;
    }
    discard(all);
  }
  return differ;
}

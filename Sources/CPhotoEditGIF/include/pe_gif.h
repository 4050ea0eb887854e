// SPDX-License-Identifier: Apache-2.0
// giflib for Swift: the color indices of the first image of a GIF. The library is loaded when the
// first GIF is read. A decoder must not be used by several threads at the same time.
#ifndef PE_GIF_H
#define PE_GIF_H
#include <stddef.h>
#include <stdint.h>

typedef enum __attribute__((enum_extensibility(closed))) {
  PE_GIF_OK,
  PE_GIF_DAMAGED,
  PE_GIF_OUT_OF_MEMORY,
} pe_gif_code;

typedef struct {
  /// The canvas, and the position of the first image on it.
  uint32_t canvas_width, canvas_height, left, top, width, height;
  int32_t is_interlaced;
  /// The transparent index, or -1.
  int32_t transparent;
  /// Number of palette colors; `palette` has the red, green and blue of each.
  int32_t color_count;
  uint8_t palette[768];
} pe_gif_info;

#define PE_GIF_MESSAGE_CAPACITY 240

/// Loads the library once; returns 0, or -1 with the reason in `message` (PE_GIF_MESSAGE_CAPACITY
/// bytes).
int32_t pe_gif_load(char *message);

typedef struct pe_gif_decoder pe_gif_decoder;

/// Returns NULL if out of memory. The bytes must outlive the decoder.
pe_gif_decoder *pe_gif_create(const uint8_t *bytes, size_t count);
void pe_gif_destroy(pe_gif_decoder *decoder);

/// Reads everything before the data of the first image.
pe_gif_code pe_gif_read_info(pe_gif_decoder *decoder, pe_gif_info *info);
/// Reads the next row of indices in file order, which differs for interlaced images.
pe_gif_code pe_gif_read_row(pe_gif_decoder *decoder, uint8_t *indices);

/// The message of the last failed call: one clause without a full stop.
const char *pe_gif_message(const pe_gif_decoder *decoder);

/// The version of the compiled headers; the library need not be loaded.
const char *pe_gif_version(void);
#endif

// SPDX-License-Identifier: Apache-2.0
// giflib for Swift: the colour indices of the first picture of a GIF. Opened when the first such
// file comes. One decoder belongs to one thread at a time.
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
  /// The canvas, and the place of the first picture on it.
  uint32_t canvas_width, canvas_height, left, top, width, height;
  int32_t is_interlaced;
  /// The index that is transparent, or -1.
  int32_t transparent;
  /// Colours of the palette; red, green and blue of each are in `palette`.
  int32_t color_count;
  uint8_t palette[768];
} pe_gif_info;

#define PE_GIF_MESSAGE_CAPACITY 240

/// Opens the library once; returns 0, or -1 and why in `message` of PE_GIF_MESSAGE_CAPACITY bytes.
int32_t pe_gif_load(char *message);

typedef struct pe_gif_decoder pe_gif_decoder;

/// Returns NULL when memory is short. The bytes must outlive the decoder.
pe_gif_decoder *pe_gif_create(const uint8_t *bytes, size_t count);
void pe_gif_destroy(pe_gif_decoder *decoder);

/// Reads up to the first picture.
pe_gif_code pe_gif_read_info(pe_gif_decoder *decoder, pe_gif_info *info);
/// Reads the next row of indices in the order of the file, which interlacing changes.
pe_gif_code pe_gif_read_row(pe_gif_decoder *decoder, uint8_t *indices);

/// What the last failing call has to say; one clause without a full stop.
const char *pe_gif_message(const pe_gif_decoder *decoder);

/// The version that was built against; nothing is loaded to answer.
const char *pe_gif_version(void);
#endif

// SPDX-License-Identifier: Apache-2.0
#include "pe_gif.h"
#include "pe_library.h"
#include <gif_lib.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(GIFLIB_MAJOR * 100 + GIFLIB_MINOR >= 502, "requires GIFLIB 5.2 or newer");

#define TEXT(x) #x
#define VALUE(x) TEXT(x)

#define FUNCTIONS(X)                                                                              \
  X(DGifCloseFile)                                                                                \
  X(DGifExtensionToGCB)                                                                           \
  X(DGifGetExtension)                                                                             \
  X(DGifGetExtensionNext)                                                                         \
  X(DGifGetImageHeader)                                                                           \
  X(DGifGetLine)                                                                                  \
  X(DGifGetRecordType)                                                                            \
  X(DGifOpen)                                                                                     \
  X(GifErrorString)

#define DECLARE(name) __typeof__(&name) name;
static struct { FUNCTIONS(DECLARE) } library;

int32_t pe_gif_load(char *message) {
#define SYMBOL(name) {#name, (void **)&library.name},
  static const pe_library_symbol symbols[] = {FUNCTIONS(SYMBOL)};
  return pe_library_open("libgif.so.7", symbols, sizeof symbols / sizeof symbols[0], message);
}

const char *pe_gif_version(void) {
  return VALUE(GIFLIB_MAJOR) "." VALUE(GIFLIB_MINOR) "." VALUE(GIFLIB_RELEASE);
}

struct pe_gif_decoder {
  const uint8_t *bytes;
  size_t count, offset;
  GifFileType *file;
  const char *message;
  int32_t is_short;
};

static int read_bytes(GifFileType *file, GifByteType *out, int requested) {
  pe_gif_decoder *decoder = file->UserData;
  size_t remaining = decoder->count - decoder->offset;
  size_t count = requested < 0 ? 0 : (size_t)requested < remaining ? (size_t)requested : remaining;
  if (count < (size_t)requested) decoder->is_short = 1;
  memcpy(out, decoder->bytes + decoder->offset, count);
  decoder->offset += count;
  return (int)count;
}

pe_gif_decoder *pe_gif_create(const uint8_t *bytes, size_t count) {
  pe_gif_decoder *decoder = calloc(1, sizeof *decoder);
  if (decoder == NULL) return NULL;
  decoder->bytes = bytes;
  decoder->count = count;
  return decoder;
}

void pe_gif_destroy(pe_gif_decoder *decoder) {
  if (decoder == NULL) return;
  int error = 0;
  if (decoder->file != NULL) library.DGifCloseFile(decoder->file, &error);
  free(decoder);
}

static pe_gif_code fail(pe_gif_decoder *decoder, int error, const char *otherwise) {
  const char *text = library.GifErrorString(error);
  decoder->message = decoder->is_short ? "unexpected end of file" : text != NULL ? text : otherwise;
  return error == D_GIF_ERR_NOT_ENOUGH_MEM ? PE_GIF_OUT_OF_MEMORY : PE_GIF_DAMAGED;
}

/// Reads all blocks of an extension; the last graphics control before an image counts.
static int read_extension(pe_gif_decoder *decoder, pe_gif_info *info) {
  int function = 0;
  GifByteType *block = NULL;
  if (library.DGifGetExtension(decoder->file, &function, &block) == GIF_ERROR) return 0;
  while (block != NULL) {
    GraphicsControlBlock control;
    if (function == GRAPHICS_EXT_FUNC_CODE &&
        library.DGifExtensionToGCB(block[0], block + 1, &control) == GIF_OK)
      info->transparent = control.TransparentColor;
    if (library.DGifGetExtensionNext(decoder->file, &block) == GIF_ERROR) return 0;
  }
  return 1;
}

static int find_image(pe_gif_decoder *decoder, pe_gif_info *info) {
  while (1) {
    GifRecordType type = UNDEFINED_RECORD_TYPE;
    if (library.DGifGetRecordType(decoder->file, &type) == GIF_ERROR) return 0;
    switch (type) {
    case IMAGE_DESC_RECORD_TYPE:
      return library.DGifGetImageHeader(decoder->file) != GIF_ERROR;
    case EXTENSION_RECORD_TYPE:
      if (!read_extension(decoder, info)) return 0;
      break;
    default: return 0;
    }
  }
}

static void read_palette(const ColorMapObject *map, pe_gif_info *info) {
  info->color_count = map->ColorCount < 256 ? map->ColorCount : 256;
  for (int32_t i = 0; i < info->color_count; i++) {
    info->palette[3 * i] = map->Colors[i].Red;
    info->palette[3 * i + 1] = map->Colors[i].Green;
    info->palette[3 * i + 2] = map->Colors[i].Blue;
  }
}

pe_gif_code pe_gif_read_info(pe_gif_decoder *decoder, pe_gif_info *info) {
  memset(info, 0, sizeof *info);
  info->transparent = -1;
  int error = 0;
  decoder->file = library.DGifOpen(decoder, read_bytes, &error);
  if (decoder->file == NULL) return fail(decoder, error, "header is damaged");
  GifFileType *file = decoder->file;
  if (!find_image(decoder, info)) return fail(decoder, file->Error, "no image found");
  const ColorMapObject *map = file->Image.ColorMap != NULL ? file->Image.ColorMap : file->SColorMap;
  if (map == NULL) return fail(decoder, D_GIF_ERR_NO_COLOR_MAP, "no color map found");
  read_palette(map, info);
  info->canvas_width = (uint32_t)file->SWidth;
  info->canvas_height = (uint32_t)file->SHeight;
  info->left = (uint32_t)file->Image.Left;
  info->top = (uint32_t)file->Image.Top;
  info->width = (uint32_t)file->Image.Width;
  info->height = (uint32_t)file->Image.Height;
  info->is_interlaced = file->Image.Interlace;
  return PE_GIF_OK;
}

pe_gif_code pe_gif_read_row(pe_gif_decoder *decoder, uint8_t *indices) {
  GifFileType *file = decoder->file;
  if (library.DGifGetLine(file, indices, file->Image.Width) != GIF_ERROR) return PE_GIF_OK;
  return fail(decoder, file->Error, "image data is damaged");
}

const char *pe_gif_message(const pe_gif_decoder *decoder) {
  return decoder->message != NULL ? decoder->message : "";
}

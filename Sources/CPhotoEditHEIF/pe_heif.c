// SPDX-License-Identifier: Apache-2.0
#include "pe_heif.h"
#include "pe_heif_hevc.h"
#include "pe_heif_library.h"
#include "pe_library.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int32_t fail(int32_t code, const char *text, char *message) {
  snprintf(message, PE_HEIF_MESSAGE_CAPACITY, "%s", text != NULL ? text : "unknown error");
  pe_library_clean_message(message);
  return code;
}

static int32_t refuse(struct heif_error error, char *message) {
  int32_t code = PE_HEIF_DAMAGED;
  if (error.code == heif_error_Memory_allocation_error &&
      error.subcode != heif_suberror_Security_limit_exceeded)
    code = PE_HEIF_OUT_OF_MEMORY;
  // Version 1.15 reports the second kind as plain invalid input, identifiable only by its text.
  if (error.subcode == heif_suberror_Security_limit_exceeded ||
      strstr(error.message, "Too many") != NULL)
    code = PE_HEIF_LIMIT;
  if (error.code == heif_error_Unsupported_filetype || error.code == heif_error_Unsupported_feature)
    code = PE_HEIF_UNSUPPORTED;
  // The decoder's own message follows libheif's words for its codes.
  static const char words[] = ": Unspecified: ";
  const char *text = error.message;
  if (error.code == heif_error_Decoder_plugin_error && strstr(text, words) != NULL)
    text = strstr(text, words) + sizeof words - 1;
  return fail(code, text, message);
}

// The dimensions of a chroma plane follow from the chroma format; the library's values are checked
// against them.
static int has_plane(
    const struct heif_image *image, enum heif_channel channel, const pe_heif_image *decoded,
    int shift_x, int shift_y, struct pe_heif_plane *plane) {
  int bytes_per_row = 0;
  if (!pe_heif.heif_image_has_channel(image, channel)) return 0;
  plane->bytes = pe_heif.heif_image_get_plane_readonly(image, channel, &bytes_per_row);
  int width = pe_heif.heif_image_get_width(image, channel);
  int height = pe_heif.heif_image_get_height(image, channel);
  plane->bits = pe_heif.heif_image_get_bits_per_pixel_range(image, channel);
  plane->shift_x = shift_x;
  plane->shift_y = shift_y;
  if (plane->bytes == NULL || width <= 0 || height <= 0 || bytes_per_row <= 0) return 0;
  if (plane->bits < 8 || plane->bits > 16) return 0;
  if ((int64_t)bytes_per_row < (int64_t)width * (plane->bits > 8 ? 2 : 1)) return 0;
  plane->width = (uint32_t)width;
  plane->height = (uint32_t)height;
  plane->bytes_per_row = (size_t)bytes_per_row;
  // Rotating an image with an odd side may drop half a column; the last one is then repeated.
  uint64_t columns = (uint64_t)decoded->width >> shift_x;
  uint64_t rows = (uint64_t)decoded->height >> shift_y;
  return plane->width >= columns && plane->height >= rows;
}

static int find_planes(pe_heif_image *decoded, pe_heif_facts *facts) {
  const struct heif_image *image = decoded->image;
  enum heif_colorspace space = pe_heif.heif_image_get_colorspace(image);
  enum heif_chroma chroma = pe_heif.heif_image_get_chroma_format(image);
  facts->is_rgb = space == heif_colorspace_RGB;
  facts->is_gray = chroma == heif_chroma_monochrome || space == heif_colorspace_monochrome;
  decoded->is_gray = facts->is_gray;
  int shift_x = chroma == heif_chroma_420 || chroma == heif_chroma_422;
  int shift_y = chroma == heif_chroma_420;
  facts->is_subsampled = !facts->is_gray && shift_x;
  if (!facts->is_gray && !shift_x && chroma != heif_chroma_444) return 0;
  static const enum heif_channel ycbcr[] = {heif_channel_Y, heif_channel_Cb, heif_channel_Cr};
  // The plane order for the identity matrix.
  static const enum heif_channel gbr[] = {heif_channel_G, heif_channel_B, heif_channel_R};
  const enum heif_channel *channels = facts->is_rgb ? gbr : ycbcr;
  int width = pe_heif.heif_image_get_width(image, channels[0]);
  int height = pe_heif.heif_image_get_height(image, channels[0]);
  if (width <= 0 || height <= 0) return 0;
  facts->width = decoded->width = (uint32_t)width;
  facts->height = decoded->height = (uint32_t)height;
  for (int i = 0; i < (facts->is_gray ? 1 : 3); i++) {
    int x = i > 0 ? shift_x : 0, y = i > 0 ? shift_y : 0;
    if (!has_plane(image, channels[i], decoded, x, y, &decoded->planes[i])) return 0;
    if (decoded->planes[i].bits != decoded->planes[0].bits) return 0;
  }
  facts->bits = decoded->planes[0].bits;
  if (!pe_heif.heif_image_has_channel(image, heif_channel_Alpha)) return 1;
  if (!has_plane(image, heif_channel_Alpha, decoded, 0, 0, &decoded->alpha)) return 0;
  facts->alpha_bits = decoded->alpha.bits;
  return 1;
}

static void find_color(const struct heif_image *image, pe_heif_facts *facts) {
  struct heif_color_profile_nclx *profile = NULL;
  struct heif_error error = pe_heif.heif_image_get_nclx_color_profile(image, &profile);
  if (error.code != heif_error_Ok || profile == NULL) return;
  facts->has_color = 1;
  facts->primaries = profile->color_primaries;
  facts->transfer = profile->transfer_characteristics;
  facts->matrix = profile->matrix_coefficients;
  facts->is_full_range = profile->full_range_flag != 0;
  pe_heif.heif_nclx_color_profile_free(profile);
}

// A file in memory in which some bytes are masked.
struct masked_file {
  const uint8_t *bytes;
  size_t count, position;
  const pe_heif_options *options;
};

static int64_t masked_position(void *file) {
  return (int64_t)((const struct masked_file *)file)->position;
}

static int masked_read(void *data, size_t size, void *user) {
  struct masked_file *file = user;
  if (size > file->count - file->position) return 1;
  memcpy(data, file->bytes + file->position, size);
  const pe_heif_patch *patches = file->options->patches;
  size_t first = 0, count = file->options->patch_count, end = count;
  while (first < end) {
    size_t middle = first + (end - first) / 2;
    if (patches[middle].offset < file->position)
      first = middle + 1;
    else
      end = middle;
  }
  for (; first < count && patches[first].offset - file->position < size; first++)
    ((uint8_t *)data)[patches[first].offset - file->position] = patches[first].value;
  file->position += size;
  return 0;
}

static int masked_seek(int64_t position, void *user) {
  struct masked_file *file = user;
  if (position < 0 || (uint64_t)position > file->count) return 1;
  file->position = (size_t)position;
  return 0;
}

static enum heif_reader_grow_status masked_wait(int64_t size, void *user) {
  const struct masked_file *file = user;
  return size >= 0 && (uint64_t)size <= file->count ? heif_reader_grow_status_size_reached
                                                    : heif_reader_grow_status_size_beyond_eof;
}

static const struct heif_reader masked_reader = {
    .reader_api_version = 1,
    .get_position = masked_position,
    .read = masked_read,
    .seek = masked_seek,
    .wait_for_file_size = masked_wait,
};

// The options of version 10. Headers of older versions end before the last member.
struct options_10 {
  uint8_t version, ignores_transformations;
  void (*progress[3])(void);
  void *progress_data;
  uint8_t converts_to_8_bits, is_strict;
  const char *decoder;
  struct {
    uint8_t version;
    int downsampling, upsampling;
    uint8_t uses_only_these;
  } conversion;
  int (*is_cancelled)(void *);
  void *extended_conversion;
  int ignores_edit_list;
  void *output_color;
  int thread_counts[2];
  uint8_t corrects_input, keeps_color;
};
#if LIBHEIF_NUMERIC_VERSION >= 0x01170600
_Static_assert(
    offsetof(struct options_10, keeps_color) ==
        offsetof(struct heif_decoding_options, output_image_nclx_profile_passthrough),
    "the options of libheif have another layout");
#endif

static struct heif_error decode(
    struct heif_context *context, int32_t is_gray, struct heif_image **image) {
  struct heif_image_handle *handle = NULL;
  struct heif_error error = pe_heif.heif_context_get_primary_image_handle(context, &handle);
  if (error.code != heif_error_Ok) return error;
  struct heif_decoding_options *options = pe_heif.heif_decoding_options_alloc();
  if (options != NULL && options->version >= 3) options->strict_decoding = 1;
  // Libraries with these options would otherwise convert every image to sRGB, even from PQ.
  if (options != NULL && options->version >= 10) ((struct options_10 *)options)->keeps_color = 1;
  // Color is taken in the library's color space: version 1.15 has RGB, and requesting luma and
  // chroma would convert it back with a different matrix.
  enum heif_colorspace space = is_gray ? heif_colorspace_monochrome : heif_colorspace_undefined;
  enum heif_chroma format = is_gray ? heif_chroma_monochrome : heif_chroma_undefined;
  error = pe_heif.heif_decode_image(handle, image, space, format, options);
  pe_heif.heif_decoding_options_free(options);
  pe_heif.heif_image_handle_release(handle);
  return error;
}

static int32_t decode_file(
    const uint8_t *bytes, size_t count, const pe_heif_options *options, pe_heif_image *decoded,
    char *message) {
  struct heif_context *context = pe_heif.heif_context_alloc();
  if (context == NULL) return fail(PE_HEIF_OUT_OF_MEMORY, "out of memory", message);
  pe_heif.heif_context_set_maximum_image_size_limit(context, options->maximum_side);
  struct masked_file masked = {.bytes = bytes, .count = count, .options = options};
  struct heif_error error =
      options->patch_count > 0
          ? pe_heif.heif_context_read_from_reader(context, &masked_reader, &masked, NULL)
          : pe_heif.heif_context_read_from_memory_without_copy(context, bytes, count, NULL);
  if (error.code == heif_error_Ok) error = decode(context, options->is_gray, &decoded->image);
  int32_t code = error.code == heif_error_Ok ? PE_HEIF_OK : refuse(error, message);
  // Error messages may belong to the context.
  pe_heif.heif_context_free(context);
  return code;
}

int32_t pe_heif_decode(
    const uint8_t *bytes, size_t count, const pe_heif_options *options, pe_heif_image **image,
    pe_heif_facts *facts, char message[PE_HEIF_MESSAGE_CAPACITY]) {
  memset(facts, 0, sizeof *facts);
  *image = NULL;
  pe_heif_image *decoded = calloc(1, sizeof *decoded);
  if (decoded == NULL) return fail(PE_HEIF_OUT_OF_MEMORY, "out of memory", message);
  pe_hevc_begin(0);
  int32_t code = decode_file(bytes, count, options, decoded, message);
  pe_hevc_end(NULL, NULL);
  if (code == PE_HEIF_DAMAGED && options->is_lenient) {
    char reason[PE_HEIF_MESSAGE_CAPACITY];
    pe_hevc_begin(1);
    code = decode_file(bytes, count, options, decoded, reason);
    pe_hevc_end(&facts->damaged_count, &facts->image_count);
    if (code != PE_HEIF_OK) memcpy(message, reason, sizeof reason);
  }
  if (code == PE_HEIF_OK && !find_planes(decoded, facts))
    code = fail(PE_HEIF_UNSUPPORTED, "planes with inconsistent sizes or bit depths", message);
  if (code != PE_HEIF_OK) {
    pe_heif_destroy(decoded);
    return code;
  }
  find_color(decoded->image, facts);
  *image = decoded;
  return PE_HEIF_OK;
}

void pe_heif_destroy(pe_heif_image *image) {
  if (image == NULL) return;
  if (image->image != NULL) pe_heif.heif_image_release(image->image);
  free(image);
}

// SPDX-License-Identifier: Apache-2.0
// A decoder of HEVC pictures for libheif, over libde265.
//
// libheif's own use of libde265 ignores errors and decodes into memory that is not cleared, so that
// the blocks that a damaged file lacks show what the process decoded before. Here, planes start as
// medium gray, and a picture with damage is refused.
#define _GNU_SOURCE
#include "pe_heif_hevc.h"
#include "pe_heif.h"
#include "pe_heif_library.h"
#include "pe_library.h"
#include <libde265/de265.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PE_HEVC_FUNCTIONS(X)                                                                       \
  X(de265_init)                                                                                    \
  X(de265_new_decoder)                                                                             \
  X(de265_free_decoder)                                                                            \
  X(de265_start_worker_threads)                                                                    \
  X(de265_push_NAL)                                                                                \
  X(de265_flush_data)                                                                              \
  X(de265_decode)                                                                                  \
  X(de265_get_warning)                                                                             \
  X(de265_get_next_picture)                                                                        \
  X(de265_release_next_picture)                                                                    \
  X(de265_set_parameter_bool)                                                                      \
  X(de265_get_image_width)                                                                         \
  X(de265_get_image_height)                                                                        \
  X(de265_get_chroma_format)                                                                       \
  X(de265_get_bits_per_pixel)                                                                      \
  X(de265_get_image_plane)                                                                         \
  X(de265_get_image_plane_user_data)                                                               \
  X(de265_set_image_plane)                                                                         \
  X(de265_get_default_image_allocation_functions)                                                  \
  X(de265_get_image_colour_primaries)                                                              \
  X(de265_get_image_transfer_characteristics)                                                      \
  X(de265_get_image_matrix_coefficients)                                                           \
  X(de265_get_image_full_range_flag)

static struct {
#define PE_HEVC_DECLARE(name) __typeof__(&name) name;
  PE_HEVC_FUNCTIONS(PE_HEVC_DECLARE)
#undef PE_HEVC_DECLARE
} hevc;

// libheif passes nothing of a caller to a decoder, and decodes tiles in threads of its own. A
// lenient decoding therefore runs alone, with these variables; all others share the lock.
#ifdef __GLIBC__
static pthread_rwlock_t decoding = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
#else
static pthread_rwlock_t decoding = PTHREAD_RWLOCK_INITIALIZER;
#endif
static int is_lenient;
static atomic_int damaged_count, image_count;

void pe_hevc_begin(int lenient) {
  if (!lenient) {
    pthread_rwlock_rdlock(&decoding);
    return;
  }
  pthread_rwlock_wrlock(&decoding);
  is_lenient = 1;
  damaged_count = image_count = 0;
}

void pe_hevc_end(int32_t *damaged, int32_t *images) {
  if (is_lenient) {
    *damaged = damaged_count;
    *images = image_count;
    is_lenient = 0;
  }
  pthread_rwlock_unlock(&decoding);
}

// MARK: Memory

// A part of a picture that is missing from the file stays gray and keeps its mark, one in each block
// of 16 by 16 samples, the smallest unit of decoding. No filter of adjacent blocks reaches a mark,
// and a decoded block with the same samples would only make the picture appear damaged.
enum { unit = 16, mark_rows = 2, mark_columns = 4, mark_x = 1, mark_y = 3, mark_end = 5 };
static const uint8_t mark[mark_rows][mark_columns] = {
    {0x1d, 0xe3, 0x0b, 0xf4}, {0xc9, 0x36, 0x92, 0x71}};

/// The memory of a plane, including the rows and columns that are not part of the image.
struct plane {
  uint8_t *bytes;
  /// Samples from a row to the next.
  size_t stride;
  int width, height, bits;
};

static void put(const struct plane *plane, int x, int y, int value) {
  size_t index = (size_t)y * plane->stride + (size_t)x;
  if (plane->bits > 8)
    ((uint16_t *)(void *)plane->bytes)[index] = (uint16_t)value;
  else
    plane->bytes[index] = (uint8_t)value;
}

static int get(const struct plane *plane, int x, int y) {
  size_t index = (size_t)y * plane->stride + (size_t)x;
  return plane->bits > 8 ? ((const uint16_t *)(const void *)plane->bytes)[index]
                         : plane->bytes[index];
}

static void write_mark(const struct plane *luma, int x, int y, int is_gray) {
  for (int row = 0; row < mark_rows; row++)
    for (int column = 0; column < mark_columns; column++)
      put(luma, x + mark_x + column, y + mark_y + row,
          is_gray ? 1 << (luma->bits - 1) : mark[row][column]);
}

static int has_mark(const struct plane *luma, int x, int y) {
  for (int row = 0; row < mark_rows; row++)
    for (int column = 0; column < mark_columns; column++)
      if (get(luma, x + mark_x + column, y + mark_y + row) != mark[row][column]) return 0;
  return 1;
}

// Returns a gray plane in one block of memory.
static struct plane *make_plane(int width, int height, int bits) {
  size_t stride = ((size_t)width + 15) & ~(size_t)15;
  // libde265 reads a few bytes past the last row.
  size_t samples = stride * (size_t)height + 64, size = samples * (bits > 8 ? 2 : 1), head = 64;
  void *memory = NULL;
  _Static_assert(sizeof(struct plane) <= 64, "the owner is before the samples");
  if (posix_memalign(&memory, 64, head + size) != 0) return NULL;
  struct plane *plane = memory;
  *plane = (struct plane){(uint8_t *)memory + head, stride, width, height, bits};
  if (bits <= 8) {
    memset(plane->bytes, 1 << (bits - 1), size);
  } else {
    uint16_t *words = (void *)plane->bytes;
    for (size_t i = 0; i < samples; i++) words[i] = (uint16_t)(1 << (bits - 1));
  }
  return plane;
}

static void release_planes(de265_decoder_context *context, struct de265_image *image, void *user) {
  (void)context, (void)user;
  for (int i = 0; i < 3; i++) {
    free(hevc.de265_get_image_plane_user_data(image, i));
    hevc.de265_set_image_plane(image, i, NULL, 0, NULL);
  }
}

static int make_planes(
    de265_decoder_context *context, struct de265_image_spec *spec, struct de265_image *image,
    void *user) {
  (void)context, (void)user;
  enum de265_chroma chroma = hevc.de265_get_chroma_format(image);
  int shift_x = chroma == de265_chroma_420 || chroma == de265_chroma_422;
  int shift_y = chroma == de265_chroma_420;
  struct plane *planes[3] = {NULL, NULL, NULL};
  for (int i = 0; i < (chroma == de265_chroma_mono ? 1 : 3); i++) {
    int width = i > 0 ? (spec->width + shift_x) >> shift_x : spec->width;
    int height = i > 0 ? (spec->height + shift_y) >> shift_y : spec->height;
    planes[i] = make_plane(width, height, hevc.de265_get_bits_per_pixel(image, i));
    if (planes[i] != NULL) continue;
    while (i-- > 0) free(planes[i]);
    return 0;
  }
  for (int y = 0; y + mark_end <= spec->height; y += unit)
    for (int x = 0; x + mark_end <= spec->width; x += unit) write_mark(planes[0], x, y, 0);
  for (int i = 0; i < 3; i++) {
    const struct plane *plane = planes[i];
    size_t row = plane == NULL ? 0 : plane->stride * (plane->bits > 8 ? 2 : 1);
    hevc.de265_set_image_plane(
        image, i, plane != NULL ? plane->bytes : NULL, (int)row, planes[i]);
  }
  return 1;
}

// Returns whether a part of the picture was not decoded, and removes the marks of all such parts.
static int lacks_parts(const struct de265_image *image) {
  const struct plane *luma = hevc.de265_get_image_plane_user_data(image, 0);
  int lacks = 0;
  for (int y = 0; y + mark_end <= luma->height; y += unit)
    for (int x = 0; x + mark_end <= luma->width; x += unit)
      if (has_mark(luma, x, y)) {
        lacks = 1;
        write_mark(luma, x, y, 1);
      }
  return lacks;
}

// MARK: The decoder

struct decoder {
  de265_decoder_context *context;
  int is_strict;
  /// Nonzero after the picture was requested; there is no second one.
  int is_done;
};

static const struct heif_error success = {heif_error_Ok, heif_suberror_Unspecified, "success"};

static struct heif_error error_of(const char *message) {
  return (struct heif_error){heif_error_Decoder_plugin_error, heif_suberror_Unspecified, message};
}

static const char *name(void) { return "libde265 with checks (photoedit)"; }

static int does_support(enum heif_compression_format format) {
  // libheif's own decoders have priorities of up to 150.
  return format == heif_compression_HEVC ? 1000 : 0;
}

static void init(void) {
  // Keeps the tables of libde265, which it otherwise builds for each picture.
  hevc.de265_init();
  // The functions of a decoder are used only for the result of the last filter (SAO); the picture
  // before it has the memory of the library's default, which is a variable of the library. A thread
  // of another user of libde265 that sees one of the two assignments loses the memory of a picture.
  struct de265_image_allocation *functions =
      (struct de265_image_allocation *)hevc.de265_get_default_image_allocation_functions();
  functions->release_buffer = release_planes;
  functions->get_buffer = make_planes;
}

static struct heif_error new_decoder(void **out) {
  static const struct heif_error failure = {
      heif_error_Memory_allocation_error, heif_suberror_Unspecified, "out of memory"};
  struct decoder *decoder = calloc(1, sizeof *decoder);
  if (decoder != NULL) decoder->context = hevc.de265_new_decoder();
  if (decoder == NULL || decoder->context == NULL) {
    free(decoder);
    return failure;
  }
  hevc.de265_set_parameter_bool(
      decoder->context, DE265_DECODER_PARAM_SUPPRESS_FAULTY_PICTURES, !is_lenient);
  hevc.de265_start_worker_threads(decoder->context, 1);
  *out = decoder;
  return success;
}

static void free_decoder(void *user) {
  struct decoder *decoder = user;
  hevc.de265_free_decoder(decoder->context);
  free(decoder);
}

static void set_strict(void *user, int flag) { ((struct decoder *)user)->is_strict = flag; }

// libheif delivers each unit after its length in four bytes.
static struct heif_error push_data(void *user, const void *data, size_t size) {
  const struct decoder *decoder = user;
  const uint8_t *bytes = data;
  while (size > 0) {
    if (size < 4) return error_of("a unit is truncated");
    size_t length =
        (size_t)bytes[0] << 24 | (size_t)bytes[1] << 16 | (size_t)bytes[2] << 8 | bytes[3];
    bytes += 4, size -= 4;
    if (length > size || length > INT32_MAX) return error_of("a unit is truncated");
    if (hevc.de265_push_NAL(decoder->context, bytes, (int)length, 0, NULL) != DE265_OK)
      return error_of("a unit is unreadable");
    bytes += length, size -= length;
  }
  return success;
}

static struct heif_error copy_planes(const struct de265_image *from, struct heif_image *to) {
  static const enum heif_channel channels[] = {heif_channel_Y, heif_channel_Cb, heif_channel_Cr};
  int bits = hevc.de265_get_bits_per_pixel(from, 0);
  int count = hevc.de265_get_chroma_format(from) == de265_chroma_mono ? 1 : 3;
  for (int i = 0; i < count; i++) {
    static const struct heif_error depths = {
        heif_error_Unsupported_feature, heif_suberror_Unsupported_color_conversion,
        "planes of different bit depths"};
    if (hevc.de265_get_bits_per_pixel(from, i) != bits) return depths;
    int width = hevc.de265_get_image_width(from, i), height = hevc.de265_get_image_height(from, i);
    if (width <= 0 || height <= 0) return error_of("a plane is empty");
    struct heif_error error = pe_heif.heif_image_add_plane(to, channels[i], width, height, bits);
    if (error.code != heif_error_Ok) return error;
    int from_stride = 0, to_stride = 0;
    const uint8_t *source = hevc.de265_get_image_plane(from, i, &from_stride);
    uint8_t *target = pe_heif.heif_image_get_plane(to, channels[i], &to_stride);
    if (source == NULL || target == NULL) return error_of("a plane is missing");
    for (int y = 0; y < height; y++)
      memcpy(target + (size_t)y * (size_t)to_stride, source + (size_t)y * (size_t)from_stride,
             (size_t)width * (bits > 8 ? 2 : 1));
  }
  return success;
}

// Codes unknown to libheif are refused by a strict caller, as by libheif's own decoder.
static struct heif_error copy_color(
    const struct de265_image *from, struct heif_image *to, int is_strict) {
  struct heif_color_profile_nclx *color = pe_heif.heif_nclx_color_profile_alloc();
  if (color == NULL) return error_of("out of memory");
  struct heif_error errors[] = {
      pe_heif.heif_nclx_color_profile_set_color_primaries(
          color, (uint16_t)hevc.de265_get_image_colour_primaries(from)),
      pe_heif.heif_nclx_color_profile_set_transfer_characteristics(
          color, (uint16_t)hevc.de265_get_image_transfer_characteristics(from)),
      pe_heif.heif_nclx_color_profile_set_matrix_coefficients(
          color, (uint16_t)hevc.de265_get_image_matrix_coefficients(from)),
  };
  color->full_range_flag = hevc.de265_get_image_full_range_flag(from) != 0;
  pe_heif.heif_image_set_nclx_color_profile(to, color);
  pe_heif.heif_nclx_color_profile_free(color);
  for (int i = 0; i < 3; i++)
    if (is_strict && errors[i].code != heif_error_Ok) return errors[i];
  return success;
}

static struct heif_error copy(
    const struct de265_image *from, struct heif_image **out, int is_strict) {
  enum de265_chroma chroma = hevc.de265_get_chroma_format(from);
  struct heif_error error = pe_heif.heif_image_create(
      hevc.de265_get_image_width(from, 0), hevc.de265_get_image_height(from, 0),
      chroma == de265_chroma_mono ? heif_colorspace_monochrome : heif_colorspace_YCbCr,
      (enum heif_chroma)chroma, out);
  if (error.code != heif_error_Ok) return error;
  error = copy_planes(from, *out);
  if (error.code == heif_error_Ok) error = copy_color(from, *out, is_strict);
  if (error.code != heif_error_Ok) {
    pe_heif.heif_image_release(*out);
    *out = NULL;
  }
  return error;
}

// Returns whether a warning is a sign of damage; the others are about threads, and about messages
// that have no influence on the picture.
static int has_damage_warning(de265_decoder_context *context) {
  de265_error each;
  int found = 0;
  while ((each = hevc.de265_get_warning(context)) != DE265_OK) {
    switch (each) {
      case DE265_WARNING_NO_WPP_CANNOT_USE_MULTITHREADING:
      case DE265_WARNING_NUMBER_OF_THREADS_LIMITED_TO_MAXIMUM:
      case DE265_WARNING_INCORRECT_ENTRY_POINT_OFFSET:
      case DE265_WARNING_SPS_MISSING_CANNOT_DECODE_SEI: break;
      default: found = 1;
    }
  }
  return found;
}

static struct heif_error decode_image(void *user, struct heif_image **out) {
  struct decoder *decoder = user;
  de265_decoder_context *context = decoder->context;
  const char *damage = NULL;
  *out = NULL;
  if (decoder->is_done) return success;
  decoder->is_done = 1;
  hevc.de265_flush_data(context);
  // After an error, a lenient decoder continues with the next unit.
  for (int more = 1, errors = 0; more && errors < 64;) {
    more = 0;
    de265_error code = hevc.de265_decode(context, &more);
    if (code != DE265_OK) {
      damage = "the data of a picture is damaged";
      more = is_lenient;
      errors++;
    }
    const struct de265_image *image = hevc.de265_get_next_picture(context);
    if (image == NULL) continue;
    if (lacks_parts(image)) damage = "a part of the picture is missing";
    if (*out != NULL) pe_heif.heif_image_release(*out);
    struct heif_error error = copy(image, out, decoder->is_strict);
    hevc.de265_release_next_picture(context);
    if (error.code != heif_error_Ok) return error;
  }
  if (has_damage_warning(context)) damage = "the data of a picture is damaged";
  if (damage == NULL && *out == NULL) damage = "the data of a picture is faulty or incomplete";
  if (is_lenient) {
    image_count++;
    damaged_count += damage != NULL;
    if (*out != NULL) return success;
  }
  if (damage == NULL) return success;
  if (*out != NULL) pe_heif.heif_image_release(*out);
  *out = NULL;
  return error_of(damage);
}

// MARK: Loading

static int does_support_2(const enum heif_compression_format *format) {
  return does_support(*format);
}

// The first members of the options of a decoder since libheif 1.21.
struct decoder_options {
  enum heif_compression_format format;
  int strict_decoding;
};

static struct heif_error new_decoder_2(void **out, const struct decoder_options *options) {
  struct heif_error error = new_decoder(out);
  if (error.code == heif_error_Ok) set_strict(*out, options->strict_decoding);
  return error;
}

static struct heif_error push_data_2(void *user, const void *data, size_t size, uintptr_t tag) {
  (void)tag;
  return push_data(user, data, size);
}

static struct heif_error flush(void *user) {
  (void)user;
  return success;
}

static struct heif_error decode_image_2(
    void *user, struct heif_image **out, uintptr_t *tag, const void *limits) {
  (void)limits;
  if (tag != NULL) *tag = 0;
  return decode_image(user, out);
}

// libheif's structure of a decoder with all members of version 5, which libheif requires since 1.21;
// the headers may have fewer, and an older library ignores the others.
static struct {
  int version;
  const char *(*get_name)(void);
  void (*init)(void), (*end)(void);
  int (*does_support)(enum heif_compression_format);
  struct heif_error (*new_decoder)(void **);
  void (*free_decoder)(void *);
  struct heif_error (*push_data)(void *, const void *, size_t);
  struct heif_error (*decode_image)(void *, struct heif_image **);
  void (*set_strict)(void *, int);
  const char *identifier;
  void *decode_next_image;
  uint32_t minimum_library;
  int (*does_support_2)(const enum heif_compression_format *);
  struct heif_error (*new_decoder_2)(void **, const struct decoder_options *);
  struct heif_error (*push_data_2)(void *, const void *, size_t, uintptr_t);
  struct heif_error (*flush)(void *);
  struct heif_error (*decode_image_2)(void *, struct heif_image **, uintptr_t *, const void *);
} plugin = {
    .get_name = name,
    .init = init,
    .does_support = does_support,
    .new_decoder = new_decoder,
    .free_decoder = free_decoder,
    .push_data = push_data,
    .decode_image = decode_image,
    .set_strict = set_strict,
    .identifier = "photoedit-libde265",
    .does_support_2 = does_support_2,
    .new_decoder_2 = new_decoder_2,
    .push_data_2 = push_data_2,
    .flush = flush,
    .decode_image_2 = decode_image_2,
};

const char *pe_hevc_library_name(void) { return "libde265.so.0"; }

int32_t pe_hevc_load(char message[PE_HEIF_MESSAGE_CAPACITY]) {
  static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;
  static int is_registered;
  const pe_library_symbol symbols[] = {
#define PE_HEVC_SYMBOL(name) {#name, (void **)&hevc.name},
      PE_HEVC_FUNCTIONS(PE_HEVC_SYMBOL)
#undef PE_HEVC_SYMBOL
  };
  size_t count = sizeof symbols / sizeof symbols[0];
  if (pe_library_open(pe_hevc_library_name(), symbols, count, message) != 0) return PE_HEIF_MISSING;
  int32_t status = PE_HEIF_OK;
  pthread_mutex_lock(&loading);
  if (!is_registered) {
    // Another user of libheif in the process that ends its own use would remove the decoder.
    pe_heif.heif_init(NULL);
    plugin.version = pe_heif.heif_get_version_number() < 0x01150000 ? 3 : 5;
    const struct heif_decoder_plugin *decoder = (const void *)&plugin;
    is_registered = pe_heif.heif_register_decoder_plugin(decoder).code == heif_error_Ok;
    if (!is_registered) {
      snprintf(message, PE_HEIF_MESSAGE_CAPACITY, "libheif refuses the decoder");
      status = PE_HEIF_MISSING;
    }
  }
  pthread_mutex_unlock(&loading);
  return status;
}

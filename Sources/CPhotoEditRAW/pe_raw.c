// SPDX-License-Identifier: Apache-2.0
// For memmem.
#define _GNU_SOURCE
#include "pe_raw.h"
#include "pe_raw_library.h"
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A fused multiply-add, which some processors have, would round once instead of twice.
#pragma STDC FP_CONTRACT OFF

struct pe_raw_image {
  libraw_processed_image_t *pixels;
};

/// The flags of LibRaw's constructor: messages about memory and damage do not go to standard error.
/// Newer headers no longer name the first one, which has no effect there.
enum { QUIET = 1 | 2 };

/// LibRaw's number for the primaries of ProPhoto RGB, its number for AHD, and the treatment of
/// highlights in which a pixel that is clipped in some channels keeps the light of the others.
enum { PROPHOTO = 4, AHD = 3, BLEND = 2 };

/// The reports of the library while it reads a file.
typedef struct {
  const pe_raw_options *options;
  int is_damaged, is_truncated;
} observer;

#if LIBRAW_VERSION < LIBRAW_MAKE_VERSION(0, 22, 0)
typedef int file_offset;
#else
typedef INT64 file_offset;
#endif

static void note_damage(void *context, const char *file, const file_offset offset) {
  (void)file;
  observer *seen = context;
  seen->is_damaged = 1;
  if (offset < 0) seen->is_truncated = 1;
}

static int check_cancellation(void *context, enum LibRaw_progress stage, int step, int count) {
  (void)stage, (void)step, (void)count;
  const pe_raw_options *options = ((observer *)context)->options;
  return options->cancelled != NULL && options->cancelled(options->cancel_context);
}

static void set_message(char *message, const char *text) {
  snprintf(message, PE_RAW_MESSAGE_CAPACITY, "%s", text);
}

/// Converts a result of the library; everything that it does not call unsupported is damage.
static int32_t code_of(int result, const observer *seen, char *message) {
  switch (result) {
  case LIBRAW_SUCCESS:
    if (!seen->is_damaged) return PE_RAW_OK;
    set_message(message, seen->is_truncated ? "file ends inside the sensor data"
                                    : "sensor data is inconsistent");
    return PE_RAW_DAMAGED;
  case LIBRAW_UNSPECIFIED_ERROR:
  case LIBRAW_FILE_UNSUPPORTED:
  case LIBRAW_REQUEST_FOR_NONEXISTENT_IMAGE:
  case LIBRAW_NOT_IMPLEMENTED:
    return PE_RAW_UNSUPPORTED;
  case LIBRAW_UNSUFFICIENT_MEMORY:
  case LIBRAW_TOO_BIG:
  case LIBRAW_MEMPOOL_OVERFLOW:
    return PE_RAW_OUT_OF_MEMORY;
  case LIBRAW_CANCELLED_BY_CALLBACK:
    return PE_RAW_CANCELLED;
  default:
    set_message(message, result == LIBRAW_IO_ERROR || seen->is_truncated
                     ? "file ends inside the sensor data"
                     : "sensor data is inconsistent");
    return PE_RAW_DAMAGED;
  }
}

// While the library is in use, allocated memory is cleared: it does not fill all of its buffers and
// fields if a file leaves out what belongs there, and would show what they held before.
static void clear_memory(int change) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static int use_count;
  pthread_mutex_lock(&lock);
  use_count += change;
  // New memory is filled with the complement of this value, and with 0 is not filled.
  mallopt(M_PERTURB, use_count > 0 ? 255 : 0);
  pthread_mutex_unlock(&lock);
}

static void destroy(libraw_data_t *raw) {
  pe_raw.libraw_close(raw);
  clear_memory(-1);
}

static libraw_data_t *create(observer *seen) {
  clear_memory(1);
  libraw_data_t *raw = pe_raw.libraw_init(QUIET);
  if (raw == NULL) {
    clear_memory(-1);
    return NULL;
  }
  pe_raw.libraw_set_dataerror_handler(raw, note_damage, seen);
  pe_raw.libraw_set_progress_handler(raw, check_cancellation, seen);
  libraw_output_params_t *parameters = &raw->params;
  parameters->use_camera_wb = 1;
  parameters->no_auto_bright = 1;
  parameters->output_bps = 16;
  parameters->gamm[0] = parameters->gamm[1] = 1;
  parameters->output_color = PROPHOTO;
  parameters->user_qual = AHD;
  parameters->highlight = BLEND;
  parameters->half_size = seen->options->is_half_size != 0;
#if LIBRAW_VERSION < LIBRAW_MAKE_VERSION(0, 21, 0)
  parameters->max_raw_memory_mb = seen->options->maximum_megabytes;
#else
  raw->rawparams.max_raw_memory_mb = seen->options->maximum_megabytes;
#endif
  return raw;
}

// Local variables that the library leaves unset for a damaged file would have what other functions
// left there, such as a white balance of one value instead of three.
__attribute__((noinline)) static void clear_stack(void) {
  char unused[64 << 10];
  memset(unused, 0, sizeof unused);
  // The compiler must not leave it out.
  __asm__ volatile("" : : "r"(unused) : "memory");
}

static int open_file(libraw_data_t *raw, const uint8_t *bytes, size_t count) {
  clear_stack();
  // The library only reads, but its declaration does not say so.
  return pe_raw.libraw_open_buffer(raw, (void *)bytes, count);
}

static void copy_name(char target[PE_RAW_NAME_CAPACITY], const char *name, size_t size) {
  size_t length = strnlen(name, size < PE_RAW_NAME_CAPACITY ? size : PE_RAW_NAME_CAPACITY - 1);
  for (size_t i = 0; i < length; i++)
    target[i] = name[i] < 0x20 || name[i] > 0x7e ? '?' : name[i];
  target[length] = 0;
}

static int has_color_matrix(const libraw_data_t *raw) {
  for (int row = 0; row < 3; row++)
    if (raw->color.cam_xyz[0][row] != 0 || raw->color.cmatrix[0][row] != 0) return 1;
  return raw->idata.is_foveon != 0;
}

int32_t pe_raw_read_info(
    const uint8_t *bytes, size_t count, const pe_raw_options *options, pe_raw_info *info,
    char message[PE_RAW_MESSAGE_CAPACITY]) {
  memset(info, 0, sizeof *info);
  message[0] = 0;
  observer seen = {options, 0, 0};
  libraw_data_t *raw = create(&seen);
  if (raw == NULL) return PE_RAW_OUT_OF_MEMORY;
  int result = open_file(raw, bytes, count);
  copy_name(info->make, raw->idata.make, sizeof raw->idata.make - 1);
  copy_name(info->model, raw->idata.model, sizeof raw->idata.model - 1);
  info->sensor_width = raw->sizes.raw_width;
  info->sensor_height = raw->sizes.raw_height;
  info->flip = raw->sizes.flip;
  info->is_mosaic = raw->idata.filters != 0;
  // Below 1000, LibRaw's description of the mosaic is the number of a larger one.
  info->is_wide_mosaic = info->is_mosaic && raw->idata.filters < 1000;
  double aspect = raw->sizes.pixel_aspect;
  info->has_color_matrix = has_color_matrix(raw);
  if (raw->color.cam_mul[0] > 0 && raw->color.cam_mul[2] > 0)
    memcpy(info->white_balance, raw->color.cam_mul, sizeof info->white_balance);
  if (result == LIBRAW_SUCCESS) {
    uint32_t width = raw->sizes.width, height = raw->sizes.height;
    result = pe_raw.libraw_adjust_sizes_info_only(raw);
    info->width = raw->sizes.iwidth;
    info->height = raw->sizes.iheight;
    info->is_resampled = aspect < 0.995 || aspect > 1.005 ||
                         (uint64_t)width * height != (uint64_t)info->width * info->height;
  }
  destroy(raw);
  // Damage of metadata is no reason to refuse the image.
  seen.is_damaged = 0;
  return code_of(result, &seen, message);
}

int32_t pe_raw_develop(
    const uint8_t *bytes, size_t count, const pe_raw_options *options, pe_raw_image **image,
    uint32_t *width, uint32_t *height, char message[PE_RAW_MESSAGE_CAPACITY]) {
  *image = NULL;
  message[0] = 0;
  observer seen = {options, 0, 0};
  libraw_data_t *raw = create(&seen);
  if (raw == NULL) return PE_RAW_OUT_OF_MEMORY;
  int result = open_file(raw, bytes, count);
  seen.is_damaged = seen.is_truncated = 0;
  clear_stack();
  if (result == LIBRAW_SUCCESS) result = pe_raw.libraw_unpack(raw);
  // Damaged data is not worth developing.
  if (result == LIBRAW_SUCCESS && !seen.is_damaged) result = pe_raw.libraw_dcraw_process(raw);
  libraw_processed_image_t *pixels = NULL;
  if (result == LIBRAW_SUCCESS && !seen.is_damaged)
    pixels = pe_raw.libraw_dcraw_make_mem_image(raw, &result);
  destroy(raw);
  int32_t code = code_of(result, &seen, message);
  if (code == PE_RAW_OK && pixels == NULL) code = PE_RAW_OUT_OF_MEMORY;
  if (code == PE_RAW_OK &&
      (pixels->type != LIBRAW_IMAGE_BITMAP || pixels->bits != 16 ||
       (pixels->colors != 3 && pixels->colors != 1)))
    code = PE_RAW_UNSUPPORTED;
  pe_raw_image *result_image = code == PE_RAW_OK ? malloc(sizeof *result_image) : NULL;
  if (result_image == NULL) {
    if (pixels != NULL) pe_raw.libraw_dcraw_clear_mem(pixels);
    return code == PE_RAW_OK ? PE_RAW_OUT_OF_MEMORY : code;
  }
  result_image->pixels = pixels;
  *image = result_image;
  *width = pixels->width;
  *height = pixels->height;
  return PE_RAW_OK;
}

void pe_raw_destroy(pe_raw_image *image) {
  if (image == NULL) return;
  pe_raw.libraw_dcraw_clear_mem(image->pixels);
  free(image);
}

static uint16_t level(float value) {
  return value <= 0 ? 0 : value >= 65535 ? 65535 : (uint16_t)(value + 0.5f);
}

void pe_raw_rows(
    const pe_raw_image *image, const float matrix[9], uint32_t first, uint32_t count, uint8_t *base,
    size_t bytes_per_row) {
  const libraw_processed_image_t *pixels = image->pixels;
  size_t channels = pixels->colors;
  for (uint32_t row = 0; row < count; row++) {
    // Samples are in machine order; the library aligns them for its own 16-bit writes.
    size_t start = (size_t)(first + row) * pixels->width * channels;
    const uint16_t *source = (const uint16_t *)(const void *)pixels->data + start;
    uint16_t *target = (uint16_t *)(void *)(base + row * bytes_per_row);
    for (uint32_t x = 0; x < pixels->width; x++, source += channels, target += 3) {
      float red = source[0], green = source[channels / 2], blue = source[channels - 1];
      for (int i = 0; i < 3; i++)
        target[i] =
            level(matrix[3 * i] * red + matrix[3 * i + 1] * green + matrix[3 * i + 2] * blue);
    }
  }
}

/// Returns whether a file contains all of a JPEG that the library copied out of it; of an
/// incomplete one, the rest is whatever was in memory. The library repairs the start.
static int contains_copy(
    const uint8_t *bytes, size_t count, const uint8_t *copy, size_t size) {
  enum { REPAIRED = 2, SAMPLE = 32 };
  if (size < REPAIRED + SAMPLE || size > count) return 0;
  const uint8_t *place = bytes + REPAIRED, *end = bytes + count;
  while ((place = memmem(place, (size_t)(end - place), copy + REPAIRED, SAMPLE)) != NULL) {
    if ((size_t)(end - place) < size - REPAIRED) return 0;
    if (memcmp(place, copy + REPAIRED, size - REPAIRED) == 0) return 1;
    place++;
  }
  return 0;
}

int32_t pe_raw_preview(
    const uint8_t *bytes, size_t count,
    void (*take)(void *context, const uint8_t *jpeg, size_t size), void *context) {
  pe_raw_options options = {.maximum_megabytes = 1};
  observer seen = {&options, 0, 0};
  libraw_data_t *raw = create(&seen);
  if (raw == NULL) return PE_RAW_OUT_OF_MEMORY;
  int32_t code = PE_RAW_UNSUPPORTED;
  if (open_file(raw, bytes, count) == LIBRAW_SUCCESS && raw->thumbnail.tlength <= count &&
      pe_raw.libraw_unpack_thumb(raw) == LIBRAW_SUCCESS && raw->thumbnail.thumb != NULL &&
      raw->thumbnail.tformat == LIBRAW_THUMBNAIL_JPEG) {
    const uint8_t *jpeg = (const uint8_t *)raw->thumbnail.thumb;
    size_t size = raw->thumbnail.tlength;
    if (contains_copy(bytes, count, jpeg, size)) {
      take(context, jpeg, size);
      code = PE_RAW_OK;
    }
  }
  destroy(raw);
  return code;
}

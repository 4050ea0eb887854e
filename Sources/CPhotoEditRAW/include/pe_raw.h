// SPDX-License-Identifier: Apache-2.0
// LibRaw for Swift: develops camera raw files to linear light, and extracts their previews. The
// library is loaded when the first such file is read.
//
// Some parameters, such as the white balance of the camera, have no setter in LibRaw's C interface.
// This target therefore uses the structures of the headers that it is compiled with, and loads only
// a library with the same layouts: the same file name and the same major and minor version.
#ifndef PE_RAW_H
#define PE_RAW_H
#include <stddef.h>
#include <stdint.h>

/// The call succeeded.
#define PE_RAW_OK 0
/// The library cannot be loaded.
#define PE_RAW_MISSING (-1)
/// The file is damaged; the message has the reason.
#define PE_RAW_DAMAGED (-2)
/// The library does not support this camera or this kind of compression.
#define PE_RAW_UNSUPPORTED (-3)
/// Out of memory.
#define PE_RAW_OUT_OF_MEMORY (-4)
/// The caller canceled the call.
#define PE_RAW_CANCELLED (-5)

#define PE_RAW_MESSAGE_CAPACITY 240
#define PE_RAW_NAME_CAPACITY 64

/// The version of the compiled headers; the library need not be loaded.
const char *pe_raw_version(void);
/// The version of the loaded library; `pe_raw_load` must have succeeded.
const char *pe_raw_loaded_version(void);
/// The file name of the library to load.
const char *pe_raw_library_name(void);
/// Loads the library unless it is already loaded; may be called from any thread.
int32_t pe_raw_load(char *message);

typedef struct {
  /// Nonzero to combine each group of four sensor elements into one pixel.
  int32_t is_half_size;
  /// The most memory that the library may reserve for the sensor's samples, in megabytes.
  uint32_t maximum_megabytes;
  /// Called from time to time; nonzero ends the call. May be NULL.
  int32_t (*cancelled)(void *context);
  void *cancel_context;
} pe_raw_options;

/// Properties of a file that are known before it is developed.
typedef struct {
  /// The size of the developed image, with its orientation applied.
  uint32_t width, height;
  /// The size of the sensor with its margins.
  uint32_t sensor_width, sensor_height;
  /// The orientation that is applied to the developed image: 0, or 3, 5 or 6 as EXIF's 3, 8 and 6.
  int32_t flip;
  /// Nonzero if each element of the sensor has one color.
  int32_t is_mosaic;
  /// Nonzero if the mosaic is not one of 2 × 2 colors.
  int32_t is_wide_mosaic;
  /// Nonzero if the sensor is rotated by 45 degrees or has pixels that are not square.
  int32_t is_resampled;
  /// Nonzero if the library knows the colors of the sensor.
  int32_t has_color_matrix;
  /// The factors of red, green, blue and the second green; all 0 if the file does not record them.
  float white_balance[4];
  char make[PE_RAW_NAME_CAPACITY], model[PE_RAW_NAME_CAPACITY];
} pe_raw_info;

typedef struct pe_raw_image pe_raw_image;

/// Reads the properties of a file in memory; `pe_raw_load` must have succeeded.
///
/// `info` contains the maker and the model also if the file is not supported.
int32_t pe_raw_read_info(
    const uint8_t *bytes, size_t count, const pe_raw_options *options, pe_raw_info *info,
    char message[PE_RAW_MESSAGE_CAPACITY]);

/// Develops a file to 16-bit samples in linear light with the primaries of ProPhoto RGB as LibRaw
/// defines them; the caller must have checked the size. The file is not needed afterwards.
int32_t pe_raw_develop(
    const uint8_t *bytes, size_t count, const pe_raw_options *options, pe_raw_image **image,
    uint32_t *width, uint32_t *height, char message[PE_RAW_MESSAGE_CAPACITY]);
void pe_raw_destroy(pe_raw_image *image);

/// Writes rows of red, green and blue after a 3 × 3 matrix, rounded and clamped to 16 bits. The
/// rows must be inside the image.
void pe_raw_rows(
    const pe_raw_image *image, const float matrix[9], uint32_t first, uint32_t count, uint8_t *base,
    size_t bytes_per_row);

/// Passes the embedded JPEG to a function; fails without one. `pe_raw_load` must have
/// succeeded.
int32_t pe_raw_preview(
    const uint8_t *bytes, size_t count,
    void (*take)(void *context, const uint8_t *jpeg, size_t size), void *context);
#endif

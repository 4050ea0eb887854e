// SPDX-License-Identifier: Apache-2.0
// Table of the libheif functions used by this target, filled at run time.
#ifndef PE_HEIF_LIBRARY_H
#define PE_HEIF_LIBRARY_H
#include <libheif/heif.h>
#include <libheif/heif_plugin.h>

_Static_assert(LIBHEIF_NUMERIC_VERSION >= 0x010f0100, "requires libheif 1.15.1 or newer");

#define PE_HEIF_FUNCTIONS(X)                                                                       \
  X(heif_get_version)                                                                              \
  X(heif_get_version_number)                                                                       \
  X(heif_init)                                                                                     \
  X(heif_register_decoder_plugin)                                                                  \
  X(heif_context_alloc)                                                                            \
  X(heif_context_free)                                                                             \
  X(heif_context_set_maximum_image_size_limit)                                                     \
  X(heif_context_read_from_memory_without_copy)                                                    \
  X(heif_context_read_from_reader)                                                                 \
  X(heif_context_get_primary_image_handle)                                                         \
  X(heif_image_handle_release)                                                                     \
  X(heif_decoding_options_alloc)                                                                   \
  X(heif_decoding_options_free)                                                                    \
  X(heif_decode_image)                                                                             \
  X(heif_image_create)                                                                             \
  X(heif_image_release)                                                                            \
  X(heif_image_add_plane)                                                                          \
  X(heif_image_get_plane)                                                                          \
  X(heif_image_get_colorspace)                                                                     \
  X(heif_image_get_chroma_format)                                                                  \
  X(heif_image_get_width)                                                                          \
  X(heif_image_get_height)                                                                         \
  X(heif_image_get_bits_per_pixel_range)                                                           \
  X(heif_image_has_channel)                                                                        \
  X(heif_image_get_plane_readonly)                                                                 \
  X(heif_image_get_nclx_color_profile)                                                             \
  X(heif_image_set_nclx_color_profile)                                                             \
  X(heif_nclx_color_profile_alloc)                                                                 \
  X(heif_nclx_color_profile_set_color_primaries)                                                   \
  X(heif_nclx_color_profile_set_transfer_characteristics)                                          \
  X(heif_nclx_color_profile_set_matrix_coefficients)                                               \
  X(heif_nclx_color_profile_free)

struct pe_heif_functions {
#define PE_HEIF_DECLARE(name) __typeof__(&name) name;
  PE_HEIF_FUNCTIONS(PE_HEIF_DECLARE)
#undef PE_HEIF_DECLARE
};

/// The table; filled by `pe_heif_load`.
extern struct pe_heif_functions pe_heif;

/// A plane of samples.
struct pe_heif_plane {
  const uint8_t *bytes;
  size_t bytes_per_row;
  /// Binary logarithms of the number of image columns and rows that share a sample.
  int shift_x, shift_y;
  uint32_t width, height;
  int32_t bits;
};

struct pe_heif_image {
  struct heif_image *image;
  uint32_t width, height;
  /// Luma or the first color, and the other two.
  struct pe_heif_plane planes[3];
  int is_gray;
  struct pe_heif_plane alpha;
};
#endif

// SPDX-License-Identifier: Apache-2.0
// Table of the LibRaw functions used by this target, filled at run time.
#ifndef PE_RAW_LIBRARY_H
#define PE_RAW_LIBRARY_H
#include <libraw/libraw.h>

_Static_assert(LIBRAW_VERSION >= LIBRAW_MAKE_VERSION(0, 20, 2), "requires LibRaw 0.20.2 or newer");

#define PE_RAW_FUNCTIONS(X)                                                                        \
  X(libraw_version)                                                                                \
  X(libraw_versionNumber)                                                                          \
  X(libraw_strerror)                                                                               \
  X(libraw_init)                                                                                   \
  X(libraw_close)                                                                                  \
  X(libraw_open_buffer)                                                                            \
  X(libraw_adjust_sizes_info_only)                                                                 \
  X(libraw_unpack)                                                                                 \
  X(libraw_unpack_thumb)                                                                           \
  X(libraw_set_dataerror_handler)                                                                  \
  X(libraw_set_progress_handler)                                                                   \
  X(libraw_dcraw_process)                                                                          \
  X(libraw_dcraw_make_mem_image)                                                                   \
  X(libraw_dcraw_clear_mem)

struct pe_raw_functions {
#define PE_RAW_DECLARE(name) __typeof__(&name) name;
  PE_RAW_FUNCTIONS(PE_RAW_DECLARE)
#undef PE_RAW_DECLARE
};

/// The table; filled by `pe_raw_load`.
extern struct pe_raw_functions pe_raw;
#endif

// SPDX-License-Identifier: Apache-2.0
// Shared objects that are opened when the first file needs them, and not at the program's start.
#ifndef PE_LIBRARY_H
#define PE_LIBRARY_H
#include <stddef.h>
#include <stdint.h>

/// The address of one function, by name.
typedef struct {
  const char *name;
  void **slot;
} pe_library_symbol;

#define PE_LIBRARY_MESSAGE_CAPACITY 240

/// Opens a shared object and fills every slot, unless the last one is filled already.
///
/// Returns 0; or -1, and what is missing in `message`, one printable clause without a full stop of
/// at most PE_LIBRARY_MESSAGE_CAPACITY bytes. The object stays open for the life of the process.
/// Slots are NULL before the first call; any thread may call, whenever it needs the functions.
int32_t pe_library_open(
    const char *name, const pe_library_symbol *symbols, size_t count, char *message);
#endif

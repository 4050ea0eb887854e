// SPDX-License-Identifier: Apache-2.0
// Shared objects that are loaded when the first file needs them, not at program start.
#ifndef PE_LIBRARY_H
#define PE_LIBRARY_H
#include <stddef.h>
#include <stdint.h>

/// The name of a function and the slot for its address.
typedef struct {
  const char *name;
  void **slot;
} pe_library_symbol;

#define PE_LIBRARY_MESSAGE_CAPACITY 240

/// Loads a shared object and fills every slot, unless the last one is already filled.
///
/// Returns 0; or -1 with the missing item in `message`, one printable clause without a full stop of
/// at most PE_LIBRARY_MESSAGE_CAPACITY bytes. The object stays loaded for the lifetime of the
/// process. Slots are NULL before the first call; any thread may call it whenever it needs the
/// functions.
int32_t pe_library_open(
    const char *name, const pe_library_symbol *symbols, size_t count, char *message);
/// Makes the message of a library fit for display.
///
/// Messages may quote files: characters other than printable ASCII become '?'. A count that
/// became negative in the library, which prints it without its sign as 18446744073709549254,
/// becomes 0.
void pe_library_clean_message(char *message);
#endif

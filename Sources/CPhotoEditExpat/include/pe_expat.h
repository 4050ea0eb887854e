// SPDX-License-Identifier: Apache-2.0
// Elements, attributes and text of an XML document; nothing outside it is ever read.
#ifndef PE_EXPAT_H
#define PE_EXPAT_H

#include <stddef.h>
#include <stdint.h>

enum {
  PE_EXPAT_OK = 0,
  /// Not well-formed, or in an unknown encoding.
  PE_EXPAT_MALFORMED = 1,
  /// A document type declaration, the only way to declare entities.
  PE_EXPAT_DOCTYPE = 2,
  /// A handler asked to stop.
  PE_EXPAT_STOPPED = 3,
  PE_EXPAT_NO_MEMORY = 4,
};

/// The handlers of a document's items; a nonzero result stops reading.
///
/// Names and text are UTF-8 and valid during the call. `attributes` is name, value, name, value,
/// and a null pointer. Lines count from 1.
typedef struct {
  void *context;
  int (*start)(void *context, const char *name, const char *const *attributes, size_t line);
  int (*text)(void *context, const char *text, size_t count, size_t line);
  int (*end)(void *context, const char *name, size_t line);
} pe_expat_handlers;

/// Reads a document. On PE_EXPAT_MALFORMED `*message` is expat's message; it is never freed.
/// `*line` is where reading ended.
int pe_expat_parse(const uint8_t *bytes, size_t count, const pe_expat_handlers *handlers,
                   size_t *line, const char **message);

/// Returns the version of the loaded expat library, such as "expat_2.5.0".
const char *pe_expat_version(void);

#endif

// SPDX-License-Identifier: Apache-2.0
#ifndef PE_WEB_FILES_H
#define PE_WEB_FILES_H

#include <stddef.h>

/// A file of the web page, embedded by the compiler.
typedef struct pe_web_file {
  /// The path below the folder of the page, such as "js/app.js".
  const char *path;
  const unsigned char *bytes;
  size_t count;
} pe_web_file;

/// Returns a file by its position; NULL after the last one.
const pe_web_file *pe_web_file_at(size_t index);

#endif

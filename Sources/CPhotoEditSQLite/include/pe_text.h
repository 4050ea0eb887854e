// SPDX-License-Identifier: Apache-2.0
// Forms of text for search: see `TextForm` in PhotoEditSQLite.
#ifndef PE_TEXT_H
#define PE_TEXT_H
#include <sqlite3.h>

enum {
  /// Text for the full-text index: letters without a decomposition are spelled out, and characters
  /// that are words of their own are separated by spaces.
  PE_TEXT_SEARCHABLE,
  /// Text in lower case and without diacritics; everything else is unchanged.
  PE_TEXT_FOLDED,
  /// The words of a text as the full-text index has them, separated by single spaces.
  PE_TEXT_WORDS,
};

/// The tokenizer "unicode61 remove_diacritics 2"; for one thread at a time.
struct pe_text;

/// Creates the tokenizer; NULL without memory.
struct pe_text *pe_text_create(void);
void pe_text_destroy(struct pe_text *text);

/// Returns a text in another form, to be released with `free`; NULL without memory.
char *pe_text_convert(struct pe_text *text, int form, const char *bytes, int count,
                      int *result_count);

/// Adds the SQL functions `searchable`, `folded` and `words` to a connection.
int pe_text_register(sqlite3 *database);
#endif

// SPDX-License-Identifier: Apache-2.0
#include "pe_sqlite.h"
#include <stddef.h>

int pe_sqlite_set(sqlite3 *database, int option, int value, int *now) {
  return sqlite3_db_config(database, option, value, now);
}

void pe_sqlite_limit(
    sqlite3 *database, int value_bytes, int steps, int (*step)(void *), void *context) {
  sqlite3_limit(database, SQLITE_LIMIT_LENGTH, value_bytes);
  sqlite3_limit(database, SQLITE_LIMIT_SQL_LENGTH, value_bytes);
  sqlite3_progress_handler(database, steps, step, context);
}

int pe_sqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, int count) {
  // A null pointer would bind NULL, which differs from an empty text.
  return sqlite3_bind_text(statement, index, text == NULL ? "" : text, count, SQLITE_TRANSIENT);
}

int pe_sqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int count) {
  // A null pointer would bind NULL, which differs from an empty blob.
  if (bytes == NULL || count == 0) return sqlite3_bind_zeroblob(statement, index, 0);
  return sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}

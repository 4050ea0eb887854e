// SPDX-License-Identifier: Apache-2.0
// SQLite, and what of it Swift cannot say: variadic functions, and macros that are casts.
// Linked statically: no start pays for a shared library that most commands never use.
#ifndef PE_SQLITE_H
#define PE_SQLITE_H
#include <sqlite3.h>

/// `sqlite3_db_config` for the options that take a switch; `*now` is what holds afterwards.
int pe_sqlite_set(sqlite3 *database, int option, int value, int *now);

/// `SQLITE_TRANSIENT` is a cast: binds text or bytes that SQLite copies.
int pe_sqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, int count);
int pe_sqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int count);

/// The name of the way to files that knows no rollback journals; NULL when there is none.
///
/// The first call makes it; no two threads may make it at once.
const char *pe_sqlite_files(void);

/// Reads the first bytes of the main database's file through its own descriptor: closing another
/// one would drop the locks of every connection of the process. Zeros follow where it has fewer.
int pe_sqlite_header(sqlite3 *database, void *header, int count);
#endif

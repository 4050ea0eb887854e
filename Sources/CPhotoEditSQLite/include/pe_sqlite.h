// SPDX-License-Identifier: Apache-2.0
// SQLite, with wrappers for what Swift cannot call: variadic functions, and macros that are casts.
// Linked statically, so that no start pays for a shared library that most commands never use.
#ifndef PE_SQLITE_H
#define PE_SQLITE_H
#include <sqlite3.h>

_Static_assert(SQLITE_VERSION_NUMBER >= 3040001, "requires SQLite 3.40.1 or newer");

/// Calls `sqlite3_db_config` for the options that take a switch; `*now` is the resulting value.
int pe_sqlite_set(sqlite3 *database, int option, int value, int *now);

/// Binds text or bytes that SQLite copies; `SQLITE_TRANSIENT` is a cast.
int pe_sqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, int count);
int pe_sqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int count);

/// Returns the name of the VFS without rollback journals; NULL if absent.
///
/// The first call creates it and must not run concurrently with another one.
const char *pe_sqlite_files(void);

/// Returns the name of a similar VFS, whose connections never extend the memory that connections
/// share, and create its file without contents; NULL before the other one was created.
const char *pe_sqlite_lone_files(void);

/// Limits the resources of a connection: the bytes of one value, and the calls of `step`, which is
/// called after every `steps` steps of the virtual machine and interrupts the query by returning
/// nonzero.
void pe_sqlite_limit(
    sqlite3 *database, int value_bytes, int steps, int (*step)(void *), void *context);

/// Reads the first bytes of the main database file through its own descriptor: closing another one
/// would drop the locks of every connection of the process. A shorter file is padded with zeros.
int pe_sqlite_header(sqlite3 *database, void *header, int count);
#endif

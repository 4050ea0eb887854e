// SPDX-License-Identifier: Apache-2.0
// SQLite's default VFS with one exception: a rollback journal next to a database is never read or
// written.
//
// A journal specifies which pages SQLite restores and, at its end, which file it deletes. Databases
// of this project use write-ahead logging (WAL) and have none; an existing one comes from another
// program.
#include "pe_sqlite.h"
#include <string.h>

static sqlite3_vfs files;
static int (*open_any)(sqlite3_vfs *, const char *, sqlite3_file *, int, int *);
static int (*access_any)(sqlite3_vfs *, const char *, int, int *);
static int (*delete_any)(sqlite3_vfs *, const char *, int);

static int ends_with(const char *name, const char *end) {
  size_t length = strlen(name), tail = strlen(end);
  return length >= tail && strcmp(name + length - tail, end) == 0;
}

// A journal becomes an unnamed file, which is removed with the connection.
static int open_file(
    sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *actual) {
  if (flags & (SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_SUPER_JOURNAL)) {
    name = NULL;
    flags = SQLITE_OPEN_TEMP_JOURNAL | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE |
            SQLITE_OPEN_EXCLUSIVE | SQLITE_OPEN_DELETEONCLOSE;
  }
  return open_any(vfs, name, file, flags, actual);
}

static int access_file(sqlite3_vfs *vfs, const char *name, int flags, int *result) {
  if (ends_with(name, "-journal")) {
    *result = 0;
    return SQLITE_OK;
  }
  return access_any(vfs, name, flags, result);
}

// SQLite deletes its own logs, and files named by a journal; the latter are never deleted.
static int delete_file(sqlite3_vfs *vfs, const char *name, int sync) {
  return ends_with(name, "-wal") ? delete_any(vfs, name, sync) : SQLITE_OK;
}

const char *pe_sqlite_files(void) {
  if (files.zName) return files.zName;
  // Nothing reads the statistics of memory, and counting takes a lock that all connections share.
  // SQLite refuses this after its first use, which changes only the speed.
  sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  sqlite3_vfs *usual = sqlite3_vfs_find(NULL);
  if (!usual) return NULL;
  open_any = usual->xOpen;
  access_any = usual->xAccess;
  delete_any = usual->xDelete;
  files = *usual;
  files.pNext = NULL;
  files.zName = "photoedit";
  files.xOpen = open_file;
  files.xAccess = access_file;
  files.xDelete = delete_file;
  if (sqlite3_vfs_register(&files, 0) == SQLITE_OK) return files.zName;
  files.zName = NULL;
  return NULL;
}

int pe_sqlite_header(sqlite3 *database, void *header, int count) {
  sqlite3_file *file = NULL;
  int code = sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file);
  if (code != SQLITE_OK) return code;
  if (!file || !file->pMethods) return SQLITE_CANTOPEN;
  code = file->pMethods->xRead(file, header, count, 0);
  return code == SQLITE_IOERR_SHORT_READ ? SQLITE_OK : code;
}

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

// Reading without shared memory.
//
// Connections to one database share an index of its log in a file next to it, which the first one
// creates. On a full disk that fails, so that not even a reader could read. The connections of the
// second VFS never extend that file; SQLite creates it for them without an index, with a length that
// takes no space. As long as it has no index, they answer as if it could not be written, and SQLite
// then builds an index of its own for each transaction; it holds the lock by which a writer of
// another process leaves the pages of the database as they are. As soon as a writer has extended the
// file, it is used.
static sqlite3_vfs lone_files;
static sqlite3_io_methods lone_methods;
static const sqlite3_io_methods *usual_methods;

static int map_existing(
    sqlite3_file *file, int region, int size, int extends, void volatile **memory) {
  (void)extends;
  int code = usual_methods->xShmMap(file, region, size, 0, memory);
  if (code != SQLITE_OK) return code;
  return *memory != NULL ? SQLITE_READONLY : SQLITE_READONLY_CANTINIT;
}

static int open_lone(
    sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *actual) {
  int code = open_file(vfs, name, file, flags, actual);
  if (code != SQLITE_OK || !(flags & SQLITE_OPEN_MAIN_DB)) return code;
  sqlite3_mutex *mutex = sqlite3_mutex_alloc(SQLITE_MUTEX_STATIC_VFS3);
  sqlite3_mutex_enter(mutex);
  if (usual_methods == NULL && file->pMethods->iVersion >= 2 && file->pMethods->xShmMap != NULL) {
    usual_methods = file->pMethods;
    lone_methods = *usual_methods;
    lone_methods.xShmMap = map_existing;
  }
  // A file with other methods, which depend on its file system, keeps them.
  if (file->pMethods == usual_methods) file->pMethods = &lone_methods;
  sqlite3_mutex_leave(mutex);
  return code;
}

const char *pe_sqlite_lone_files(void) { return lone_files.zName; }

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
  lone_files = files;
  lone_files.zName = "photoedit-lone";
  lone_files.xOpen = open_lone;
  if (sqlite3_vfs_register(&files, 0) == SQLITE_OK &&
      sqlite3_vfs_register(&lone_files, 0) == SQLITE_OK)
    return files.zName;
  files.zName = lone_files.zName = NULL;
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

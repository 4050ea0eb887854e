// SPDX-License-Identifier: Apache-2.0
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "pe_http.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

// Listens on a bound socket; closes it on failure.
static int listening(int socket_, const struct sockaddr *address, socklen_t count) {
  if (bind(socket_, address, count) == 0 && listen(socket_, SOMAXCONN) == 0) return socket_;
  int code = errno;
  close(socket_);
  errno = code;
  return -1;
}

int pe_http_listen(const char *address, uint16_t port) {
  struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_port = htons(port)};
  struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_port = htons(port)};
  int is_v4 = inet_pton(AF_INET, address, &v4.sin_addr) == 1;
  if (!is_v4 && inet_pton(AF_INET6, address, &v6.sin6_addr) != 1) {
    errno = EINVAL;
    return -1;
  }
  int found = socket(is_v4 ? AF_INET : AF_INET6, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (found < 0) return -1;
  int yes = 1;
  // A server that was restarted gets its port back at once.
  (void)setsockopt(found, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  return is_v4 ? listening(found, (struct sockaddr *)&v4, sizeof v4)
               : listening(found, (struct sockaddr *)&v6, sizeof v6);
}

// Fills in a local address; returns 0 with `errno` set if the path is too long.
static int set_path(struct sockaddr_un *address, const char *path) {
  memset(address, 0, sizeof *address);
  address->sun_family = AF_UNIX;
  if (strlen(path) >= sizeof address->sun_path) {
    errno = ENAMETOOLONG;
    return 0;
  }
  strcpy(address->sun_path, path);
  return 1;
}

int pe_http_connect_local(const char *path) {
  struct sockaddr_un address;
  if (!set_path(&address, path)) return -1;
  int found = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (found < 0) return -1;
  if (connect(found, (struct sockaddr *)&address, sizeof address) == 0) return found;
  int code = errno;
  close(found);
  errno = code;
  return -1;
}

// Removes a socket file without a listening process; returns 0 if it removes nothing.
static int remove_stale(const char *path) {
  struct stat status;
  if (lstat(path, &status) != 0 || !S_ISSOCK(status.st_mode)) return 0;
  int found = pe_http_connect_local(path);
  if (found >= 0) {
    close(found);
    return 0;
  }
  return errno == ECONNREFUSED && unlink(path) == 0;
}

int pe_http_listen_local(const char *path) {
  struct sockaddr_un address;
  if (!set_path(&address, path)) return -1;
  for (int attempt = 0;; attempt++) {
    int found = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (found < 0) return -1;
    // The socket is never accessible to others, not even between its creation and a change of mode.
    mode_t mask = umask(0177);
    int result = listening(found, (struct sockaddr *)&address, sizeof address);
    int code = errno;
    umask(mask);
    if (result < 0 && code == EADDRINUSE && attempt == 0 && remove_stale(path)) continue;
    errno = code;
    return result;
  }
}

int pe_http_peer_is_owner(int socket_) {
  struct ucred peer;
  socklen_t count = sizeof peer;
  return getsockopt(socket_, SOL_SOCKET, SO_PEERCRED, &peer, &count) == 0 && peer.uid == geteuid();
}

uint16_t pe_http_port(int socket_) {
  struct sockaddr_storage address;
  socklen_t count = sizeof address;
  if (getsockname(socket_, (struct sockaddr *)&address, &count) != 0) return 0;
  if (address.ss_family == AF_INET) return ntohs(((struct sockaddr_in *)&address)->sin_port);
  if (address.ss_family == AF_INET6) return ntohs(((struct sockaddr_in6 *)&address)->sin6_port);
  return 0;
}

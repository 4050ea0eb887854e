// SPDX-License-Identifier: Apache-2.0
// Catches the seccomp filter of a confined process instead of installing it, which no emulator can,
// and prints its decision about system calls by name. Their numbers differ between processors, and
// so does the architecture that the filter expects; the decisions must not.
#define _GNU_SOURCE
#include "pe_sandbox.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
enum { OWN = (int)AUDIT_ARCH_X86_64, OTHER = (int)AUDIT_ARCH_I386 };
#else
enum { OWN = (int)AUDIT_ARCH_AARCH64, OTHER = (int)AUDIT_ARCH_ARM };
#endif

static struct sock_filter filter[512];
static size_t length;

// Takes the place of the C library's function.
long syscall(long number, ...) {
  if (number != __NR_seccomp) {
    errno = ENOSYS;
    return -1;
  }
  va_list arguments;
  va_start(arguments, number);
  va_arg(arguments, int);
  va_arg(arguments, int);
  const struct sock_fprog *program = va_arg(arguments, const struct sock_fprog *);
  va_end(arguments);
  length = program->len;
  memcpy(filter, program->filter, length * sizeof *filter);
  return 0;
}

// Limits would apply to the output of this program.
int setrlimit(int resource, const void *limits) {
  (void)resource, (void)limits;
  return 0;
}

/// The decision about a call: the instructions that the filter has, and no others.
static uint32_t decision(const struct seccomp_data *call) {
  uint32_t a = 0;
  for (size_t i = 0; i < length; i++) {
    const struct sock_filter f = filter[i];
    switch (f.code) {
      case BPF_LD | BPF_W | BPF_ABS: memcpy(&a, (const char *)call + f.k, sizeof a); break;
      case BPF_JMP | BPF_JEQ | BPF_K: i += a == f.k ? f.jt : f.jf; break;
      case BPF_JMP | BPF_JGE | BPF_K: i += a >= f.k ? f.jt : f.jf; break;
      case BPF_JMP | BPF_JSET | BPF_K: i += (a & f.k) != 0 ? f.jt : f.jf; break;
      case BPF_RET | BPF_K: return f.k;
      default: return ~0u;
    }
  }
  return ~0u;
}

static void decide(const char *name, int architecture, int number, const uint64_t arguments[6]) {
  struct seccomp_data call = {.nr = number, .arch = (uint32_t)architecture};
  memcpy(call.args, arguments, sizeof call.args);
  const uint32_t result = decision(&call);
  const uint32_t error = result & SECCOMP_RET_DATA;
  switch (result & SECCOMP_RET_ACTION_FULL) {
    case SECCOMP_RET_ALLOW: printf("%s: permitted\n", name); break;
    case SECCOMP_RET_ERRNO: printf("%s: %s\n", name, error == EPERM ? "refused" : "unknown"); break;
    case SECCOMP_RET_KILL_PROCESS: printf("%s: killed\n", name); break;
    default: printf("%s: %08x\n", name, result);
  }
}

#define CALL(name, ...) \
  decide(#name " " #__VA_ARGS__, OWN, __NR_##name, (const uint64_t[6]){__VA_ARGS__})

int main(void) {
  const pe_confinement confinement = pe_confine(0);
  printf("filter: %d\n", confinement.has_filter);
  CALL(read, 0), CALL(write, 1), CALL(close, 3), CALL(ppoll, 0), CALL(futex, 0), CALL(brk, 0);
  CALL(mmap, 0, 4096, PROT_READ | PROT_WRITE), CALL(mmap, 0, 4096, PROT_READ | PROT_EXEC);
  CALL(mprotect, 0, 4096, PROT_READ), CALL(mprotect, 0, 4096, PROT_EXEC);
  CALL(munmap, 0), CALL(mremap, 0), CALL(madvise, 0), CALL(membarrier, 0);
  CALL(clone, CLONE_VM | CLONE_THREAD), CALL(clone, SIGCHLD), CALL(clone3, 0);
  CALL(set_robust_list, 0), CALL(rseq, 0), CALL(sched_yield, 0), CALL(exit_group, 0);
  CALL(rt_sigaction, 0), CALL(rt_sigprocmask, 0), CALL(rt_sigreturn, 0), CALL(sigaltstack, 0);
  CALL(tgkill, (uint64_t)getpid()), CALL(tgkill, 1), CALL(kill, 1), CALL(pidfd_open, 1);
  CALL(clock_gettime, 0), CALL(clock_nanosleep, 0), CALL(getrandom, 0), CALL(uname, 0);
  CALL(fcntl, 3, F_DUPFD_CLOEXEC), CALL(fcntl, 3, F_SETFL), CALL(ioctl, 3);
  CALL(recvmsg, PE_SANDBOX_SOCKET), CALL(sendmsg, PE_SANDBOX_SOCKET), CALL(recvmsg, 4);
  CALL(sendmsg, 4), CALL(prctl, PR_SET_NAME), CALL(prctl, PR_SET_SECCOMP);
  CALL(prlimit64, 0, 7, 0), CALL(prlimit64, 0, 7, 1), CALL(prlimit64, 0, 7, UINT64_C(1) << 32);
  CALL(openat, 0), CALL(openat2, 0), CALL(unlinkat, 0), CALL(renameat2, 0), CALL(linkat, 0);
  CALL(socket, 0), CALL(connect, PE_SANDBOX_SOCKET), CALL(execve, 0), CALL(execveat, 0);
  CALL(ptrace, 0), CALL(process_vm_readv, 0), CALL(memfd_create, 0), CALL(io_uring_setup, 0);
  CALL(bpf, 0), CALL(mount, 0), CALL(setns, 0), CALL(unshare, 0), CALL(seccomp, 0);
  const uint64_t none[6] = {0};
  decide("a call of another architecture", OTHER, __NR_read, none);
  decide("a call of the second table", OWN, 0x40000000 + __NR_read, none);
  decide("a call without a number", OWN, -1, none);
  return 0;
}

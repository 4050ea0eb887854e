// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "pe_sandbox.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

// Numbers that the oldest supported kernel headers lack; they are the same on all architectures.
#ifndef __NR_landlock_create_ruleset
#define __NR_landlock_create_ruleset 444
#define __NR_landlock_restrict_self 446
#endif
#ifndef PR_SET_VMA
#define PR_SET_VMA 0x53564d41
#endif

#if defined(__x86_64__)
#define PE_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define PE_ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "the system calls of this architecture are not listed"
#endif

// Processor time after which a process that its starter left ends in any case, in seconds.
#define PE_MOST_SECONDS 3600

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
// The low half of an argument; both architectures are little-endian.
#define LOAD_ARGUMENT(index) LOAD(args[index])
#define LOAD_UPPER_HALF(index)                                                                     \
  BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[index]) + 4)
#define RETURN(value) BPF_STMT(BPF_RET | BPF_K, value)
#define REFUSE RETURN(SECCOMP_RET_ERRNO | EPERM)
#define PERMIT RETURN(SECCOMP_RET_ALLOW)
#define EQUAL(value, yes, no) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, yes, no)
#define HAS_BITS(value, yes, no) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, value, yes, no)

// Permits a system call.
#define CALL(name) EQUAL(__NR_##name, 0, 1), PERMIT
// Permits a system call if an argument has a value, and otherwise refuses it.
#define CALL_WITH(name, index, value)                                                              \
  EQUAL(__NR_##name, 0, 4), LOAD_ARGUMENT(index), EQUAL(value, 0, 1), PERMIT, REFUSE
// Permits a system call unless an argument has some of these bits.
#define CALL_WITHOUT(name, index, bits)                                                            \
  EQUAL(__NR_##name, 0, 4), LOAD_ARGUMENT(index), HAS_BITS(bits, 0, 1), REFUSE, PERMIT

// Refuses all system calls but those for memory that is not executed, threads, signals to this
// process, clocks and the socket. An error, not a signal: libraries ask for files that they can do
// without.
static int install_filter(void) {
  const uint32_t own = (uint32_t)getpid();
  const struct sock_filter filter[] = {
      LOAD(arch),
      EQUAL(PE_ARCHITECTURE, 1, 0),
      RETURN(SECCOMP_RET_KILL_PROCESS),
      LOAD(nr),
#ifdef __x86_64__
      // The second table of numbers of this architecture.
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
      REFUSE,
      CALL(poll),
      CALL(time),
#endif
      CALL_WITHOUT(mmap, 2, PROT_EXEC),
      CALL_WITHOUT(mprotect, 2, PROT_EXEC),
      CALL(munmap),
      CALL(mremap),
      CALL(madvise),
      CALL(brk),
      CALL(membarrier),
      CALL(futex),
      // glibc then starts threads by the older call, whose flags can be inspected.
      EQUAL(__NR_clone3, 0, 1),
      RETURN(SECCOMP_RET_ERRNO | ENOSYS),
      EQUAL(__NR_clone, 0, 4),
      LOAD_ARGUMENT(0),
      HAS_BITS(CLONE_THREAD, 0, 1),
      PERMIT,
      REFUSE,
      CALL(set_robust_list),
      CALL(rseq),
      CALL(gettid),
      CALL(getpid),
      CALL(sched_yield),
      CALL(sched_getaffinity),
      CALL(getcpu),
      CALL(exit),
      CALL(exit_group),
      CALL(restart_syscall),
      CALL(rt_sigaction),
      CALL(rt_sigprocmask),
      CALL(rt_sigreturn),
      CALL(sigaltstack),
      CALL_WITH(tgkill, 0, own),
      CALL(clock_gettime),
      CALL(clock_getres),
      CALL(clock_nanosleep),
      CALL(nanosleep),
      CALL(gettimeofday),
      CALL(getrandom),
      CALL(sysinfo),
      CALL(uname),
      CALL(getrusage),
      CALL(read),
      CALL(write),
      CALL(close),
      CALL(ppoll),
      // Shows whether descriptors are left.
      CALL_WITH(fcntl, 1, F_DUPFD_CLOEXEC),
      CALL_WITH(recvmsg, 0, PE_SANDBOX_SOCKET),
      CALL_WITH(sendmsg, 0, PE_SANDBOX_SOCKET),
      CALL_WITH(prctl, 0, PR_SET_NAME),
      // Reads limits only: the address of new ones, of two halves, is zero.
      EQUAL(__NR_prlimit64, 0, 6),
      LOAD_ARGUMENT(2),
      EQUAL(0, 0, 3),
      LOAD_UPPER_HALF(2),
      EQUAL(0, 0, 1),
      PERMIT,
      REFUSE,
      REFUSE,
  };
  const struct sock_fprog program = {sizeof filter / sizeof filter[0], (struct sock_filter *)filter};
  return (int)syscall(
      __NR_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
}

// The rights that each version of Landlock's interface knows; later versions add none that matter.
static int deny_files(void) {
  const struct {
    uint64_t files, network, scope;
  } rules[] = {
      {0x1FFF, 0, 0}, {0x3FFF, 0, 0}, {0x7FFF, 0, 0}, {0x7FFF, 3, 0}, {0xFFFF, 3, 0}, {0xFFFF, 3, 3},
  };
  const size_t sizes[] = {8, 8, 8, 16, 16, 24};
  const long version = syscall(__NR_landlock_create_ruleset, NULL, 0, 1);
  if (version < 1) return 0;
  const long index = (version > 6 ? 6 : version) - 1;
  const int rule_set =
      (int)syscall(__NR_landlock_create_ruleset, &rules[index], sizes[index], 0);
  if (rule_set < 0) return 0;
  const long code = syscall(__NR_landlock_restrict_self, rule_set, 0);
  close(rule_set);
  return code == 0 ? (int)version : 0;
}

// Also raises a lower limit as far as allowed: it was made for the process that started this one.
static void limit(int resource, rlim_t most) {
  struct rlimit limits;
  if (getrlimit(resource, &limits) != 0) return;
  if (limits.rlim_max > most) limits.rlim_max = most;
  limits.rlim_cur = limits.rlim_max;
  setrlimit(resource, &limits);
}

pe_confinement pe_confine(int32_t uses_landlock) {
  pe_confinement result = {0, 0};
  syscall(__NR_close_range, PE_SANDBOX_SOCKET + 1, ~0U, 0);
  // A file and a block of memory arrive at a time; the rest are copies.
  limit(RLIMIT_NOFILE, PE_SANDBOX_SOCKET + 1 + 2 + 8);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, 0);
  limit(RLIMIT_CPU, PE_MOST_SECONDS);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return result;
  if (uses_landlock) result.landlock = deny_files();
  result.has_filter = install_filter() == 0;
  return result;
}

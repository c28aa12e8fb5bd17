//! Nothing but computing, where the kernel filters system calls: those of a list, and for each other one the
//! kernel says that it does not exist. No sockets, no programs, no files by name.

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, apply_filter,
};

/// Reading what is open, writing what is asked, memory, threads, the end.
const ALLOWED: &[i64] = &[
    libc::SYS_brk,
    libc::SYS_clock_gettime,
    libc::SYS_clock_nanosleep,
    libc::SYS_close,
    libc::SYS_exit,
    libc::SYS_exit_group,
    libc::SYS_fcntl,
    libc::SYS_fstat,
    libc::SYS_futex,
    libc::SYS_getpid,
    libc::SYS_getrandom,
    libc::SYS_gettid,
    libc::SYS_lseek,
    libc::SYS_madvise,
    libc::SYS_mmap,
    libc::SYS_mprotect,
    libc::SYS_mremap,
    libc::SYS_munmap,
    libc::SYS_nanosleep,
    libc::SYS_ppoll,
    libc::SYS_pread64,
    libc::SYS_prlimit64,
    libc::SYS_read,
    libc::SYS_readv,
    libc::SYS_restart_syscall,
    libc::SYS_rseq,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_sched_getaffinity,
    libc::SYS_sched_yield,
    libc::SYS_set_robust_list,
    libc::SYS_sigaltstack,
    libc::SYS_statx,
    libc::SYS_tgkill,
    libc::SYS_write,
    libc::SYS_writev,
];

/// Whether other system calls fail now, in this thread and in those that it starts.
pub(super) fn filtered() -> bool {
    program().is_some_and(|program| apply_filter(&program).is_ok())
}

fn program() -> Option<BpfProgram> {
    let mut rules: std::collections::BTreeMap<_, _> =
        ALLOWED.iter().map(|call| (*call, Vec::new())).collect();
    rules.insert(libc::SYS_clone, vec![threads_only()?]);
    // Who asks for a call that does not exist knows another way: `clone` for `clone3`, say.
    let absent = SeccompAction::Errno(u32::try_from(libc::ENOSYS).ok()?);
    let arch = std::env::consts::ARCH.try_into().ok()?;
    SeccompFilter::new(rules, absent, SeccompAction::Allow, arch).ok()?.try_into().ok()
}

/// New threads, and no new process.
fn threads_only() -> Option<SeccompRule> {
    let thread = u64::try_from(libc::CLONE_THREAD).ok()?;
    let operation = SeccompCmpOp::MaskedEq(thread);
    let condition = SeccompCondition::new(0, SeccompCmpArgLen::Qword, operation, thread).ok()?;
    SeccompRule::new(vec![condition]).ok()
}

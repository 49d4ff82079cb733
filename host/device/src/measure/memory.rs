//! How much memory this process may still take.

use std::fs;
use std::path::{Component, Path};

/// Where a version of control groups is mounted, and what its files are called.
struct Controller {
    mounted: &'static str,
    limit: &'static str,
    used: &'static str,
    /// In `memory.stat`: pages of files that the kernel gives back before anything else.
    spare: &'static str,
}

/// The second version, alone or beside the first.
const SECOND: [Controller; 2] =
    [second_version("sys/fs/cgroup"), second_version("sys/fs/cgroup/unified")];

const fn second_version(mounted: &'static str) -> Controller {
    Controller { mounted, limit: "memory.max", used: "memory.current", spare: "inactive_file" }
}

const FIRST: Controller = Controller {
    mounted: "sys/fs/cgroup/memory",
    limit: "memory.limit_in_bytes",
    used: "memory.usage_in_bytes",
    spare: "total_inactive_file",
};

/// Bytes that can be had just now without swapping, and without leaving what the process's control groups allow; `None` where
/// nobody says so.
pub fn available_memory() -> Option<u64> {
    available_below(Path::new("/"))
}

/// The same of a system whose files lie in that folder.
fn available_below(root: &Path) -> Option<u64> {
    let machine = machine_memory(root);
    let groups = fs::read_to_string(root.join("proc/self/cgroup")).unwrap_or_default();
    let rooms = groups.lines().flat_map(|line| group_limits(root, line));
    machine.into_iter().chain(rooms).min()
}

/// What the kernel says of the whole machine.
fn machine_memory(root: &Path) -> Option<u64> {
    let text = fs::read_to_string(root.join("proc/meminfo")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}

/// What is left in each of the groups of a line of `/proc/self/cgroup`, `0::/a/b` or `4:memory:/a/b`: a group is held to what those
/// above it are.
fn group_limits(root: &Path, line: &str) -> Vec<u64> {
    let mut parts = line.splitn(3, ':');
    let (Some(number), Some(controllers), Some(path)) = (parts.next(), parts.next(), parts.next())
    else {
        return Vec::new();
    };
    let mounts: &[Controller] = if number == "0" && controllers.is_empty() {
        &SECOND
    } else if controllers.split(',').any(|one| one == "memory") {
        std::slice::from_ref(&FIRST)
    } else {
        return Vec::new();
    };
    // A container sees its own groups below the mount, whatever its path is outside: those that are not there are passed over.
    let names = Path::new(path).components().filter_map(|part| match part {
        Component::Normal(name) => Some(name),
        _ => None,
    });
    let names: Vec<_> = names.collect();
    let mut found = Vec::new();
    for controller in mounts {
        let mut group = root.join(controller.mounted);
        found.extend(group_room(&group, controller));
        for name in &names {
            group.push(name);
            found.extend(group_room(&group, controller));
        }
    }
    found
}

/// The limit of a group less what it uses and cannot give back; `None` where it has no limit.
fn group_room(group: &Path, controller: &Controller) -> Option<u64> {
    let number = |file: &str| -> Option<u64> {
        fs::read_to_string(group.join(file)).ok()?.trim().parse().ok()
    };
    let (limit, used) = (number(controller.limit)?, number(controller.used)?);
    let stat = fs::read_to_string(group.join("memory.stat")).unwrap_or_default();
    let spare =
        stat.lines().find_map(|line| line.strip_prefix(controller.spare)?.strip_prefix(' '));
    let spare = spare.and_then(|number| number.parse().ok()).unwrap_or(0);
    Some(limit.saturating_sub(used.saturating_sub(spare)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MACHINE: &str = "MemTotal:       16000000 kB\nMemAvailable:    8000000 kB\n";

    /// What is there with these files.
    fn of(files: &[(&str, &str)]) -> Option<u64> {
        let root = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        available_below(root.path())
    }

    #[test]
    fn without_groups_it_is_what_the_kernel_says() {
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[("proc/meminfo", "MemTotal: 5 kB\n")]), None);
        assert_eq!(of(&[("proc/meminfo", MACHINE)]), Some(8_192_000_000));
        assert!(available_memory().is_none_or(|bytes| bytes > 1 << 20));
    }

    /// As systemd lays them out: the slice above has the smaller limit.
    #[test]
    fn the_tightest_group_of_the_second_version_counts() {
        let files = [
            ("proc/meminfo", MACHINE),
            ("proc/self/cgroup", "0::/user.slice/work.scope\n"),
            ("sys/fs/cgroup/user.slice/memory.max", "3000000000\n"),
            ("sys/fs/cgroup/user.slice/memory.current", "1000000000\n"),
            (
                "sys/fs/cgroup/user.slice/memory.stat",
                "anon 9\ninactive_file 400000000\nactive_file 7\n",
            ),
            ("sys/fs/cgroup/user.slice/work.scope/memory.max", "max\n"),
            ("sys/fs/cgroup/user.slice/work.scope/memory.current", "900000000\n"),
        ];
        assert_eq!(of(&files), Some(2_400_000_000));
        // Without what files can give back, and of another group nothing.
        assert_eq!(of(&files[..4]), Some(2_000_000_000));
        let elsewhere = [files[0], ("proc/self/cgroup", "0::/other.slice\n"), files[2], files[3]];
        assert_eq!(of(&elsewhere), Some(8_192_000_000));
        // Neither is a limit that is above what the machine has.
        let loose = [files[0], files[1], (files[2].0, "99000000000\n"), files[3]];
        assert_eq!(of(&loose), Some(8_192_000_000));
    }

    /// A container's own group is the root of what it sees, and its path outside does not exist here.
    #[test]
    fn a_container_is_held_by_the_group_at_the_mount() {
        for path in ["/", "/docker/4f2a", "/../outside"] {
            let own = format!("0::{path}\n");
            let files = [
                ("proc/meminfo", MACHINE),
                ("proc/self/cgroup", own.as_str()),
                ("sys/fs/cgroup/memory.max", "2147483648\n"),
                ("sys/fs/cgroup/memory.current", "147483648\n"),
            ];
            assert_eq!(of(&files), Some(2_000_000_000), "{path}");
        }
    }

    #[test]
    fn the_first_version_counts_as_well() {
        let files = [
            ("proc/meminfo", MACHINE),
            ("proc/self/cgroup", "9:name=systemd:/\n4:cpu,memory:/a/b\n0::/\nnonsense\n"),
            ("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"),
            ("sys/fs/cgroup/memory/memory.usage_in_bytes", "5\n"),
            ("sys/fs/cgroup/memory/a/b/memory.limit_in_bytes", "1000000000\n"),
            ("sys/fs/cgroup/memory/a/b/memory.usage_in_bytes", "1200000000\n"),
            (
                "sys/fs/cgroup/memory/a/b/memory.stat",
                "inactive_file 1\ntotal_inactive_file 700000000\n",
            ),
        ];
        assert_eq!(of(&files), Some(500_000_000));
        // More in use than allowed leaves nothing, and is not an error.
        assert_eq!(of(&files[..6]), Some(0));
    }
}

//! How many compute units a kernel may have.

use anyhow::{Error, anyhow, bail};
use derate_model::ResourceKind;
use derate_model::design::DesignKernel;
use derate_model::explore::{Objective, UnitCount};

use super::asked::Asked;

/// Units that are tried where `--vary` names none: powers of two up to this.
const MOST_UNITS: u64 = 16;

/// The counts of units to choose from, the present one first. Units are open where calls could share them, and where all that
/// a unit takes is known.
pub(super) fn list_counts(
    asked: &Asked<'_>,
    kernel: &DesignKernel,
    names: &[&str],
    has_part: bool,
) -> Result<Vec<UnitCount>, Error> {
    let mut list = vec![kernel.units];
    let given = read_given(asked, names)?;
    let unknown = find_unknown(kernel);
    match (given, unknown) {
        (Some(_), Some(resource)) => bail!(
            "--vary `{}.units`: how much {} a unit takes is not known: state it in [[kernel]]",
            kernel.name,
            resource.name()
        ),
        (Some(units), None) => list.extend(units.into_iter().filter(|one| *one != kernel.units)),
        (None, None) if asked.args.vary.is_empty() && has_part => {
            let most = most_useful(asked, kernel);
            let powers = (0..).map(|n| 1_u64 << n).take_while(|units| *units <= MOST_UNITS);
            list.extend(powers.filter(|units| *units > kernel.units && *units <= most));
        }
        _ => {}
    }
    let count = |units: &u64| {
        let many = DesignKernel { units: *units, ..kernel.clone() };
        let memory = many.roof.as_ref().filter(|_| *units > 1).map(|roof| roof.memory.0);
        let calls = match asked.objective {
            // Units work on the calls of several inferences at once.
            Objective::Interval => many.calls.value / *units as f64,
            _ => many.serial_calls(),
        };
        let share = if has_part { 1.0 } else { 0.0 };
        UnitCount {
            units: *units,
            seconds_per_cycle: share * calls / many.clock.value.0,
            least: share * memory.unwrap_or(0.0),
        }
    };
    Ok(list.iter().map(count).collect())
}

/// Units beyond which no call is left for another one.
fn most_useful(asked: &Asked<'_>, kernel: &DesignKernel) -> u64 {
    if asked.objective == Objective::Interval {
        return MOST_UNITS;
    }
    let layers = kernel.serves.layer_runs;
    let calls = if layers > 0.0 { kernel.calls.value / layers } else { 1.0 };
    // The next power of two covers calls that are none.
    (1..=MOST_UNITS).find(|units| *units as f64 >= calls).unwrap_or(MOST_UNITS).next_power_of_two()
}

/// A resource of which nothing says how much the kernel takes.
fn find_unknown(kernel: &DesignKernel) -> Option<ResourceKind> {
    let all = ResourceKind::ALL.into_iter().filter(|one| *one != ResourceKind::Uram);
    all.into_iter().find(|one| kernel.amount(*one).is_none())
}

/// What `--vary KERNEL.units=1,2,4` lists of the first of these kernels.
fn read_given(asked: &Asked<'_>, names: &[&str]) -> Result<Option<Vec<u64>>, Error> {
    let mut given = asked.args.vary.iter().filter_map(|text| {
        let (name, rest) = text.split_once('.')?;
        let values = rest.strip_prefix("units=").filter(|_| names.contains(&name))?;
        Some((text, values))
    });
    let Some((text, values)) = given.next() else { return Ok(None) };
    let read = |value: &str| {
        let units = value.trim().parse().ok().filter(|units| (1..=128).contains(units));
        units.ok_or_else(|| {
            anyhow!("--vary `{text}`: `{value}` is not a count of units: write one from 1 to 128")
        })
    };
    values.split(',').map(read).collect::<Result<_, _>>().map(Some)
}

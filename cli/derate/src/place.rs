//! Which file and line an error blames.

use anyhow::Error;
use derate_hls::{FilePlace, ReportError};
use derate_model::load::{LoadError, ReadError};
use derate_model::measurement::MeasurementError;
use derate_model::points::PointsError;
use derate_model::{PlatformError, ProjectError, ShapeError};

/// The place that an error names, where it has one.
pub(crate) fn find_place(error: &Error) -> Option<FilePlace> {
    error.chain().find_map(|cause| {
        #[cfg(feature = "parquet")]
        if let Some(error) = cause.downcast_ref::<derate_columns::shards::ShardError>() {
            return error.path().map(|path| FilePlace::of_file(path.display().to_string()));
        }
        if let Some(error) = cause.downcast_ref::<LoadError>() {
            return error.place();
        }
        if let Some(error) = cause.downcast_ref::<PlatformError>() {
            return error.place();
        }
        let read = cause.downcast_ref::<ReadError>().map(|error| error.place.clone());
        let project = || cause.downcast_ref::<ProjectError>().map(|error| error.place.clone());
        let dump = || cause.downcast_ref::<ShapeError>().map(ShapeError::place);
        let measured = || cause.downcast_ref::<MeasurementError>().map(|error| error.place.clone());
        let points = || cause.downcast_ref::<PointsError>().map(|error| error.place.clone());
        let report = || cause.downcast_ref::<ReportError>().map(ReportError::place);
        read.or_else(project).or_else(dump).or_else(measured).or_else(points).or_else(report)
    })
}

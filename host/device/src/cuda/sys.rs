//! The functions of NVIDIA's driver, of cuBLAS and of NVRTC, as their C headers declare them. The one place that calls them.
#![allow(unsafe_code, reason = "C libraries that are loaded at run time")]

mod cublas;
mod cublas_lt;
mod driver;
mod nvrtc;

use std::mem::ManuallyDrop;

use super::library::Library as Known;
use crate::error::CudaError;

pub(super) use cublas::{Batch, ComputeType, Cublas, DataType, Matrices};
pub(super) use cublas_lt::{CublasLt, Fp8Product, Plan};
pub(super) use driver::{Address, Argument, Attribute, Context, Driver, Event, Function, Module};
pub(super) use nvrtc::{Nvrtc, Target};

/// Loads the first of a library's places for a driver of that CUDA, its major number, that can be; the error says of the first what was wrong. It is never unloaded:
/// NVIDIA's own destructors run at the end of the process.
fn load(
    known: &Known,
    driver: Option<i32>,
) -> Result<ManuallyDrop<libloading::Library>, CudaError> {
    let mut why = None;
    for place in known.list_places(std::env::var("CUDA_HOME").ok().as_deref(), driver) {
        // SAFETY: NVIDIA's initialisers set up tables and start nothing.
        match unsafe { libloading::Library::new(&place) } {
            Ok(library) => return Ok(ManuallyDrop::new(library)),
            Err(error) => {
                // The loader's own message is the source of the library's.
                why.get_or_insert_with(|| match std::error::Error::source(&error) {
                    Some(why) => why.to_string(),
                    None => format!("{}: {error}", place.display()),
                });
            }
        }
    }
    Err(CudaError::NotInstalled {
        what: known.title,
        why: why.unwrap_or_default(),
        remedy: known.remedy,
    })
}

/// A table of functions: each is looked up once, and one that is missing is an error.
macro_rules! table {
    ($name:ident of $library:expr; $($field:ident = $symbol:literal $(or $other:literal)?: $kind:ty;)*) => {
        #[derive(Debug)]
        struct $name {
            $($field: $kind,)*
            _library: std::mem::ManuallyDrop<libloading::Library>,
        }

        impl $name {
            fn load(driver: Option<i32>) -> Result<Self, super::CudaError> {
                let library = super::load(&$library, driver)?;
                $(
                    // SAFETY: the type is that of the C header.
                    let found = unsafe { library.get::<$kind>($symbol) };
                    // SAFETY: so is that of its later name.
                    $(let found = found.or_else(|_| unsafe { library.get::<$kind>($other) });)?
                    let $field = *found.map_err(|_| super::CudaError::Symbol {
                        library: $library.title,
                        symbol: $symbol,
                    })?;
                )*
                Ok(Self { $($field,)* _library: library })
            }
        }
    };
}
use table;

//! What the workload costs and whether the claims about it hold.

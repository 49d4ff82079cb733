Buy milk, and bread (two loaves.

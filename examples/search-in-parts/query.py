"""The points of a sweep that was computed in parts, queried with SQL: `pip install derate datafusion`."""

import subprocess
import sys
import tempfile
from pathlib import Path

from datafusion import SessionContext

PARTS = 3
SWEEP = ["--sweep", "batch=1,2,4,8,16,32,64", "--sweep", "prompt=128,512,2048,8192", "--sweep", "generate=64,256"]

with tempfile.TemporaryDirectory() as folder:
    # Each part may run on another machine, in any order.
    for part in range(1, PARTS + 1):
        out = Path(folder, f"{part}.parquet")
        words = ["predict", "llm", "--model", "llama-3-8b", "--platform", "h100-sxm", *SWEEP]
        words += ["--shard", f"{part}/{PARTS}", "--parquet", str(out)]
        subprocess.run([sys.executable, "-m", "derate", *words], check=True, stderr=subprocess.DEVNULL)

    context = SessionContext().enable_url_table()
    rows = context.sql(f"""
        SELECT batch, prompt, generate, round(seconds, 3) AS seconds, round(batch * generate / seconds) AS tokens_per_second
        FROM '{folder}/*.parquet'
        WHERE prompt = 2048 AND fits
        ORDER BY tokens_per_second DESC
        LIMIT 5
    """)
    print(rows)

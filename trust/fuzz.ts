import { parseArgs } from 'node:util'
import { operationById } from '@liquidity-os/contract'
import { interruption } from './chaos/interruption.ts'
import { announce, print, printTable } from './fuzz/print.ts'
import { exitCodeOf, runFuzz } from './fuzz/run.ts'
import { startWatchdog } from './fuzz/watchdog.ts'

/** The service shares the event loop of this process. No request blocks it for long. */
const maxBlockedMilliseconds = 60_000

const help = `npm run fuzz [-- --requests N] [--seed N] [--scenes N] [--operations ID,…] [--table]

Sends requests that are drawn from the contract to a running service, on the embedded database or on that of DATABASE_URL. A
request is the example of an operation with ids of earlier answers, or follows from the schema. Some are sent unchanged, most are
changed in one place or more: other types, values at and past a limit, long and unusual strings, unknown or missing members, ids
of another organization. Some keys are sent again. Two organizations have the records of the examples. Each scene adds an
organization with all that one operation needs, on a chain with markets. The program checks each answer:

  - no 5xx, except a 503 that the operation declares and that does not report an unavailable database
  - status, headers and body match the contract
  - it reveals nothing of another organization
  - the same key returns the same bytes
  - it arrives within 20 s
  - at the end, every hash of the history

Equal findings of one operation are one line with a count and one example, which has as few changes as show the finding. An
operation without an answer in 3 requests is left out. After 20 requests without an answer the run ends. Progress goes to
stderr. The report and the seed are always printed, also after an error and after SIGINT. The exit code is 1 if there is a finding,
a broken hash or an error, or if the run did not complete. A request that blocks the process for ${maxBlockedMilliseconds / 1000} s ends it with SIGKILL,
after the report so far and the request.

  --requests    Default: 10000
  --seed        decides the requests, together with the answers of the service
  --scenes      scenes to set up, 1 s each. Default: all
  --operations  only these
  --table       also prints the answers by operation and status
`

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '10000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    scenes: { type: 'string', default: '1000' },
    operations: { type: 'string', default: '' },
    table: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const numbers = [values.requests, values.seed, values.scenes].map(Number)
const [requests = 0, seed = 0, scenes = 0] = numbers
const only = values.operations.split(',').filter(Boolean)
const isUsable =
  numbers.every((number) => Number.isInteger(number) && number >= 0) &&
  requests > 0 &&
  only.every((id) => operationById.has(id))
if (values.help || !isUsable) {
  process.stdout.write(help)
  process.exit(values.help ? 0 : 2)
}

const settings = { requests, seed, scenes, only }
process.stdout.write(announce(settings))
const signal = interruption()
const watchdog = await startWatchdog(maxBlockedMilliseconds)
const report = await runFuzz(settings, {
  signal,
  progress: (line, soFar) => {
    process.stderr.write(`${line}\n`)
    watchdog.noteReport(print(soFar))
  },
  noteRequest: ({ id }, request) => watchdog.noteRequest(`${id} ${JSON.stringify(request)}`),
})
if (values.table) process.stdout.write(printTable(report.statuses))
process.stdout.write(print(report))
process.exit(exitCodeOf(report))

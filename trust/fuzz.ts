import { parseArgs } from 'node:util'
import { operationById } from '@liquidity-os/contract'
import { print, printTable } from './fuzz/print.ts'
import { runFuzz } from './fuzz/run.ts'

const help = `npm run fuzz [-- --requests N] [--seed N] [--operations ID,…] [--table]

Sends requests that are drawn from the contract to a running service, on the embedded database or on the one that DATABASE_URL names.
A request is an operation's example with ids that were seen before, or is born of its schema; a third of them is sent as it is,
most are changed in one place, some in several: other types, borders and one step past them, huge and strange strings,
members nobody knows, members left out, ids of another organization. Some changes are sent again under their key. Two
organizations ask that have what the examples make; beside them one for each scene, in which everything is there that an
operation needs, a chain with markets included, and whose requests are sound before they are changed. Each answer is held against:

  - no 5xx, but a 503 that the contract declares, and none that says the database is away
  - status, headers and body fit what the operation declares
  - nothing of the other organization is told or found
  - the same key gives the same bytes
  - an answer within 20 s
  - at the end every hash of the history

What is wrong is sent again with fewer changes for as long as it stays wrong, and printed with its request. Exit status 1 then.

  --requests    10000 unless said
  --seed        what is drawn follows from it, and from what the service answered
  --scenes      all of them unless said; each takes a second
  --operations  only these
  --table       prints how often each operation answered with each status
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

const report = await runFuzz({ requests, seed, scenes, only })
if (values.table) process.stdout.write(printTable(report.statuses))
process.stdout.write(print(report))
process.exit(report.findings.length + report.history.faults.length > 0 ? 1 : 0)

import { parseArgs } from 'node:util'
import { faults } from './chaos/faults.ts'
import type { DatabaseKind } from './chaos/fleet.ts'
import { print } from './chaos/print.ts'
import { runChaos } from './chaos/run.ts'

const help = `npm run chaos [-- --database postgres|embedded|both] [--seconds N] [--clients N] [--seed N]
              [--faults NAME,…] [--patient]

Lets clients change and read things as fast as they are answered while the service and its database are broken and mended, one
fault after the other. Each client repeats a request under its idempotency key, at another node, until it is answered, and keeps
what it was told. When all has come to rest, that is held against what is there:

  - every acknowledged change is there exactly once, and as it was acknowledged
  - the key of each gives the same bytes again
  - every hash chain and the proof log verify (liquidity verify-history, liquidity verify-log)
  - every committed event has reached a receiver of webhooks, signed
  - every job has ended, and completed
  - what was acknowledged by one node is read at the other from then on
  - nobody is answered anything worse than 503

  --database  PostgreSQL has two nodes and a worker beside them, under the roles of the operations guide; the embedded database
              belongs to one process. Default: both, one after the other
  --seconds   of breaking things, 20 unless said; the last fault is mended first
  --clients   that work at once, 16 unless said
  --seed      order, length and place of the faults and what clients ask for follow from it; when what happens does not
  --faults    only these
  --patient   waits until whoever died is taken for dead, up to 90 s; else that time passes at once by the clock of the leases

Recovery is the time from when a fault begins to be mended (a killed process: to be started again) until every node has
acknowledged a change that it was asked for since. Exit status 1 where anything was violated.

Faults:
${faults.map(({ name, says, on }) => `  ${name.padEnd(16)} ${says}${on.length > 1 ? '' : ' (PostgreSQL)'}`).join('\n')}
`

const { values } = parseArgs({
  options: {
    database: { type: 'string', default: 'both' },
    seconds: { type: 'string', default: '20' },
    clients: { type: 'string', default: '16' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    faults: { type: 'string', default: '' },
    patient: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const databases: Readonly<Record<string, readonly DatabaseKind[]>> = {
  ...{ both: ['postgres', 'embedded'], postgres: ['postgres'], embedded: ['embedded'] },
}
const chosen = databases[values.database]
const only = values.faults.split(',').filter(Boolean)
const numbers = [values.seconds, values.clients, values.seed].map(Number)
const [seconds = 0, clients = 0, seed = 0] = numbers
const isUsable =
  chosen !== undefined &&
  numbers.every((number) => Number.isInteger(number) && number >= 0) &&
  clients > 0 &&
  only.every((name) => faults.some((fault) => fault.name === name))
if (values.help || !isUsable) {
  process.stdout.write(help)
  process.exit(values.help ? 0 : 2)
}

for (const database of chosen) {
  const isPatient = values.patient
  const report = await runChaos({ database, seconds, clients, seed, isPatient, only })
  if (report.violations.length > 0) process.exitCode = 1
  process.stdout.write(`${print(report)}\n`)
}
process.exit()

import { parseArgs } from 'node:util'
import { faults } from './chaos/faults.ts'
import type { DatabaseKind } from './chaos/fleet.ts'
import { interruption } from './chaos/interruption.ts'
import { announce, print } from './chaos/print.ts'
import { exitCodeOf, runChaos } from './chaos/run.ts'

const help = `npm run chaos [-- --database postgres|embedded|both] [--seconds N] [--clients N] [--seed N]
              [--faults NAME,…] [--patient]

Clients change and read data as fast as they are answered, while faults hit the service and its database one after the other. Each
client repeats a request under its idempotency key, at another node, until it is answered, and keeps the answer. After the last
request the program compares the answers with the state of the service:

  - every acknowledged change exists exactly once, as acknowledged, and nothing else exists
  - the key of each change returns the same bytes again
  - every hash chain and the proof log verify (liquidity verify-history, liquidity verify-log)
  - every committed event reached a webhook receiver, signed
  - every job exists and completed
  - a change that one node acknowledged is visible at the other node from then on
  - no answer is a 5xx, except 503 while a fault lasts and up to 10 s after its recovery

  --database  PostgreSQL runs with two nodes and a worker, under the roles of the operations guide; the embedded database
              belongs to one process. Default: both, one after the other
  --seconds   how long faults are injected. Default: 20. The last fault is mended first
  --clients   clients that work at the same time. Default: 16
  --seed      decides order, length and place of the faults and the requests of the clients, but not the timing of threads
  --faults    only these
  --patient   waits until dead processes are taken for dead, up to 90 s; otherwise their leases end at once

Recovery is the time from when a fault begins to be mended (a killed process: is started again) until every node has
acknowledged a change that was sent since.

Every wait has a limit. The report and the seed are always printed, also after an error and after SIGINT. The exit code is 1 if
anything was violated or the checks did not complete.

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
  both: ['postgres', 'embedded'],
  postgres: ['postgres'],
  embedded: ['embedded'],
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

const signal = interruption()
for (const database of chosen) {
  if (signal.aborted) break
  const settings = { database, seconds, clients, seed, isPatient: values.patient, only }
  process.stdout.write(announce(settings))
  const report = await runChaos(settings, { signal })
  if (exitCodeOf(report) !== 0) process.exitCode = 1
  process.stdout.write(`${print(report)}\n`)
}
process.exit()

import { parseArgs } from 'node:util'
import { faults } from './ha/faults.ts'
import { print } from './ha/print.ts'
import { missingPackages } from './ha/programs.ts'
import { runHa } from './ha/run.ts'

const help = `npm run ha [-- --seconds N] [--clients N] [--seed N] [--faults NAME,…]

Starts the parts of deploy/ha on this machine: three members of etcd, two PostgreSQL servers under Patroni with synchronous
replication, HAProxy, PgBouncer in transaction pooling, two nodes and two workers. The program then breaks one part after the
other under the load and the checker of npm run chaos. It reports how long no change was acknowledged, and how long a plain psql
through the same PgBouncer got no response.

  --seconds   duration of each fault. Default: 40; a primary is replaced after 20 to 30
  --clients   concurrent clients. Default: 8
  --seed      decides the requests of the clients
  --faults    only these, in this order

Exit status: 1 if a check failed, 3 if a program is missing.

Faults:
${faults.map(({ name, says }) => `  ${name.padEnd(16)} ${says}`).join('\n')}
`

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '40' },
    clients: { type: 'string', default: '8' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    faults: { type: 'string', default: faults.map(({ name }) => name).join(',') },
    help: { type: 'boolean', default: false },
  },
})
const numbers = [values.seconds, values.clients, values.seed].map(Number)
const [seconds = 0, clients = 0, seed = 0] = numbers
const names = values.faults.split(',')
const chosen = names.flatMap((name) => faults.filter((fault) => fault.name === name))
const isUsable =
  numbers.every((number) => Number.isInteger(number) && number >= 0) &&
  clients > 0 &&
  chosen.length === names.length
if (values.help || !isUsable) {
  process.stdout.write(help)
  process.exit(values.help ? 0 : 2)
}
const missing = missingPackages()
if (missing.length > 0) {
  process.stderr.write(
    `Missing: ${missing.join(', ')}. On Debian 12: apt-get install --no-install-recommends ${missing.join(' ')}\n`,
  )
  process.exit(3)
}

const report = await runHa({ seconds, clients, seed, faults: chosen })
process.stdout.write(print(report))
process.exit(report.violations.length > 0 ? 1 : 0)

import { parseArgs } from 'node:util'
import { interruption } from './chaos/interruption.ts'
import { announce, print } from './soak/print.ts'
import { exitCodeOf, runSoak } from './soak/run.ts'

const help = `npm run soak [-- --minutes N] [--rate N] [--seed N] [--sample SECONDS]

Three organizations read and change data at a rate, through two nodes with a worker and PostgreSQL. The program measures memory,
open handles, the event loop, queues and tables meanwhile, and prints how each of them changed after the first third of the time.
Slopes need ten minutes, and say something about days only after days. A shorter run prints none.

The program counts every answer by operation and status. It injects no fault, so the exit code is 1 if a request was answered with
a 5xx or not at all, and if the run did not complete. The report and the seed are always printed, also after SIGINT.

  --minutes   Default: 10
  --rate      requests per second, sent whether or not the earlier ones are answered. Default: 20
  --seed      decides the requests
  --sample    seconds between two measurements. Default: 5
`

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    rate: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    sample: { type: 'string', default: '5' },
    help: { type: 'boolean', default: false },
  },
})
const [minutes = 0, rate = 0, seed = 0, sampleSeconds = 0] = [
  values.minutes,
  values.rate,
  values.seed,
  values.sample,
].map(Number)
const isUsable =
  [minutes, rate, sampleSeconds].every((number) => number > 0) && Number.isInteger(seed)
if (values.help || !isUsable) {
  process.stdout.write(help)
  process.exit(values.help ? 0 : 2)
}
const settings = { minutes, rate, seed, sampleSeconds }
process.stdout.write(announce(settings))
const report = await runSoak(settings, { signal: interruption() })
process.stdout.write(print(report))
process.exit(exitCodeOf(report))

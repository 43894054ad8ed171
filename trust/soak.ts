import { parseArgs } from 'node:util'
import { print } from './soak/print.ts'
import { runSoak } from './soak/run.ts'

const help = `npm run soak [-- --minutes N] [--rate N] [--seed N] [--sample SECONDS]

Lets three organizations read and change things at a rate, through two nodes with a worker and PostgreSQL beside them, and measures
memory, open handles, the event loop, queues and tables all the while. Ends with how each of them changed with time once the service
was warm, and says what grows. That says something after ten minutes or more, and about days only after days.

  --minutes   10 unless said
  --rate      requests a second, 20 unless said; they come whether or not those before them are answered
  --seed      what is asked for follows from it
  --sample    seconds between two measurements, 5 unless said
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
  [minutes, rate, sampleSeconds].every((number) => number > 0) &&
  // Slopes need some measurements of the last two thirds.
  (minutes * 60) / sampleSeconds >= 6 &&
  Number.isInteger(seed)
if (values.help || !isUsable) {
  process.stdout.write(help)
  process.exit(values.help ? 0 : 2)
}
process.stdout.write(print(await runSoak({ minutes, rate, seed, sampleSeconds })))
process.exit()

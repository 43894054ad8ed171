import { parseArgs } from 'node:util'
import { fuzzReplays } from '../test/replay-fuzz.ts'

const help = `node packages/engine/bin/fuzz-replays.ts [--studies N] [--seed N]

Draws recordings and studies on them, runs each on the readable engine and on the compiled one, and compares every byte of
the results.
--studies  how many (default 10,000)
--seed     the first study (default 1); each is fixed by its seed
`

const { values } = parseArgs({
  options: {
    studies: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
})
const [studies, first] = [values.studies, values.seed].map(Number)
if (values.help || !studies || first === undefined) {
  process.stdout.write(help)
  process.exit(values.help ? 0 : 2)
}

const ends = { compiled: 0, left: 0, failed: 0 }
let differences = 0
for (let seed = first; seed < first + studies; seed++) {
  const { difference, end } = fuzzReplays(seed)
  ends[end] += 1
  if (difference === null) continue
  differences += 1
  process.stdout.write(`${difference}\n`)
}
process.stdout.write(
  `${studies} studies from seed ${first}: ${differences} differences\n${JSON.stringify(ends)}\n`,
)
if (differences > 0) process.exitCode = 1

import { parseArgs } from 'node:util'
import { fuzzPaths } from '../test/path-fuzz.ts'

const help = `node packages/engine/bin/fuzz-paths.ts [--studies N] [--seed N] [--paths N]

Draws path studies, runs them on the readable engine and on the compiled one, and compares every byte of the outcomes.
--studies  how many (default 10,000)
--seed     the first study (default 1); each is fixed by its seed
--paths    paths of each (default 2)
`

const { values } = parseArgs({
  options: {
    studies: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    paths: { type: 'string', default: '2' },
    help: { type: 'boolean', default: false },
  },
})
const [studies, first, paths] = [values.studies, values.seed, values.paths].map(Number)
if (values.help || !studies || first === undefined || !paths) {
  process.stdout.write(help)
  process.exit(values.help ? 0 : 2)
}

const total: Record<string, number> = {}
let differences = 0
for (let seed = first; seed < first + studies; seed++) {
  const { difference, counts } = fuzzPaths(seed, paths)
  for (const [name, count] of Object.entries(counts)) total[name] = (total[name] ?? 0) + count
  if (difference === null) continue
  differences += 1
  process.stdout.write(`${difference}\n`)
}
process.stdout.write(
  `${studies} studies of ${paths} paths from seed ${first}: ${differences} differences\n` +
    `${JSON.stringify(total)}\n`,
)
if (differences > 0) process.exitCode = 1

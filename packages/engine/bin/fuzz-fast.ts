import { parseArgs } from 'node:util'
import { runFuzz } from '../test/fast-fuzz.ts'

const help = `node packages/engine/bin/fuzz-fast.ts [--steps N] [--seed N] [--length N]

Runs random operations on the readable v3 engine and on its fast path, and compares every outcome and every field.
--steps   operations in all (default 10,000,000)
--seed    the first sequence (default 1); each sequence is fixed by its seed
--length  operations per sequence (default 2000)
`

const { values } = parseArgs({
  options: {
    steps: { type: 'string', default: '10000000' },
    seed: { type: 'string', default: '1' },
    length: { type: 'string', default: '2000' },
    help: { type: 'boolean', default: false },
  },
})
const [steps, seed, length] = [values.steps, values.seed, values.length].map(Number)
if (values.help || !steps || seed === undefined || !length) {
  process.stdout.write(help)
  process.exit(values.help ? 0 : 2)
}

const counts: Record<string, number> = {}
const start = performance.now()
let differences = 0
let done = 0
for (let index = 0; done < steps; index++, done += length) {
  const { counts: some, difference } = runFuzz({ seed: seed + index, steps: length })
  for (const [name, count] of Object.entries(some)) counts[name] = (counts[name] ?? 0) + count
  if (difference !== null) {
    differences += 1
    process.stdout.write(`${difference}\n`)
  }
  if (index % 500 === 499)
    process.stderr.write(`${done + length} steps, ${differences} differences\n`)
}
const seconds = Math.round((performance.now() - start) / 1000)
const sequences = Math.ceil(done / length)
process.stdout.write(
  `${done} steps in ${sequences} sequences from seed ${seed}: ${differences} differences, ${seconds} s\n` +
    `${JSON.stringify(counts)}\n`,
)
if (differences > 0) process.exitCode = 1

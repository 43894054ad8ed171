import { writeFileSync } from 'node:fs'
/**
 * Compares the engine with the original Uniswap bytecode over many random sequences of operations.
 *
 *     npm run parity -- --sequences 10000 --seed 1
 *
 * StableSwap has no bytecode here: it is compared with recorded calls of deployed pools, with a
 * separate verdict per build.
 *
 * Progress goes to standard error, the result as JSON to standard output. A divergence, reduced to
 * its smallest sequence, sets exit code 1.
 */
import { parseArgs } from 'node:util'
import { marketSourceHash } from '@liquidity-os/engine/build-hash'
import { compareStableRecordings } from '@liquidity-os/engine/parity'
import { stableRecordings } from '../../engine/test/stable-recordings.ts'
import { buildStage } from '../test/parity/stage.ts'
import { emptyTally, tallyTrial } from '../test/parity/trials.ts'

const usage = `npm run parity [-- --sequences N --seed S]

Runs N random sequences of operations (default 10000) from seed S (default 0) on the engine and on the original Uniswap
bytecode in anvil. Compares every storage field and event, and writes packages/engine/parity.json for the market math of this
build. Takes about three minutes on two cores. Exit status: 1 if anything differs.
`

/** Requested options; a wrong or unknown option prints the usage and exits with status 2. */
function readOptions(): { sequences: number; firstSeed: number } {
  try {
    const { values } = parseArgs({
      options: {
        sequences: { type: 'string', default: '10000' },
        seed: { type: 'string', default: '0' },
        help: { type: 'boolean', default: false },
      },
    })
    if (values.help) {
      process.stdout.write(usage)
      process.exit(0)
    }
    const [sequences, firstSeed] = [Number(values.sequences), Number(values.seed)]
    if (Number.isSafeInteger(sequences) && sequences > 0 && Number.isSafeInteger(firstSeed)) {
      return { sequences, firstSeed }
    }
    process.stderr.write(`--sequences and --seed are whole numbers, N above zero.\n\n${usage}`)
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${usage}`)
  }
  process.exit(2)
}
const { sequences, firstSeed } = readOptions()

/** A tenth of the sequences per line, or a line rewritten in place on a terminal. */
function report(done: number, divergences: number): void {
  const line = `${done} of ${sequences} sequences compared, ${divergences} diverge`
  if (process.stderr.isTTY) process.stderr.write(`\r${line}`)
  else if (done % Math.ceil(sequences / 10) === 0) process.stderr.write(`${line}\n`)
}

const started = performance.now()
const stage = await buildStage()
const tally = emptyTally()
let next = 0
let done = 0
/** Two in flight: while one is simulated by the chain the other runs on the engine. */
const worker = async (): Promise<void> => {
  while (next < sequences) {
    await tallyTrial(stage, firstSeed + next++, tally)
    report(++done, tally.divergences.length)
  }
}
await Promise.all([worker(), worker()])
await stage.chain.stop()
if (process.stderr.isTTY) process.stderr.write('\n')

const seconds = Math.round((performance.now() - started) / 1000)
const outcomes = Object.fromEntries([...tally.outcomes].sort())
const stableSwap = compareStableRecordings(stableRecordings())
const result = { firstSeed, ...tally, outcomes, stableSwap, seconds }
const printable = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)
process.stdout.write(`${JSON.stringify(result, printable, 2)}\n`)
// A study can be VERIFIED only by a long run without divergence, for the same market mathematics.
const longRun = 10_000
if (tally.divergences.length === 0 && sequences >= longRun) {
  const { operations, fields } = tally
  const recording = {
    marketSourceHash: marketSourceHash(),
    sequences,
    operations,
    fields,
    divergences: 0,
    firstSeed,
    stableSwap,
  }
  const file = new URL('../../engine/parity.json', import.meta.url)
  writeFileSync(file, `${JSON.stringify(recording, printable, 2)}\n`)
}
process.exitCode = tally.divergences.length === 0 ? 0 : 1

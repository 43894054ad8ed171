import { fees, measureStep, stepHead, stepRow, steps } from '../test/step-truth.ts'

/**
 * Prints the arbitrage loss by step length in the exact market, next to the formula. This is the
 * table of `docs/methodology/monte-carlo.md`.
 *
 *     node packages/engine/bin/step-loss.ts 60
 */
const paths = Number(process.argv[2] ?? '60')
if (!Number.isSafeInteger(paths) || paths < 2) {
  process.stderr.write('usage: step-loss.ts [PATHS], a whole number above one\n')
  process.exit(2)
}
const rows = fees.flatMap((feePips) => {
  const measured = steps.map((stepSeconds) => measureStep(feePips, stepSeconds, paths))
  return measured.map((row) => stepRow(row, measured[0] ?? row))
})
process.stdout.write(`${[...stepHead, ...rows].join('\n')}\n`)

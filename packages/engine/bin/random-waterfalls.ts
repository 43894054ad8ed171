import { runRandomStrategy } from '../test/random-strategies.ts'

/**
 * Closes the two waterfalls of many random strategies; a book that does not balance ends the run.
 *
 *     node packages/engine/bin/random-waterfalls.ts 10000
 */
const strategies = Number(process.argv[2] ?? '10000')
if (!Number.isSafeInteger(strategies) || strategies < 1) {
  process.stderr.write('usage: random-waterfalls.ts [STRATEGIES], a whole number above zero\n')
  process.exit(2)
}
const tally = { strategies, actions: 0, largestRounding: 0n }
for (let seed = 0; seed < strategies; seed++) {
  const { holder, maker, actions } = runRandomStrategy(seed)
  for (const { rounding } of [holder, maker]) {
    const size = rounding < 0n ? -rounding : rounding
    if (size > tally.largestRounding) tally.largestRounding = size
  }
  tally.actions += Object.values(actions.done).reduce((sum, count) => sum + count, 0)
}
process.stdout.write(
  `${JSON.stringify(tally, (_, v: unknown) => (typeof v === 'bigint' ? `${v}` : v))}\n`,
)

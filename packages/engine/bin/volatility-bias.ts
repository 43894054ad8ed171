import { biasHead, biasMarkets, biasRow, measureBandBias } from '../test/band-truth.ts'

/**
 * Prints the bias of the volatility estimated from a pool's own price. It uses simulated pools with
 * arbitrage and noise trades. This is the table of `docs/methodology/price-models.md`.
 *
 *     node packages/engine/bin/volatility-bias.ts 64
 */
const paths = Number(process.argv[2] ?? '64')
if (!Number.isSafeInteger(paths) || paths < 1) {
  process.stderr.write('usage: volatility-bias.ts [PATHS], a whole number above zero\n')
  process.exit(2)
}
const rows = biasMarkets.map((market) => biasRow(market, measureBandBias(market, paths)))
process.stdout.write(`${[...biasHead, ...rows].join('\n')}\n`)

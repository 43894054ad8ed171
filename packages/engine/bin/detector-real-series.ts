import {
  bandTable,
  collapseCharacteristic,
  curveTable,
  measureCollapses,
  measurePeg,
  pegCharacteristic,
} from '../test/detector-real-series.ts'

/**
 * Prints hits and false alarms of `robust-mad-v1` on recorded series. The series are a stablecoin
 * that lost its peg, the same coin in a calm month, and pools of small tokens. Each bar falls in
 * one band.
 *
 *     node packages/engine/bin/detector-real-series.ts
 */
const measured = {
  depeg: measurePeg('usdc_2023-03-09_to_19_depeg.csv'),
  calm: measurePeg('usdc_2024-03_calm.csv'),
  collapses: measureCollapses(),
}
const [peg, depth] = [pegCharacteristic(), collapseCharacteristic()]
const tables = [
  bandTable(peg, 'distance from the peg'),
  curveTable(peg),
  bandTable(depth, 'depth gone in three days'),
  curveTable(depth),
]
process.stdout.write(`${JSON.stringify(measured, null, 2)}\n\n${tables.join('\n\n')}\n`)

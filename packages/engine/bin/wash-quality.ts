import { bandTable, curveTable } from '../test/detector-real-series.ts'
import { measureSchemes, schemeTable, tapes, washCharacteristic } from '../test/wash-quality.ts'

/**
 * Prints the detection rate for wash trades staged in recorded trades, and the detector's results
 * on the unmodified recordings.
 *
 *     node packages/engine/bin/wash-quality.ts
 */
const recorded = tapes()
const characteristic = washCharacteristic(recorded)
const tables = [
  schemeTable(measureSchemes(recorded)),
  bandTable(characteristic, 'wash trades in the volume'),
  curveTable(characteristic),
]
process.stdout.write(`${tables.join('\n\n')}\n`)

import { measureDetector, qualityTable } from '../test/detector-quality.ts'

/**
 * Prints the incidents that `robust-mad-v1` finds on synthetic markets, by size and severity, and
 * its false alarms.
 *
 *     node packages/engine/bin/detector-quality.ts 1000
 */
const venues = Number(process.argv[2] ?? '1000')
if (!Number.isSafeInteger(venues) || venues < 1) {
  process.stderr.write('usage: detector-quality.ts [VENUES], a whole number above zero\n')
  process.exit(2)
}
process.stdout.write(`${qualityTable(measureDetector({ venues, firstVenue: 0 }))}\n`)

import { measureDetector } from '../test/detector-quality.ts'

/**
 * Prints false warnings per venue-month and missed incidents of `robust-mad-v1` on synthetic markets.
 *
 *     node packages/engine/bin/detector-quality.ts 1000
 */
const venues = Number(process.argv[2] ?? '1000')
if (!Number.isSafeInteger(venues) || venues < 1) {
  process.stderr.write('usage: detector-quality.ts [VENUES], a whole number above zero\n')
  process.exit(2)
}
const quality = measureDetector({ venues, firstVenue: 0 })
process.stdout.write(`${JSON.stringify(quality)}\n`)

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'

/** A price of the recorded pool, √(OP/WETH) as Q64.96, and its time in Unix seconds. */
export interface RecordedPrice {
  readonly at: number
  readonly sqrtPriceX96: bigint
}

export const recordedDays = 31
const daySeconds = 86_400
/** Intervals of the prices by age, the newest first. */
const steps = [
  { days: 1, seconds: 900 },
  { days: 7, seconds: 3600 },
  { days: recordedDays, seconds: 7200 },
] as const
const file = new URL('../../../datasets/cl-weth-op-2024/events.csv.gz', import.meta.url)

/**
 * The last 31 recorded days of the WETH/OP pool on OP Mainnet: the last swap of each interval.
 * Times are shifted so that the recording ends at `end`.
 */
export function readRecordedPrices(end: number): RecordedPrice[] {
  const swaps = readSwaps()
  const last = swaps.at(-1)
  if (!last) throw new Error('The recording of WETH/OP has no swap.')
  const shift = end - last.at
  const shifted = swaps.map(({ at, sqrtPriceX96 }) => ({ at: at + shift, sqrtPriceX96 }))
  const recent = shifted.filter(({ at }) => at > end - recordedDays * daySeconds)
  return recent.filter((swap, index) => {
    const next = recent[index + 1]
    return next === undefined || intervalOf(end - next.at) !== intervalOf(end - swap.at)
  })
}

/** Start of the interval of an age, in seconds. Every length is a multiple of the shorter ones. */
function intervalOf(age: number): number {
  const seconds = steps.find(({ days }) => age < days * daySeconds)?.seconds ?? 7200
  return age - (age % seconds)
}

function readSwaps(): RecordedPrice[] {
  const [head = '', ...lines] = gunzipSync(readFileSync(fileURLToPath(file)))
    .toString()
    .trimEnd()
    .split('\n')
  const columns = head.split(',')
  const [type, time, price] = ['type', 'timestamp', 'sqrtPriceX96'].map((name) => {
    const index = columns.indexOf(name)
    if (index < 0) throw new Error(`The recording of WETH/OP has no column ${name}.`)
    return index
  }) as [number, number, number]
  return lines
    .map((line) => line.split(','))
    .filter((cells) => cells[type] === 'SWAP')
    .map((cells) => ({ at: Number(cells[time]), sqrtPriceX96: BigInt(cells[price] ?? '') }))
}

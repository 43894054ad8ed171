import { describe, expect, it } from 'vitest'
import { poolHistory, pulsesAt } from '../../../market/testing/pool-history.ts'
import { bytesOf, readExact, type SampleMeasures } from './batch-measures.ts'
import deriveBook from './derive-book-task.ts'

const from = 1_700_000_000
const samplingSeconds = 600
const times = Array.from({ length: 40 }, (_, index) => from + 600 * (index + 1))

/** A pool whose maker adds 100 times the liquidity for 4 s at each sample. */
const pulsed = () =>
  poolHistory(
    { from, to: from + 600 * 41 },
    10n ** 21n,
    pulsesAt(times, { liquidity: 10n ** 23n, seconds: 4 }),
  )

function depthsAt(samples: readonly number[]) {
  const measured = bytesOf(samples.map((at) => ({ at, hash: `0x${at}`, seen: null, own: null })))
  const derived = deriveBook({ history: pulsed(), bandsPips: [20_000], samplingSeconds, measured })
  const depths = readExact<SampleMeasures[]>(derived.measured).map(({ seen }) =>
    seen === null ? null : Number(seen.depth[0]!.bid),
  )
  return { depths, missing: derived.missing }
}

describe('a book derived from a pool', () => {
  it('shows liquidity that lasts 4 s at the sample times in at most one sample of forty', () => {
    const { depths, missing } = depthsAt(times)
    expect(missing).toEqual([])
    const constant = Math.min(...depths.map((depth) => depth ?? 0))
    expect(constant).toBeGreaterThan(0)
    expect(depths.filter((depth) => depth !== constant).length).toBeLessThanOrEqual(1)
    expect(depthsAt(times)).toEqual(depthsAt(times))
  })

  it('shows no more of it to times that are chosen afterwards', () => {
    const close = times.flatMap((at) => [at, at + 1])
    const { depths } = depthsAt(close)
    const constant = Math.min(...depths.map((depth) => depth ?? 0))
    expect(depths.filter((depth) => depth !== constant).length).toBeLessThanOrEqual(2)
    // Every time of an interval gets the same second.
    for (const at of [times[3]!, times[3]! + 1, times[3]! + 200]) {
      expect(depthsAt([at]).depths).toEqual([depths[6]])
    }
  })

  it('requires an interval that was observed to its end', () => {
    expect(depthsAt([from - 700, from + 600 * 41 - 1, from + 600 * 41 + 1]).missing).toEqual([
      0, 1, 2,
    ])
    expect(depthsAt([from + 600]).missing).toEqual([])
  })
})

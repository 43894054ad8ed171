import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { studyRecording } from '../../../../cli/study/run-study.ts'
import type { StudyFile } from '../../../../cli/study/study-file.ts'

const launch = fileURLToPath(
  new URL('../../../../../../../datasets/v3-ens-weth-from-init', import.meta.url),
)

/** Nothing says how far apart samples are. */
const request = {
  name: 'The wide range of the launch',
  base: 1,
  symbols: { base: 'ENS', quote: 'WETH' },
  decimals: { base: 18, quote: 18 },
  arms: [
    {
      armId: 'wide',
      label: '−50 % to +100 %',
      position: { kind: 'RANGE', lowerPips: 500_000, upperPips: 1_000_000 },
    },
  ],
  capital: { base: `${10n ** 22n}`, quote: `${10n ** 20n}`, normalization: 'EQUAL_VALUE' },
} satisfies StudyFile

interface Sample {
  readonly timestamp: number
  readonly sellQuote: readonly string[]
}
interface Run {
  readonly timeInRangePips: number
  readonly series: readonly Sample[]
  readonly depth: readonly { bandPips: number; side: string; median: string; worst5: string }[]
}

let computed: Awaited<ReturnType<typeof studyRecording>>
let course: { fromTime: number; toTime: number }
let run: Run
beforeAll(async () => {
  computed = await studyRecording({ folder: launch }, request, () => {})
  const { window, arms } = computed.study as unknown as {
    window: typeof course
    arms: { results: Run[] }[]
  }
  course = window
  run = arms[0]!.results[0]!
})

describe('samples of a replay that names no distance', () => {
  it('are equally far apart from the first event with liquidity to the last event', () => {
    const { series } = run
    // The pool had no liquidity for the first 29 of its 42 minutes: samples begin after them.
    expect(course.toTime - course.fromTime).toBe(774)
    expect(computed.sampleSeconds).toBe(2)
    expect([series[0]?.timestamp, series.at(-1)?.timestamp]).toEqual([
      course.fromTime,
      course.toTime,
    ])
    expect(series.length).toBe(774 / 2 + 1)
    const gaps = series.slice(1).map(({ timestamp }, at) => timestamp - series[at]!.timestamp)
    expect(new Set(gaps)).toEqual(new Set([2]))
  })

  it('weigh depth by time: none for the share of the time that the range was left', () => {
    const { series, timeInRangePips, depth } = run
    const empty = series.filter(({ sellQuote: [one] }) => one === '0').length / series.length
    expect(timeInRangePips).toBe(928_940)
    expect(Math.abs(empty - (1 - timeInRangePips / 1e6))).toBeLessThan(0.01)
    const sold = depth.find(({ bandPips, side }) => bandPips === 20_000 && side === 'SELL')
    expect(BigInt(sold?.median ?? 0)).toBeGreaterThan(2n * 10n ** 18n)
    expect(sold?.worst5).toBe('0')
  })
})

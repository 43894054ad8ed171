import { expect, it } from 'vitest'
import { comparedBands, compareTargets, type WantedDepth } from './targets.ts'

const wanted = Array.from(
  { length: 14 },
  (_, index): WantedDepth => ({
    intent: { id: 'intent_a', resourceVersion: '1' },
    side: 'BUY',
    targetQuote: '10',
    bandPips: 1_000 * (index === 1 ? 1 : index + 1),
  }),
)

it('requests depth once at each band of the compared targets only', () => {
  const bands = comparedBands(wanted)
  expect(bands).toEqual([1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].map((one) => 1_000 * one))
  const targetDepth = bands.map((bandPips) => ({ bandPips, side: 'BUY' as const, quote: '7' }))
  const composite = {
    midX18: '1',
    midX36: '0',
    isMidCoarse: false,
    depth: [],
    executable: [],
    targetDepth,
  }
  const { targets, reasons } = compareTargets(wanted, composite)
  expect(targets).toEqual(
    wanted.slice(0, 12).map((one) => ({ ...one, actualQuote: '7', shortfallQuote: '3' })),
  )
  expect(reasons).toEqual(['TARGETS_LEFT_OUT'])
})

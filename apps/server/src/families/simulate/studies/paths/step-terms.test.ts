import { describe, expect, it } from 'vitest'
import { blockTimeOf, publishedBlockTime } from '../../../../market/block-time.ts'
import { yearSeconds } from '../../../../units.ts'
import type { StudySpec } from '../validate-spec.ts'
import { stepAssumptions, stepCandidates, UnknownBlockTimeError } from './step-terms.ts'

const volatility = 0.8 / Math.sqrt(yearSeconds)
const valuesOf = (chainId: number, stepSeconds: number, feePips = 3000) =>
  stepAssumptions(publishedBlockTime(chainId), stepSeconds, { feePips, volatility }).map(
    ({ value }) => value,
  )

describe('a study on paths', () => {
  it('says what its steps leave to arbitrage, and what blocks would', () => {
    // As the table of the methodology has it: 8.75 % at 12 s.
    expect(valuesOf(1, 300)).toEqual(['12', '323954', '87456', '3704183'])
    expect(valuesOf(1, 12)).toEqual(['12', '87456', '87456', '1000000'])
    expect(Number(valuesOf(1, 3600)[1])).toBeGreaterThan(Number(valuesOf(1, 300)[1]))
  })

  it('of a pool without a fee loses all of it at any step', () => {
    expect(valuesOf(8453, 300, 0)).toEqual(['2', '1000000', '1000000', '1000000'])
  })

  it('begins with the block time of its chain, and goes to what horizon and samples allow', () => {
    const from = (chainId: number, change: object = {}) =>
      stepCandidates(
        { pair: { chainId }, horizonSeconds: 3600, ...change } as StudySpec,
        publishedBlockTime(chainId),
      )
    expect(from(1)).toEqual([12, 60, 300])
    expect(from(10)).toEqual([2, 60, 300])
    // A quarter of a second is not an integer of them.
    expect(from(42_161)).toEqual([1, 60, 300])
    expect(from(1, { horizonSeconds: 3900, sampleSeconds: 100 })).toEqual([300])
    expect(from(1, { stepSeconds: 7 })).toEqual([7])
    expect(from(1, { price: { kind: 'BLOCK_BOOTSTRAP' } })).toEqual([300])
  })

  it('uses the block time of indexed headers on a chain without a published one', () => {
    const spec = { pair: { chainId: 56 }, horizonSeconds: 3600 } as StudySpec
    // 0.75 s, as on BNB Chain; swaps in every seventh block.
    const headers = Array.from({ length: 2000 }, (_, index) => ({
      block: 7 * index,
      timestamp: 1_700_000_000 + Math.floor(7 * index * 0.75),
    }))
    const blockTime = blockTimeOf(headers)!
    expect(blockTime.seconds).toBeCloseTo(0.75, 2)
    const [low, high] = blockTime.interval!
    expect(low).toBeLessThanOrEqual(0.75)
    expect(high).toBeGreaterThanOrEqual(0.75)
    expect(stepCandidates(spec, blockTime)).toEqual([1, 60, 300])
    const [block, interval, atStep, atBlock] = stepAssumptions(blockTime, 300, {
      feePips: 3000,
      volatility,
    })
    expect([block!.source, interval!.code]).toEqual(['CALIBRATED', 'BLOCK_SECONDS_INTERVAL_95'])
    // At the old default of 300 s the loss is a multiple of that at blocks.
    expect(Number(atStep!.value) / Number(atBlock!.value)).toBeGreaterThan(3.6)
    const slow = { seconds: 120, interval: null, source: 'HEADERS' } as const
    expect(stepCandidates({ ...spec, sampleSeconds: 1200 }, slow)).toEqual([120, 300])
  })

  it('has no default step without headers', () => {
    const spec = { pair: { chainId: 56 }, horizonSeconds: 3600 } as StudySpec
    expect(() => stepCandidates(spec, null)).toThrow(UnknownBlockTimeError)
    expect(stepCandidates({ ...spec, stepSeconds: 60 }, null)).toEqual([60])
    const resampled = { ...spec, price: { kind: 'BLOCK_BOOTSTRAP' } } as StudySpec
    expect(stepCandidates(resampled, null)).toEqual([300])
    const few = [0, 60, 120].map((seconds) => ({ block: seconds, timestamp: seconds }))
    expect(blockTimeOf(few)).toBeNull()
  })

  it('reports a chain without block times', () => {
    expect(valuesOf(31_337, 300)).toEqual(['UNKNOWN'])
  })
})

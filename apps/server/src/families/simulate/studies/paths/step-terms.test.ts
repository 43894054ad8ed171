import { describe, expect, it } from 'vitest'
import { yearSeconds } from '../../../../units.ts'
import type { StudySpec } from '../validate-spec.ts'
import { stepAssumptions, stepCandidates } from './step-terms.ts'

const volatility = 0.8 / Math.sqrt(yearSeconds)
const valuesOf = (chainId: number, stepSeconds: number, feePips = 3000) =>
  stepAssumptions(chainId, stepSeconds, { feePips, volatility }).map(({ value }) => value)

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
      stepCandidates({ pair: { chainId }, horizonSeconds: 3600, ...change } as StudySpec)
    expect(from(1)).toEqual([12, 60, 300])
    expect(from(10)).toEqual([2, 60, 300])
    // A quarter of a second is not an integer of them.
    expect(from(42_161)).toEqual([1, 60, 300])
    expect(from(31_337)).toEqual([300])
    expect(from(1, { horizonSeconds: 3900, sampleSeconds: 100 })).toEqual([300])
    expect(from(1, { stepSeconds: 7 })).toEqual([7])
    expect(from(1, { price: { kind: 'BLOCK_BOOTSTRAP' } })).toEqual([300])
  })

  it('reports a chain without block times', () => {
    expect(valuesOf(31_337, 300)).toEqual(['UNKNOWN'])
  })
})

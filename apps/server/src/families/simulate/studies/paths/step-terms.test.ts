import { describe, expect, it } from 'vitest'
import { yearSeconds } from '../../../../units.ts'
import { stepAssumptions } from './step-terms.ts'

const volatility = 0.8 / Math.sqrt(yearSeconds)
const valuesOf = (chainId: number, stepSeconds: number, feePips = 3000) =>
  stepAssumptions(chainId, stepSeconds, { feePips, volatility }).map(({ value }) => value)

describe('a study on paths', () => {
  it('says what its steps leave to arbitrage, and what blocks would', () => {
    // As the table of the methodology has it: 8.75 % at 12 s.
    expect(valuesOf(1, 300)).toEqual(['12', '323954', '87456'])
    expect(valuesOf(1, 12)).toEqual(['12', '87456', '87456'])
    expect(Number(valuesOf(1, 3600)[1])).toBeGreaterThan(Number(valuesOf(1, 300)[1]))
  })

  it('of a pool without a fee loses all of it at any step', () => {
    expect(valuesOf(8453, 300, 0)).toEqual(['2', '1000000', '1000000'])
  })

  it('of a chain that tells no block time says so', () => {
    expect(valuesOf(31_337, 300)).toEqual(['UNKNOWN'])
  })
})

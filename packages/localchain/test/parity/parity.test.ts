// @module-tag long

import { applyOperation } from '@liquidity-os/engine/parity'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Apply, compareTrial } from './compare.ts'
import { buildStage, type Stage } from './stage.ts'
import { emptyTally, shrinkTrial, tallyTrial, trialOfSeed } from './trials.ts'

let stage: Stage
beforeAll(async () => {
  stage = await buildStage()
})
afterAll(() => stage.chain.stop())

/** An engine whose swaps charge nobody: one unit of fee growth goes missing. */
const forgetful: Apply = (state, operation) => {
  const step = applyOperation(state, operation)
  if (operation.kind !== 'v3.swap' || step.state.kind !== 'UNISWAP_V3') return step
  const { feeGrowthGlobal0X128: growth } = step.state
  return {
    ...step,
    state: { ...step.state, feeGrowthGlobal0X128: growth === 0n ? 0n : growth - 1n },
  }
}

describe('engine and genuine bytecode', () => {
  it('agree on every event, revert and storage field of random sequences', async () => {
    const tally = emptyTally()
    for (let seed = 0; seed < 150; seed++) await tallyTrial(stage, seed, tally)
    expect(tally.divergences).toEqual([])
    expect(tally.sequences).toEqual({ v2: 30, v3: 120 })
    const done = ['mint', 'burn', 'swap', 'collect', 'flash', 'setFeeProtocol', 'collectProtocol']
    for (const kind of done) expect(tally.outcomes.get(`v3.${kind} done`)).toBeGreaterThan(10)
    for (const kind of ['mint', 'burn', 'swap', 'sync', 'skim', 'setFeeTo']) {
      expect(tally.outcomes.get(`v2.${kind} done`)).toBeGreaterThan(10)
    }
    for (const refusal of ['v3.swap SPL', 'v3.mint LO', 'v3.flash F0', 'v2.swap UniswapV2: K']) {
      expect(tally.outcomes.get(refusal)).toBeGreaterThan(0)
    }
  })
})

describe('the comparison', () => {
  it('notices one missing unit and shrinks the sequence that shows it', async () => {
    const trial = trialOfSeed(stage, 5)
    const { divergence } = await compareTrial(stage, trial, forgetful)
    expect(divergence).not.toBeNull()
    const smallest = await shrinkTrial(stage, trial, forgetful)
    expect(smallest.operations.length).toBeLessThan(6)
    expect(smallest.operations.map(({ kind }) => kind)).toContain('v3.swap')
  })

  it('notices a revert that the engine does not expect, and the other way round', async () => {
    const trial = trialOfSeed(stage, 5)
    const obliging: Apply = (state, operation) => {
      const step = applyOperation(state, operation)
      return step.outcome.reverted ? { ...step, outcome: { reverted: false, logs: [] } } : step
    }
    const { divergence } = await compareTrial(stage, trial, obliging)
    expect(divergence?.bytecode).toMatch(/^reverts/)
    const timid: Apply = (state, operation) => ({
      ...applyOperation(state, operation),
      outcome: { reverted: true, reason: 'LOK' },
    })
    const refused = await compareTrial(stage, trial, timid)
    expect(refused.divergence?.engine).toBe('reverts “LOK”')
  })
})

import { expect, test } from 'vitest'
import { createCpmmPair } from '../amm/v2/state.ts'
import { createClmmPool } from '../amm/v3/state.ts'
import { applyOperation, type OperationOutcome } from './apply-operation.ts'
import { randomV2Sequence } from './random-v2.ts'
import { randomV3Sequence } from './random-v3.ts'
import { listStorage } from './storage.ts'

test('random v3 sequences keep the ledger of the pool consistent after every operation', () => {
  const seen = new Map<string, number>()
  for (let seed = 0; seed < 120; seed++) {
    const tickSpacing = [1, 10, 60, 200][seed % 4]!
    let state = createClmmPool({ feePips: 3000, tickSpacing })
    for (const operation of randomV3Sequence({ seed, length: 40, tickSpacing })) {
      const before = listStorage(state)
      const step = applyOperation(state, operation)
      state = step.state
      count(seen, operation.kind, step.outcome)
      if (step.outcome.reverted) expect(listStorage(state)).toEqual(before)
      expect(state.ticks.reduce((sum, tick) => sum + tick.liquidityNet, 0n)).toBe(0n)
      const inRange = state.ticks
        .filter((tick) => tick.index <= state.tick)
        .reduce((sum, tick) => sum + tick.liquidityNet, 0n)
      expect(inRange).toBe(state.liquidity)
      // Known: a fresh pool knows its balances.
      const owed0 = state.positions.reduce((sum, p) => sum + p.tokensOwed0, state.protocolFees0)
      expect(state.balance0! >= owed0).toBe(true)
    }
  }
  for (const kind of ['mint', 'burn', 'collect', 'swap', 'flash']) {
    expect(seen.get(`v3.${kind} done`)).toBeGreaterThan(20)
  }
  for (const refusal of ['v3.mint LO', 'v3.mint TLU', 'v3.swap SPL', 'v3.burn LS', 'v3.flash F0']) {
    expect(seen.get(refusal)).toBeGreaterThan(0)
  }
})

test('random v2 sequences never let the product per share fall while the protocol share is off', () => {
  const seen = new Map<string, number>()
  for (let seed = 0; seed < 120; seed++) {
    let state = createCpmmPair({})
    for (const operation of randomV2Sequence({ seed, length: 40 })) {
      const before = state
      const step = applyOperation(state, operation)
      state = step.state
      count(seen, operation.kind, step.outcome)
      const supplied = Object.values(state.liquidityOf).reduce((sum, held) => sum + held, 0n)
      expect(supplied).toBe(state.totalSupply)
      // The protocol's share is new liquidity without tokens, so it dilutes; everything else must not.
      if (before.totalSupply > 0n && before.kLast === 0n && !step.outcome.reverted) {
        const now = state.reserve0 * state.reserve1 * before.totalSupply ** 2n
        expect(now >= before.reserve0 * before.reserve1 * state.totalSupply ** 2n).toBe(true)
      }
    }
  }
  for (const kind of ['mint', 'burn', 'swap', 'sync', 'skim']) {
    expect(seen.get(`v2.${kind} done`)).toBeGreaterThan(20)
  }
  expect(seen.get('v2.swap UniswapV2: K')).toBeGreaterThan(20)
})

test('an operation of the other kind of market is a mistake of the caller', () => {
  const pool = createClmmPool({ feePips: 500, tickSpacing: 10 })
  expect(() => applyOperation(pool, { kind: 'v2.sync', timestamp: 1 })).toThrow(TypeError)
})

test('a state survives a structured clone', () => {
  let state = createClmmPool({ feePips: 500, tickSpacing: 10 })
  for (const operation of randomV3Sequence({ seed: 3, length: 30, tickSpacing: 10 })) {
    state = applyOperation(state, operation).state
  }
  expect(structuredClone(state)).toEqual(state)
})

function count(seen: Map<string, number>, kind: string, outcome: OperationOutcome): void {
  const key = `${kind} ${outcome.reverted ? outcome.reason : 'done'}`
  seen.set(key, (seen.get(key) ?? 0) + 1)
}

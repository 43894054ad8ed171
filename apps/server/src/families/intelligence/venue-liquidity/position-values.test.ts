import {
  burn,
  type ClmmState,
  collect,
  createClmmPool,
  mint,
  sqrtRatioAtTick,
  swapExactIn,
} from '@liquidity-os/engine/amm'
import { applyOperation } from '@liquidity-os/engine/parity'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  areOwnPositionsKnown,
  type NamedPosition,
  positionValues,
  totalOf,
} from './position-values.ts'

const owner = `0x${'a'.repeat(40)}`
const rival = `0x${'b'.repeat(40)}`
const manager = `0x${'c'.repeat(40)}`
const orientation = { base: 0, quote: 1 }

function openPool(): ClmmState {
  const empty = createClmmPool({ feePips: 3000, tickSpacing: 60 })
  const open = {
    kind: 'v3.initialize',
    timestamp: 1_700_000_000,
    sqrtPriceX96: sqrtRatioAtTick(0),
  } as const
  const pool = applyOperation({ ...empty, balance0: null, balance1: null }, open).state as ClmmState
  const wide = { owner: rival, tickLower: -6000, tickUpper: 6000 }
  return mint(pool, wide, 10n ** 24n).state
}

const ranges = [
  { tickLower: -600, tickUpper: 600 },
  { tickLower: 60, tickUpper: 1200 },
  { tickLower: -1200, tickUpper: -60 },
] as const

type Step =
  | { kind: 'MINT' | 'BURN'; range: number; liquidity: bigint }
  | { kind: 'SWAP'; from: 0 | 1; amount: bigint }
  | { kind: 'COLLECT'; range: number }

const range = fc.integer({ min: 0, max: ranges.length - 1 })
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('MINT' as const, 'BURN' as const),
    range,
    liquidity: fc.bigInt({ min: 1n, max: 10n ** 23n }),
  }),
  fc.record({
    kind: fc.constant('SWAP' as const),
    from: fc.constantFrom<0 | 1>(0, 1),
    amount: fc.bigInt({ min: 1n, max: 10n ** 22n }),
  }),
  fc.record({ kind: fc.constant('COLLECT' as const), range }),
)

function perform(pool: ClmmState, step: Step): ClmmState {
  if (step.kind === 'SWAP') {
    return swapExactIn(pool, { from: step.from, to: 1 - step.from }, step.amount).state
  }
  const key = { owner, ...ranges[step.range]! }
  if (step.kind === 'MINT') return mint(pool, key, step.liquidity).state
  if (step.kind === 'COLLECT') return collect(pool, key).state
  const held = pool.positions.find(
    (one) => one.owner === owner && one.tickLower === key.tickLower,
  )?.liquidity
  return held ? burn(pool, key, step.liquidity < held ? step.liquidity : held).state : pool
}

describe('values of own positions', () => {
  it('equal what the contract pays for all fees and all liquidity, over 1,000 histories', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { minLength: 1, maxLength: 12 }), (steps) => {
        const pool = steps.reduce(perform, openPool())
        const named = ranges.map((one) => ({ owner, ...one }))
        for (const [index, position] of positionValues(pool, orientation, named).entries()) {
          const key = named[index]!
          const stored = pool.positions.find(
            (one) => one.owner === owner && one.tickLower === key.tickLower,
          )
          const liquidity = stored?.liquidity ?? 0n
          // A burn of zero settles the fees, as every wallet does before it collects.
          const settled = liquidity > 0n ? burn(pool, key, 0n).state : pool
          const fees = collect(settled, key)
          const principal = liquidity > 0n ? burn(fees.state, key, liquidity) : fees
          expect(position.liquidity).toBe(`${liquidity}`)
          expect(position.uncollected).toMatchObject({
            base: `${fees.amount0}`,
            quote: `${fees.amount1}`,
          })
          expect(position.amounts).toMatchObject({
            base: `${liquidity > 0n ? principal.amount0 : 0n}`,
            quote: `${liquidity > 0n ? principal.amount1 : 0n}`,
          })
        }
      }),
      { numRuns: 1000 },
    )
  })

  it('state where the price is, for each order of the tokens', () => {
    let pool = openPool()
    for (const one of ranges) pool = mint(pool, { owner, ...one }, 10n ** 20n).state
    const named = ranges.map((one) => ({ owner, ...one }))
    const states = (base: 0 | 1) =>
      positionValues(pool, { base, quote: 1 - base }, named).map(({ state }) => state)
    expect(states(0)).toEqual(['IN_RANGE', 'BELOW', 'ABOVE'])
    expect(states(1)).toEqual(['IN_RANGE', 'ABOVE', 'BELOW'])
    const [inRange] = positionValues(pool, { base: 1, quote: 0 }, named)
    expect(BigInt(inRange!.lowX36!)).toBeLessThan(10n ** 36n)
    expect(BigInt(inRange!.highX36!)).toBeGreaterThan(10n ** 36n)
  })

  it('state the share of the depth', () => {
    const key = { owner, tickLower: -6000, tickUpper: 6000 }
    const pool = mint(openPool(), key, 10n ** 24n).state
    const [position] = positionValues(pool, orientation, [key])
    expect(position!.depthSharePips).toBe(500_000)
  })

  it('are unknown where the profile or the observation does not show them', () => {
    const pool = openPool()
    const partial = { ...pool, positions: [] }
    const token = { owner, tokenId: '1', manager }
    const found = {
      ...token,
      state: 'OWNED' as const,
      heldBy: owner,
      tickLower: -6000,
      tickUpper: 6000,
      liquidity: '5',
    }
    const sold = { ...found, state: 'OTHER_OWNER' as const, heldBy: rival }
    const named = [
      { owner, ...ranges[0] },
      token,
      { ...token, token: sold },
      { ...token, token: found },
    ]
    const positions = positionValues(partial, orientation, named)
    expect(positions.map(({ state, reasons }) => [state, ...reasons])).toEqual([
      ['UNKNOWN', 'POSITION_NOT_OBSERVED'],
      ['UNKNOWN', 'POSITION_NOT_OBSERVED'],
      ['CLOSED', 'POSITION_OTHER_OWNER'],
      ['IN_RANGE', 'POSITION_FEES_NOT_OBSERVED', 'RESULTS_NEED_WALLET_POSITION'],
    ])
    expect(positions[3]).toMatchObject({ liquidity: '5', uncollected: null })
    expect(totalOf(positions)).toBeNull()
    // A sold position holds nothing of the owner, so it does not hide the total.
    expect(totalOf([positions[2]!])!.amounts.valueQuote).toBe('0')
    const direct = { owner, ...ranges[0], liquidity: null }
    expect(areOwnPositionsKnown(partial, [direct])).toBe(false)
    expect(areOwnPositionsKnown(pool, [direct])).toBe(true)
    // All positions of this pool are known, so a missing one holds nothing.
    const [closed] = positionValues(pool, orientation, [{ owner, ...ranges[0] }])
    expect([closed!.state, closed!.amounts!.valueQuote]).toEqual(['CLOSED', '0'])
  })

  it('have a reason for each cause of a missing result', () => {
    const pool = mint(openPool(), { owner, ...ranges[0] }, 10n ** 20n).state
    const reasonsWith = (flows?: NamedPosition['flows']) =>
      positionValues(pool, orientation, [{ owner, ...ranges[0], ...(flows && { flows }) }])[0]!
        .reasons
    const amounts = { amount0: 0n, amount1: 0n }
    const flows = { deposited: amounts, withdrawn: amounts, collected: amounts, since: 1 }
    expect(reasonsWith({ flows })).toEqual([])
    const more = { ...flows, withdrawn: { amount0: 10n ** 30n, amount1: 0n } }
    expect(reasonsWith({ flows: more })).toEqual(['FLOWS_CONTRADICT_STATE'])
    expect(reasonsWith({ missing: 'HISTORY_LIMIT_REACHED' })).toEqual(['HISTORY_LIMIT_REACHED'])
    expect(reasonsWith()).toEqual(['HISTORY_INCOMPLETE'])
  })

  it('add up', () => {
    let pool = openPool()
    for (const one of ranges) pool = mint(pool, { owner, ...one }, 10n ** 20n).state
    const positions = positionValues(
      pool,
      orientation,
      ranges.map((one) => ({ owner, ...one })),
    )
    const total = totalOf(positions)!
    const sum = (read: (one: (typeof positions)[number]) => string) =>
      `${positions.reduce((all, one) => all + BigInt(read(one)), 0n)}`
    expect(total.amounts).toEqual({
      base: sum(({ amounts }) => amounts!.base),
      quote: sum(({ amounts }) => amounts!.quote),
      valueQuote: sum(({ amounts }) => amounts!.valueQuote),
    })
  })
})

import type { contract } from '@liquidity-os/contract'
import { createClmmPool } from '@liquidity-os/engine/amm'
import { describe, expect, it } from 'vitest'
import { ownLiquidityIn, ownPositionsAt, withTokensHeld } from './own-positions.ts'

const [issuer, other, manager] = ['0x1', '0x2', '0xA'].map((part) => part.padEnd(42, '0')) as [
  string,
  string,
  string,
]
const range = { tickLower: -600, tickUpper: 600 }
const nothing = { feeGrowthInside0LastX128: 0n, feeGrowthInside1LastX128: 0n }
const position = (owner: string, liquidity: bigint) => ({
  owner,
  ...range,
  liquidity,
  ...nothing,
  tokensOwed0: 0n,
  tokensOwed1: 0n,
})
/** The manager keeps 100 between these ticks, and the issuer has 5 of its own. */
const pool = {
  ...createClmmPool({ feePips: 3000, tickSpacing: 60 }),
  positions: [position(manager, 100n), position(issuer, 5n)],
}
const token = (change: Partial<contract.PositionToken> = {}): contract.PositionToken => ({
  manager,
  tokenId: '7',
  owner: issuer,
  state: 'OWNED',
  heldBy: issuer,
  ...range,
  liquidity: '30',
  ...change,
})
const named: contract.OwnedPosition[] = [
  { owner: issuer.toUpperCase().replace('0X', '0x'), ...range },
  { owner: issuer, tokenId: '7' },
]

describe('the own positions of a venue', () => {
  it('are the balances that the pool keeps for the owner, and for a token those of the token alone', () => {
    const { positions, areKnown, reasons } = ownPositionsAt(named, [token()])
    expect([areKnown, reasons]).toEqual([true, []])
    expect(ownLiquidityIn(pool, positions).map(({ liquidity }) => liquidity)).toEqual([5n, 30n])
  })

  it('are fewer without a token, and unknown if unread', () => {
    const gone = token({ state: 'OTHER_OWNER', heldBy: other })
    const sold = ownPositionsAt(named, [gone])
    expect([sold.positions.length, sold.areKnown, sold.reasons]).toEqual([
      ...[1, true, ['OWN_POSITION_OTHER_OWNER']],
    ])
    for (const read of [[], [token({ tokenId: '8' })], [token({ owner: other })]]) {
      const unread = ownPositionsAt(named, read)
      expect([unread.areKnown, unread.reasons]).toEqual([false, ['OWN_POSITION_NOT_OBSERVED']])
    }
    const strange = ownPositionsAt(named, [token({ state: 'UNKNOWN_MANAGER', heldBy: null })])
    expect([strange.areKnown, strange.reasons]).toEqual([false, ['OWN_POSITION_UNKNOWN_MANAGER']])
  })
})

describe('a pool by who holds its tokens', () => {
  const held = (tokens: readonly contract.PositionToken[]) =>
    withTokensHeld(pool, tokens).positions.map(({ owner, liquidity }) => [owner, liquidity])

  it('gives each holder the liquidity of the token, and leaves the rest to the manager', () => {
    const second = token({ tokenId: '8', heldBy: other, state: 'OTHER_OWNER', liquidity: '70' })
    expect(held([token(), second])).toEqual([
      [issuer, 5n],
      [issuer, 30n],
      [manager, 0n],
      [other, 70n],
    ])
  })

  it('takes nothing from a manager that does not keep as much there', () => {
    const none = { heldBy: null, tickLower: null, tickUpper: null, liquidity: '0' }
    const odd = [token({ liquidity: '101' }), token({ tickLower: -540 }), token(none)]
    expect(held(odd)).toEqual([
      [manager, 100n],
      [issuer, 5n],
    ])
  })
})

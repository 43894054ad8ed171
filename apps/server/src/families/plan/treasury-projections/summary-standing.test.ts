import type { contract } from '@liquidity-os/contract'
import { expect, it } from 'vitest'
import type { Entry } from './read-sources.ts'
import { coveredOf, encumberedOf } from './summary-standing.ts'

const container = {
  ...({ kind: 'EOA', chainId: 1, address: '0x00000000000000000000000000000000000000aa' } as const),
}
const assetKey = 'eip155:1/native'

function held(quantity: string, amount: string | null, free = quantity, id = quantity) {
  const holding = {
    ...{ assetKey, quantity, unrestricted: free, restricted: '0' },
    reserved: `${BigInt(quantity) - BigInt(free)}`,
    value: amount === null ? null : { quoteKey: 'iso4217:USD', amount },
  } as unknown as contract.TreasurySummary['holdings'][number]
  const payload = { entryKind: 'ASSET', container, asset: assetKey, observed: { quantity } }
  const entry = { id, payload } as unknown as Entry
  return { entry, holding }
}

it('what cannot be used is the share of each value, rounded up, and never more than it', () => {
  const holdings = [held('3', '100', '2'), held('5', '10', '5'), held('7', null, '0')]
  expect(encumberedOf(holdings.map(({ holding }) => holding))).toEqual([
    { quoteKey: 'iso4217:USD', amount: '34' },
  ])
})

it('entries of one container share what its evidence says, and nothing is covered twice', () => {
  const key = 'eip155:1:0x00000000000000000000000000000000000000aa'
  const evidence = (quantity: bigint) =>
    [{ container: key, assetKey, quantity }] as unknown as Parameters<typeof coveredOf>[1]
  const counted = [held('60', '600'), held('40', '400')]
  const pips = (quantity: bigint) =>
    coveredOf(counted, evidence(quantity)).map(({ coveredPips }) => coveredPips)
  expect([pips(0n), pips(80n), pips(1000n)]).toEqual([[0], [800_000], [1_000_000]])
  expect(coveredOf([held('60', null)], evidence(60n))).toEqual([])
})

it('legs of a claim share what its evidence says of the claim', () => {
  const evidence = [
    { container: 'eip155:1:0x00000000000000000000000000000000000000aa', assetKey, quantity: 50n },
  ] as unknown as Parameters<typeof coveredOf>[1]
  // Two legs of one claim of 100 shares: half of it is covered, and so is half of the value of each leg.
  const legs = [held('100', '600', '100', 'claim'), held('100', '300', '100', 'claim')]
  expect(coveredOf(legs, evidence)).toEqual([{ quoteKey: 'iso4217:USD', coveredPips: 500_000 }])
})

import type { contract } from '@liquidity-os/contract'
import { expect, it } from 'vitest'
import type { Entry } from './read-sources.ts'
import { coveredOf, encumberedOf } from './summary-standing.ts'

const container = {
  ...({ kind: 'EOA', chainId: 1, address: '0x00000000000000000000000000000000000000aa' } as const),
}
const assetKey = 'eip155:1/native'

function held(quantity: string, amount: string | null, free = quantity) {
  const holding = {
    ...{ assetKey, quantity, unrestricted: free, restricted: '0' },
    reserved: `${BigInt(quantity) - BigInt(free)}`,
    value: amount === null ? null : { quoteKey: 'iso4217:USD', amount },
  } as unknown as contract.TreasurySummary['holdings'][number]
  const entry = { payload: { entryKind: 'ASSET', container } } as unknown as Entry
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

import type { contract } from '@liquidity-os/contract'
import { expect, it } from 'vitest'
import type { Entry } from './read-sources.ts'
import { coveredOf, encumberedOf } from './summary-status.ts'
import { tierTotals } from './summary-totals.ts'

const container = {
  kind: 'EOA',
  chainId: 1,
  address: '0x00000000000000000000000000000000000000aa',
}
const assetKey = 'eip155:1/native'

function held(
  quantity: string,
  amount: string | null,
  free = quantity,
  { status = 'ASSERTED', id = quantity }: { status?: contract.ControlStatus; id?: string } = {},
) {
  const holding = {
    assetKey,
    quantity,
    unrestricted: free,
    restricted: '0',
    tier: 'T1',
    control: { status },
    reserved: `${BigInt(quantity) - BigInt(free)}`,
    entry: { id },
    value: amount === null ? null : { quoteKey: 'iso4217:USD', amount },
  } as unknown as contract.TreasurySummary['holdings'][number]
  const payload = { entryKind: 'ASSET', container, asset: assetKey, observed: { quantity } }
  const entry = { id, payload } as unknown as Entry
  return { entry, holding }
}

it('what cannot be used is the share of each value, rounded up, and never more than it', () => {
  const holdings = [held('3', '100', '2'), held('5', '10', '5'), held('7', null, '0')]
  expect(encumberedOf(holdings.map(({ holding }) => holding))).toEqual([
    {
      quoteKey: 'iso4217:USD',
      amount: '34',
      control: { proven: '0', attested: '0', asserted: '34', total: '34' },
    },
  ])
})

it('totals and their encumbered amounts equal the sum of their parts by control, in atoms', () => {
  const holdings = [
    ...[held('3', '100', '2', { status: 'PROVEN' }), held('3', '101', '2', { status: 'ATTESTED' })],
    ...[held('7', '10', '2'), held('7', '11', '7', { status: 'PROVEN' })],
  ].map(({ holding }) => holding)
  const [tier] = tierTotals(holdings)
  expect(tier!.values).toEqual([
    {
      quoteKey: 'iso4217:USD',
      amount: '222',
      control: { proven: '111', attested: '101', asserted: '10', total: '222' },
    },
  ])
  // 100/3, 101/3 and 50/7, each rounded up.
  expect(encumberedOf(holdings)).toEqual([
    {
      quoteKey: 'iso4217:USD',
      amount: '76',
      control: { proven: '34', attested: '34', asserted: '8', total: '76' },
    },
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
  const legs = [
    held('100', '600', '100', { id: 'claim' }),
    held('100', '300', '100', { id: 'claim' }),
  ]
  expect(coveredOf(legs, evidence)).toEqual([{ quoteKey: 'iso4217:USD', coveredPips: 500_000 }])
})

import { expect, it } from 'vitest'
import type { ObservationRecord } from './completed-observations.ts'
import { depthsByProvider, managersAsOne, readProviders } from './provider-depths.ts'

const shares = [{ address: '0x1', depthSharePips: 900_000 }]

function observed(providers: typeof shares | undefined, ...assumed: string[]): ObservationRecord {
  const assumptions = assumed.map((code) => ({ code, value: '0x1', source: 'DEFAULT' }))
  // Of an observation, what says who provides.
  return { payload: { metrics: { providers }, evidence: { assumptions } } } as never
}

it('does not count a position manager as a provider, because it represents many', () => {
  expect(readProviders(observed(shares, 'SINGLE_RPC_PROVIDER'))).toEqual(shares)
  expect(readProviders(observed(shares, managersAsOne))).toBeNull()
  expect(readProviders(observed(undefined))).toBeNull()
})

it('counts the rest of a venue as one more provider, and an address as one everywhere', () => {
  const venue = { depth: 1000n, providers: shares }
  expect(depthsByProvider([venue, venue])).toEqual([1800n, 100n, 100n])
})

import { expect, it } from 'vitest'
import { findOwnTrades } from './own-flow.ts'

const trade = (origin: string, sender = 'router', recipient = origin, volumeQuote = 1n) => ({
  origin,
  sender,
  recipient,
  volumeQuote,
})
const [a, b, c] = [trade('a'), trade('b'), trade('c')]
const kindsOf = (links: object, issuer: readonly string[] = [], trades = [a, b, c]) => {
  const funding = { sources: [], contracts: [], receivers: [], ...links }
  return [...findOwnTrades(trades, [{ funding }], new Set(issuer))].map(
    ([{ origin }, kind]) => `${origin} ${kind}`,
  )
}

it('a declared account owns the trades that it signs, calls or receives', () => {
  const trades = [a, trade('b', 'vault'), trade('c', 'router', 'vault'), trade('d')]
  expect(kindsOf({}, ['a', 'vault'], trades)).toEqual(['a ISSUER', 'b ISSUER', 'c ISSUER'])
})

it('a declared account owns the flow that it funds or receives, also as a contract', () => {
  const link = [{ address: 'vault', traders: ['b'] }]
  for (const links of [
    { sources: link },
    { contracts: link },
    { receivers: link.map((one) => ({ ...one, isContract: true })) },
  ]) {
    expect(kindsOf(links, ['vault'])).toEqual(['b ISSUER_FUNDS'])
    expect(kindsOf(links)).toEqual([])
  }
})

it('signers with one source or receiver count, also if the source trades itself', () => {
  expect(kindsOf({ sources: [{ address: 'x', traders: ['a', 'b'] }] })).toEqual([
    'a SHARED_FUNDS',
    'b SHARED_FUNDS',
  ])
  expect(kindsOf({ sources: [{ address: 'c', traders: ['a'] }] })).toEqual([
    'a SHARED_FUNDS',
    'c SHARED_FUNDS',
  ])
  const passed = [
    { address: 'x', traders: ['b'], isContract: false },
    { address: 'x', traders: ['c'], isContract: false },
  ]
  expect(kindsOf({ receivers: passed })).toEqual(['b SHARED_FUNDS', 'c SHARED_FUNDS'])
})

it('an account of one signer, and a contract of many, prove no common owner', () => {
  expect(kindsOf({ sources: [{ address: 'x', traders: ['a', 'other'] }] })).toEqual([])
  expect(kindsOf({ contracts: [{ address: 'x', traders: ['a', 'b', 'c'] }] })).toEqual([])
  const receivers = [{ address: 'x', traders: ['a', 'b', 'c'], isContract: true }]
  expect(kindsOf({ receivers })).toEqual([])
})

it('no number of accounts exempts an owner', () => {
  const traders = Array.from({ length: 40 }, (_, index) => `t${index}`)
  const trades = traders.map((origin) => trade(origin))
  expect(kindsOf({ sources: [{ address: 'x', traders }] }, [], trades)).toHaveLength(40)
})

it('small trades of a third party do not mark the trades of the account that they pay', () => {
  const trades = [trade('whale', 'router', 'whale', 1_000n), trade('dust', 'router', 'whale')]
  const paid = { receivers: [{ address: 'whale', traders: ['dust'], isContract: false }] }
  expect(kindsOf(paid, [], trades)).toEqual(['dust SHARED_FUNDS'])
  // The third party can also pay the wallet that the account sends its proceeds to.
  const wallet = {
    receivers: [{ address: 'cold', traders: ['whale', 'dust'], isContract: false }],
  }
  expect(kindsOf(wallet, [], trades)).toEqual(['dust SHARED_FUNDS'])
  const equal = [trade('whale', 'router', 'whale', 1_000n), trade('dust', 'x', 'y', 100n)]
  expect(kindsOf(wallet, [], equal)).toEqual(['whale SHARED_FUNDS', 'dust SHARED_FUNDS'])
})

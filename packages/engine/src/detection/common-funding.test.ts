import { describe, expect, test } from 'vitest'
import { type Funding, fundedGroups, largestFundedShares, MOST_FUNDED } from './common-funding.ts'
import { linkedSigners, type SignedLeg, usersOf } from './linked-signers.ts'
import { washTrades } from './wash-trades.ts'

const leg = (origin: string, base: bigint, at: number): SignedLeg => ({
  venueId: 'v',
  at,
  base,
  volumeQuote: base < 0n ? -base : base,
  origin,
  sender: '',
  recipient: '',
})
const fundedBy = (source: string, ...traders: string[]) =>
  new Map(traders.map((trader) => [trader, new Set([source])]))

test('groups are the traders whose tokens came from one account, with the account if it trades', () => {
  const funding = new Map([
    ...fundedBy('x', 'a', 'b'),
    ...fundedBy('a', 'c'),
    ...fundedBy('y', 'd'),
  ])
  expect(fundedGroups(new Set(['a', 'b', 'c', 'd']), funding)).toEqual([
    { source: 'a', traders: new Set(['a', 'c']) },
    { source: 'x', traders: new Set(['a', 'b']) },
  ])
  expect(fundedGroups(new Set(['a', 'c', 'd']), fundedBy('x', 'a', 'b'))).toEqual([])
})

test('the largest share counts the volume of the traders of one account, rounded down', () => {
  const legs = [leg('a', 1n, 0), leg('b', -1n, 1), leg('c', 1n, 2)]
  expect(largestFundedShares(legs, fundedBy('x', 'a', 'b'))).toEqual([
    { source: 'x', traders: new Set(['a', 'b']), sharePips: 666_666n },
  ])
  expect(largestFundedShares(legs, fundedBy('x', 'a'))).toEqual([])
  expect(largestFundedShares([leg('a', 0n, 0)], fundedBy('x', 'a', 'b'))).toEqual([])
})

const many = Array.from({ length: MOST_FUNDED + 1 }, (_, place) => `s${place}`)
const legsOf = (some: readonly string[]) =>
  some.map((origin, place) => leg(origin, 1n, place * 100_000))

test('an exchange does not hide the largest group of few traders', () => {
  const legs = [...legsOf(many), leg('a', 1n, 9), leg('b', 1n, 9)]
  const funding = new Map([...fundedBy('exchange', ...many), ...fundedBy('issuer', 'a', 'b')])
  expect(largestFundedShares(legs, funding).map(({ source }) => source)).toEqual([
    'issuer',
    'exchange',
  ])
})

describe('signers of one account are linked', () => {
  const sizesOf = (some: readonly string[], funding: Funding) => {
    const legs = legsOf(some)
    const groups = new Set(linkedSigners(legs, usersOf(legs), funding).values())
    return [...groups].map(({ size }) => size)
  }

  test('unless it funds so many that it is taken for an exchange', () => {
    const few = many.slice(1)
    expect(sizesOf(few, fundedBy('x', ...few))).toEqual([MOST_FUNDED])
    expect(sizesOf(many, fundedBy('x', ...many))).toEqual([])
  })

  test('and those of several accounts that share traders only while they are few together', () => {
    const [head, tail] = [many.slice(0, 9), many.slice(8)]
    const funding = new Map<string, ReadonlySet<string>>([
      ...fundedBy('x', ...head),
      ...fundedBy('y', ...tail),
      [many[8]!, new Set(['x', 'y'])],
    ])
    expect(sizesOf(many, funding)).toEqual([])
    expect(sizesOf(many.slice(1), funding)).toEqual([MOST_FUNDED])
  })
})

test('one owner who buys with some accounts and sells with others washes, once their funding is read', () => {
  // A round of four accounts of which none both buys and sells, in sizes that tell nothing.
  const legs = [0, 1, 2, 3, 4, 5].flatMap((round) => [
    leg('a', 3_000n, 600 * round),
    leg('b', 2_000n, 600 * round + 60),
    leg('c', -4_000n, 600 * round + 120),
    leg('d', -1_000n, 600 * round + 180),
  ])
  expect(washTrades(legs, usersOf(legs)).size).toBe(0)
  const washed = washTrades(legs, usersOf(legs), fundedBy('x', 'a', 'b', 'c', 'd'))
  expect([washed.size, new Set(washed.values())]).toEqual([
    legs.length,
    new Set(['LINKED_SIGNERS']),
  ])
})

import { operationById } from '@liquidity-os/contract'
import { expect, it } from 'vitest'
import { type Answer, faultsOf, replayFaults } from './judge.ts'

const idOf = (kind: string, digits: string) => `${kind}_${digits.repeat(16)}`
const own = idOf('venue', '1a')
const other = idOf('venue', '2b')
const sight = { isForeign: (id: string) => id === other }
const createVenues = operationById.get('createVenues')!
const createAssumptions = operationById.get('createTreasuryAssumptions')!
const getVenues = operationById.get('getVenues')!
const answered = (change: Partial<Answer>): Answer => ({
  ...{ status: 200, code: '', text: '{}', isReplayed: false, milliseconds: 5 },
  ...change,
})
const judge = (change: Partial<Answer>, id = own) =>
  faultsOf(getVenues, { params: { id } }, answered(change), sight)

it('finds nothing wrong with an answer of one’s own, a refusal, or a foreign id that was sent', () => {
  expect(judge({ text: own })).toEqual([])
  expect(judge({ status: 404, code: 'LIQUIDITY_RESOURCE_NOT_FOUND', text: other }, other)).toEqual(
    [],
  )
})

it.each<[string, Partial<Answer>, string]>([
  ['a failure', { status: 500, code: 'LIQUIDITY_INTERNAL_ERROR' }, '500 LIQUIDITY_INTERNAL_ERROR'],
  [
    'a database that is said to be away',
    { status: 503, code: 'LIQUIDITY_STORE_UNAVAILABLE' },
    '503 LIQUIDITY_STORE_UNAVAILABLE, and nothing is broken',
  ],
  ['a long wait', { milliseconds: 30_000 }, 'answered after 30000 ms'],
  ['a foreign id', { text: `{"id":"${other}"}` }, `tells ${other} of another organization`],
])('finds %s', (_name, change, fault) => {
  expect(judge(change)).toEqual([fault])
})

it('finds a foreign record that is answered', () => {
  expect(judge({ text: other }, other)).toEqual([`finds ${other} of another organization`])
})

it('holds a key to what it answered first', () => {
  const first = answered({ status: 201, text: '{"a":1}' })
  expect(replayFaults(createVenues, first, { ...first, isReplayed: true })).toEqual([])
  expect(replayFaults(createVenues, first, first)).toEqual(['the same key was carried out again'])
  expect(replayFaults(createVenues, first, { ...first, isReplayed: true, text: '{}' })).toEqual([
    'the same key gave other bytes',
  ])
  expect(replayFaults(createVenues, first, { ...first, status: 409 })).toEqual([
    'the same key answered 201, then 409',
  ])
  const issued = answered({ status: 201, text: '{"data":{"secretReturnedOnce":true}}' })
  const code = 'LIQUIDITY_OPERATING_SYSTEM_SECRET_ALREADY_RETURNED'
  expect(replayFaults(createVenues, issued, answered({ status: 409, code }))).toEqual([])
  expect(replayFaults(createVenues, issued, { ...issued, isReplayed: true })).toEqual([])
  expect(replayFaults(createVenues, first, answered({ status: 409, code }))).toEqual([
    'the same key answered 201, then 409',
  ])
  expect(
    replayFaults(createAssumptions, first, { ...first, status: 200, isReplayed: true }),
  ).toEqual([])
})

import { operationById } from '@liquidity-os/contract'
import { expect, it } from 'vitest'
import { type Answer, type Fault, faultsOf, replayFaults } from './judge.ts'

const idOf = (kind: string, digits: string) => `${kind}_${digits.repeat(16)}`
const own = idOf('venue', '1a')
const other = idOf('venue', '2b')
const sight = { isForeign: (id: string) => id === other }
const createVenues = operationById.get('createVenues')!
const createAssumptions = operationById.get('createTreasuryAssumptions')!
const getVenues = operationById.get('getVenues')!
const answered = (change: Partial<Answer>): Answer => ({
  status: 200,
  code: '(no code)',
  text: '{}',
  misfit: null,
  isReplayed: false,
  milliseconds: 5,
  ...change,
})
const judge = (change: Partial<Answer>, id = own) =>
  faultsOf(getVenues, { params: { id } }, answered(change), sight)
const kindsOf = (faults: readonly Fault[]) => faults.map(({ kind }) => kind)

it('accepts an own record, a refusal, and a foreign id that the request names', () => {
  expect(judge({ text: own })).toEqual([])
  expect(judge({ status: 404, code: 'LIQUIDITY_RESOURCE_NOT_FOUND', text: other }, other)).toEqual(
    [],
  )
})

it.each<[string, Partial<Answer>, Fault]>([
  [
    'a failure once, also if it does not match the contract',
    { status: 500, code: 'LIQUIDITY_INTERNAL_ERROR', misfit: 'no x-correlation-id' },
    { kind: '500 LIQUIDITY_INTERNAL_ERROR', detail: 'no x-correlation-id' },
  ],
  [
    'an unavailable database',
    { status: 503, code: 'LIQUIDITY_STORE_UNAVAILABLE' },
    { kind: '503 LIQUIDITY_STORE_UNAVAILABLE without a fault of the database', detail: '' },
  ],
  [
    'an undeclared code',
    { status: 400, misfit: 'getVenues 400: LIQUIDITY_X is not declared' },
    {
      kind: '400 LIQUIDITY_X is not declared',
      detail: 'getVenues 400: LIQUIDITY_X is not declared',
    },
  ],
  [
    'a body of another form',
    { misfit: 'getVenues 200 does not conform: data/id must be string' },
    {
      kind: '200 does not match the contract',
      detail: 'getVenues 200 does not conform: data/id must be string',
    },
  ],
  [
    'a foreign id',
    { text: `{"id":"${other}"}` },
    { kind: 'reveals ids of another organization', detail: other },
  ],
])('finds %s', (_name, change, fault) => {
  expect(judge(change)).toEqual([fault])
})

it('finds a foreign record that is returned', () => {
  expect(judge({ text: other }, other)).toEqual([
    { kind: 'returns a record of another organization', detail: other },
  ])
})

it('finds a repeated key that returns another answer', () => {
  const first = answered({ status: 201, text: '{"a":1}' })
  const replay = (again: Answer, operation = createVenues, before = first) =>
    kindsOf(replayFaults(operation, before, again))
  expect(replay({ ...first, isReplayed: true })).toEqual([])
  expect(replay(first)).toEqual(['the request of the same key was executed again'])
  expect(replay({ ...first, isReplayed: true, text: '{}' })).toEqual([
    'the same key returned other bytes',
  ])
  expect(replay({ ...first, status: 409 })).toEqual(['the same key returned 201, then 409'])
  const issued = answered({ status: 201, text: '{"data":{"secretReturnedOnce":true}}' })
  const refused = answered({
    status: 409,
    code: 'LIQUIDITY_OPERATING_SYSTEM_SECRET_ALREADY_RETURNED',
  })
  expect(replay(refused, createVenues, issued)).toEqual([])
  expect(replay({ ...issued, isReplayed: true }, createVenues, issued)).toEqual([])
  expect(replay(refused)).toEqual(['the same key returned 201, then 409'])
  expect(replay({ ...first, status: 200, isReplayed: true }, createAssumptions)).toEqual([])
})

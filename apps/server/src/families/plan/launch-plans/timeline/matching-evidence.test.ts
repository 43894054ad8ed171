import { type Address, toEventSelector } from 'viem'
import { describe, expect, it } from 'vitest'
import { Failure } from '../../../../failure.ts'
import type { Receipt } from '../../../../integrations/chain/receipts.ts'
import { handoverFault, requireFittingRecords, requireUnused } from './matching-evidence.ts'

const token = '0x00000000000000000000000000000000000000aa'
const quote = 'eip155:1/erc20:0x00000000000000000000000000000000000000bb'
const plan = {
  id: 'launch_plan_a',
  payload: { request: { token: `eip155:1/erc20:${token}`, quote } },
}
const seededAt = Date.parse('2026-03-01T00:00:00Z')
const idAt = (at: number) => `x_${at.toString(16).padStart(12, '0')}${'0'.repeat(20)}`

const completing = (key: string) =>
  ({ plan, step: { key }, steps: [{ key: 'seed', doneAt: seededAt, evidence: [] }] }) as never

/** What is wrong with a record as proof of a step; null where it fits. */
function faultOf(key: string, record: object): string | null {
  const placed = [{ record: { id: idAt(seededAt), status: 'ACTIVE', ...record }, at: 'ref' }]
  try {
    requireFittingRecords(completing(key), placed as never)
    return null
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return error.detail.fieldErrors?.ref?.[0] ?? ''
  }
}

describe('a record closes a usual step', () => {
  const pair = { chainId: 1, base: token, quote: '0xbb' }
  const score = { resourceType: 'MarketQualityScore', payload: { request: { pair } } }
  const pack = { evidence: [{ source: { id: plan.id } }], review: [{}] }

  it.each([
    ['depth-review', score],
    ['maker-terms', { resourceType: 'MarketMakerMandate', payload: { pair } }],
    ['outcome-review', { resourceType: 'DecisionPack', payload: pack }],
    [
      'capital-study',
      { resourceType: 'CapitalRequirementStudy', payload: { request: plan.payload.request } },
    ],
    ['a-step-of-our-own', { resourceType: 'VenueProfile', payload: {} }],
  ])('%s: if the step requires it', (key, record) => {
    expect(faultOf(key, record)).toBe(null)
  })

  it.each([
    ['depth-review', { ...score, id: idAt(seededAt - 1) }, 'after the liquidity was seeded'],
    ['depth-review', { resourceType: 'VenueProfile', payload: { pair } }, 'MarketQualityScore'],
    [
      'depth-review',
      { ...score, payload: { request: { pair: { ...pair, chainId: 11155111 } } } },
      'for the plan token',
    ],
    [
      'maker-terms',
      { resourceType: 'MarketMakerMandate', status: 'PAUSED', payload: { pair } },
      'an ACTIVE MarketMakerMandate',
    ],
    [
      'outcome-review',
      { resourceType: 'DecisionPack', payload: { ...pack, review: [] } },
      'with a recorded outcome',
    ],
    ['outcome-review', { resourceType: 'DecisionPack', payload: { evidence: [] } }, 'of the plan'],
  ])('%s: and not otherwise', (key, record, words) => {
    expect(faultOf(key, record)).toContain(words)
  })
})

describe('evidence counts once', () => {
  const faultsOf = (evidence: readonly object[]) => {
    try {
      requireUnused(completing('vesting-funded'), evidence as never)
      return {}
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      return error.detail.fieldErrors
    }
  }
  const [transaction, record] = [
    { kind: 'TRANSACTION', hash: '0x1' },
    { kind: 'RECORD', hash: '0x2', ref: { id: 'score_1' } },
  ]

  it('within one completion, as a transaction or a record', () => {
    const others = [
      { ...transaction, hash: '0x3' },
      { ...record, ref: { id: 'score_2' } },
    ]
    expect(faultsOf([transaction, record, ...others])).toEqual({})
    expect(faultsOf([transaction, record, transaction, record])).toEqual({
      'evidence.2.hash': ['must be unique, got 0x1 twice'],
      'evidence.3.ref': ['must be unique, got score_1 twice'],
    })
    const document = { kind: 'DOCUMENT', hash: '0x1' }
    expect(faultsOf([document, document, transaction])).toEqual({})
  })
})

describe('a transaction hands a token over', () => {
  const log = (event: string, change: object = {}) => ({
    address: token as Address,
    topics: [toEventSelector(event)],
    data: '0x',
    ...change,
  })
  const receipt = (logs: object[]) => ({ logs }) as unknown as Receipt
  const moved = log('Transfer(address,address,uint256)')
  const handed = log('OwnershipTransferred(address,address)')

  it.each([
    ['roles-handed-over', receipt([moved, handed])],
    ['a-step-of-our-own', receipt([])],
  ])('%s: where the token says so', (key, of) => {
    expect(handoverFault(completing(key), 1, of)).toBe(null)
  })

  it.each([
    [1, receipt([moved])],
    [1, receipt([{ ...handed, address: '0xcc' }])],
    [11155111, receipt([handed])],
  ])('on chain %d: and not otherwise', (chainId, of) => {
    expect(handoverFault(completing('roles-handed-over'), chainId, of)).toContain(
      plan.payload.request.token,
    )
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  decideAdmission,
  executableAuthority,
  mayResume,
  type StandingPolicy,
} from './admission.ts'
import { compareTerms, grantsNoMore, meetTerms } from './order.ts'
import { bottomTerms, greatestPriceX18, normalTerms, type PolicyTerms } from './terms.ts'

const names = ['a', 'b', 'c']
/** Few values of each field, so that equal, narrower and wider ones meet often. */
function termsFrom(next: () => number): PolicyTerms {
  const few = <T>(...items: T[]): T => items[next() % items.length] as T
  const some = () => names.filter(() => next() % 2 === 0)
  return normalTerms({
    vaultId: few('v', 'v', 'v', 'v', 'v', 'v', 'w'),
    controlEpoch: few(1n, 1n, 1n, 1n, 1n, 1n, 2n),
    level: few<PolicyTerms['level']>(0, 1, 2, 3, 4),
    maximumAmountPerTransaction: few(1n, 2n, 3n),
    maximumDailyTurnover: few(1n, 2n, 3n),
    maximumSlippagePips: few(1, 2),
    approvedContracts: some(),
    approvedAssets: some(),
    approvedAdapterIds: some(),
    minimumSecondsBetweenActions: few(0, 1, 2),
    oracleMaximumAgeSeconds: few(1, 2),
    expiresAt: few('2027-01-01T00:00:00Z', '2027-01-02T00:00:00Z'),
    publicMempoolFallbackAllowed: few(true, false),
    minimumPriceX18: few(null, 0n, 5n),
    maximumPriceX18: few(null, 9n, greatestPriceX18),
  })
}

/** A generator of its own, so that the same triples are drawn on every machine. */
function drawing(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state >>> 16
  }
}

const sameTerms = (a: PolicyTerms, b: PolicyTerms) =>
  Object.keys(a).every((key) => `${a[key as 'level']}` === `${b[key as 'level']}`)

/** One of the two with fields of the other, which is what narrowing and widening look like. */
function mixed(next: () => number, p: PolicyTerms, q: PolicyTerms): PolicyTerms {
  const entries = Object.entries(p).map(([key, value]) =>
    next() % 4 === 0 ? [key, q[key as keyof PolicyTerms]] : [key, value],
  )
  return Object.fromEntries(entries) as PolicyTerms
}

describe('the order of policies', () => {
  it('is reflexive, transitive and antisymmetric on 100,000 drawn triples', () => {
    const next = drawing(7)
    let chains = 0
    let mutual = 0
    for (let draw = 0; draw < 100_000; draw += 1) {
      const q = termsFrom(next)
      const other = termsFrom(next)
      // Narrower and wider ones are made of each other, else three drawn ones are hardly ever in a row.
      const p = meetTerms(q, other) ?? mixed(next, q, other)
      const r = draw % 3 === 0 ? mixed(next, q, termsFrom(next)) : { ...q, level: 4 as const }
      if (!grantsNoMore(q, q)) throw new Error('not reflexive')
      if (grantsNoMore(q, p) && grantsNoMore(r, q)) {
        chains += 1
        if (!grantsNoMore(r, p)) throw new Error('not transitive')
      }
      if (grantsNoMore(q, p) && grantsNoMore(p, q)) {
        mutual += 1
        if (!sameTerms(p, q)) throw new Error('not antisymmetric')
      }
    }
    expect(chains).toBeGreaterThan(10_000)
    expect(mutual).toBeGreaterThan(100)
  })

  it('has the field-wise tighter as the widest below both', () => {
    const next = drawing(11)
    for (let draw = 0; draw < 20_000; draw += 1) {
      const [p, q, below] = [termsFrom(next), termsFrom(next), termsFrom(next)]
      const meet = meetTerms(p, q)
      if (meet === null) continue
      expect(grantsNoMore(p, meet) && grantsNoMore(q, meet)).toBe(true)
      if (grantsNoMore(p, below) && grantsNoMore(q, below)) {
        expect(grantsNoMore(meet, below)).toBe(true)
      }
    }
  })

  it('says of each field which way it goes, and of sets what came and went', () => {
    const before = termsFrom(drawing(3))
    const terms = { ...before, level: 2 as const, approvedAssets: ['a', 'b'] }
    const after = { ...terms, approvedAssets: ['b', 'c'], minimumSecondsBetweenActions: 9_000 }
    const { relation, perField } = compareTerms(terms, after)
    expect(relation).toBe('INCOMPARABLE')
    expect(perField.filter((one) => one.relation !== 'EQUAL')).toEqual([
      {
        field: 'approvedAssets',
        relation: 'INCOMPARABLE',
        before: 'a, b',
        after: 'b, c',
        added: ['c'],
        removed: ['a'],
      },
      {
        field: 'minimumSecondsBetweenActions',
        relation: 'NARROWER',
        before: `${terms.minimumSecondsBetweenActions}`,
        after: '9000',
      },
    ])
  })

  it('never calls another epoch or vault narrower', () => {
    const terms = termsFrom(drawing(5))
    for (const other of [
      { ...terms, controlEpoch: terms.controlEpoch + 1n },
      { ...terms, vaultId: 'another' },
    ]) {
      expect(compareTerms(terms, other).relation).toBe('INCOMPARABLE')
    }
    expect(grantsNoMore(terms, bottomTerms(terms.vaultId, terms.controlEpoch))).toBe(true)
  })
})

/** What somebody may ask for without the owners; `resume` and `create` are refused where they would need them. */
type Step =
  | { readonly kind: 'pause' | 'revoke' | 'expire' | 'resume' }
  | { readonly kind: 'narrow' | 'create'; readonly seed: number }

function take(state: StandingPolicy | null, step: Step, epoch: bigint): StandingPolicy | null {
  if (step.kind === 'create') {
    const terms = { ...termsFrom(drawing(step.seed)), vaultId: 'v', controlEpoch: epoch }
    const { admission } = decideAdmission(state, terms)
    return admission === 'EXPANSION' ? state : { status: 'ACTIVE', terms }
  }
  if (state === null || state.status === 'REVOKED') return state
  if (step.kind === 'narrow') {
    const terms = termsFrom(drawing(step.seed))
    const isAllowed = state.status !== 'EXPIRED' && grantsNoMore(state.terms, terms)
    return isAllowed ? { ...state, terms } : state
  }
  if (step.kind === 'revoke') return { ...state, status: 'REVOKED' }
  if (state.status === 'EXPIRED') return state
  if (step.kind === 'expire') return { ...state, status: 'EXPIRED' }
  if (step.kind === 'pause') return { ...state, status: 'PAUSED' }
  const isResumed = state.status === 'PAUSED' && mayResume(state.terms, epoch)
  return isResumed ? { ...state, status: 'ACTIVE' } : state
}

describe('executable authority', () => {
  it('never grows without the owners, over statuses, levels and epochs', () => {
    const seeds = fc.integer({ min: 0, max: 5_000 })
    const step: fc.Arbitrary<Step> = fc.oneof(
      fc.constantFrom<Step>({ kind: 'pause' }, { kind: 'revoke' }, { kind: 'expire' }),
      fc.constant<Step>({ kind: 'resume' }),
      fc.record({ kind: fc.constantFrom<'narrow' | 'create'>('narrow', 'create'), seed: seeds }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), seeds, (steps, seed) => {
        const first = { ...termsFrom(drawing(seed)), vaultId: 'v', controlEpoch: 1n }
        // The owners admitted this one.
        let state: StandingPolicy | null = { status: 'ACTIVE', terms: { ...first, level: 4 } }
        for (const [place, one] of steps.entries()) {
          const before: PolicyTerms | null = state && executableAuthority(state)
          state = take(state, one, place > 20 ? 2n : 1n)
          const after = state && executableAuthority(state)
          if (after === null) continue
          if (before === null) throw new Error(`${one.kind} made what could not act able to`)
          if (!grantsNoMore(before, after)) throw new Error(`${one.kind} widened what can act`)
        }
      }),
      { numRuns: 2_000, seed: 42 },
    )
  })
})

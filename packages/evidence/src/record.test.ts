import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonValue } from '../test/values.ts'
import { CanonicalJsonError, canonicalize } from './canonical-json.ts'
import { EvidenceError, type EvidenceFaultFacts } from './evidence-error.ts'
import { H, type Hash } from './hash.ts'
import { openRecord, type RecordDraft, sealRecord } from './record.ts'

const hashOf = (text: string): Hash => H('test/v1', text)

function draft(changes: Partial<RecordDraft> = {}): RecordDraft {
  return {
    id: 'study_0198c0ffee0000000000000000000001',
    resourceType: 'study',
    organizationId: 'org_1',
    sequence: 1,
    previousResourceVersion: null,
    status: 'ACTIVE',
    payload: { title: 'Depth of "A/B"', amounts: ['1', '2'], nested: { z: null, a: true } },
    evidenceHashes: [],
    reason: 'First study.',
    createdAt: '2026-01-31T12:00:00.000Z',
    createdBy: { kind: 'SESSION', id: 'user_1' },
    ...changes,
  }
}

function faultOf(action: () => unknown): EvidenceFaultFacts {
  try {
    action()
  } catch (error) {
    if (error instanceof EvidenceError) return error.facts
    throw error
  }
  throw new Error('Nothing was refused.')
}

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
const drafts: fc.Arbitrary<RecordDraft> = fc
  .record({
    id: text,
    resourceType: text,
    organizationId: text,
    sequence: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
    status: fc.constantFrom('DRAFT', 'ACTIVE', 'REVOKED'),
    payload: jsonValue,
    evidenceHashes: fc.array(text.map(hashOf), { maxLength: 4 }),
    reason: text,
    actor: text,
  })
  .map(({ actor, ...rest }) =>
    draft({
      ...rest,
      previousResourceVersion: rest.sequence === 1 ? null : hashOf('previous'),
      createdBy: { kind: 'API_KEY', id: actor },
    }),
  )

describe('sealRecord', () => {
  it('writes the output of canonicalize, and hashes the bytes of the frame', () => {
    fc.assert(
      fc.property(drafts, (candidate) => {
        const sealed = sealRecord(candidate)
        expect(sealed.text).toBe(canonicalize(sealed.record))
        const { resourceVersion, ...envelope } = sealed.record
        expect(resourceVersion).toBe(H('record/v1', envelope))
        expect(sealed.artifactHash).toBe(H('record-payload/v1', candidate.payload))
        expect(sealed.record).toMatchObject({ resourceVersion, artifactHash: sealed.artifactHash })
        expect(openRecord(sealed.text)).toEqual(JSON.parse(sealed.text))
      }),
    )
  })

  it('keeps negative zero as the zero that it is written as', () => {
    const { text, artifactHash } = sealRecord(draft({ payload: [-0] }))
    expect(openRecord(text).payload).toEqual([0])
    expect(artifactHash).toBe(H('record-payload/v1', [0]))
  })

  it('makes the evidence hashes a set', () => {
    const [a, b] = [hashOf('a'), hashOf('b')].sort() as [Hash, Hash]
    const sealed = sealRecord(draft({ evidenceHashes: [b, a, b] }))
    expect(sealed.record.evidenceHashes).toEqual([a, b])
    const again = sealRecord(draft({ evidenceHashes: [a, b] }))
    expect(again.resourceVersion).toBe(sealed.resourceVersion)
  })

  it('gives another version when any member of the envelope differs', () => {
    const variants = [
      draft(),
      draft({ id: 'study_2' }),
      draft({ resourceType: 'strategy' }),
      draft({ organizationId: 'org_2' }),
      draft({ sequence: 2, previousResourceVersion: hashOf('a') }),
      draft({ sequence: 2, previousResourceVersion: hashOf('b') }),
      draft({ status: 'RETIRED' }),
      draft({ payload: {} }),
      draft({ evidenceHashes: [hashOf('c')] }),
      draft({ reason: 'Another.' }),
      draft({ createdAt: '2026-01-31T12:00:00.001Z' }),
      draft({ createdBy: { kind: 'SESSION', id: 'user_2' } }),
      draft({ createdBy: { kind: 'SYSTEM', id: 'user_1' } }),
    ]
    const versions = new Set(variants.map((variant) => sealRecord(variant).resourceVersion))
    expect(versions.size).toBe(variants.length)
  })

  it('uses the given serializer for the payload, once', () => {
    let calls = 0
    const sealed = sealRecord(draft(), (payload) => {
      calls++
      return canonicalize(payload)
    })
    expect(calls).toBe(1)
    expect(sealed.text).toBe(sealRecord(draft()).text)
  })

  it('refuses a payload without a canonical form', () => {
    expect(() => sealRecord(draft({ payload: { amount: 1n } }))).toThrow(CanonicalJsonError)
    expect(() => sealRecord(draft({ payload: undefined }))).toThrow(CanonicalJsonError)
  })

  it.each([
    ['createdAt', { createdAt: '2026-01-31T13:00:00+01:00' }],
    ['sequence', { sequence: 0 }],
    ['id', { id: '' }],
    ['reason', { reason: 'half \ud800' }],
    ['previousResourceVersion', { sequence: 2 }],
    ['previousResourceVersion', { previousResourceVersion: hashOf('x') }],
    ['evidenceHashes', { evidenceHashes: ['0x12' as Hash] }],
    ['createdBy', { createdBy: { kind: 'ROBOT' as 'SYSTEM', id: 'x' } }],
  ])('refuses a wrong %s', (member, changes) => {
    expect(faultOf(() => sealRecord(draft(changes))).member).toBe(member)
  })
})

describe('openRecord', () => {
  it('names the hash that no longer fits', () => {
    const { text: stored } = sealRecord(draft())
    const altered = faultOf(() => openRecord(stored.replace('"1","2"', '"1","3"')))
    expect(altered).toMatchObject({ fault: 'CONTENT_ALTERED', member: 'artifactHash', sequence: 1 })
    const reworded = faultOf(() => openRecord(stored.replace('First', 'Worst')))
    expect(reworded).toMatchObject({ fault: 'CONTENT_ALTERED', member: 'resourceVersion' })
    expect(reworded.expected).not.toBe(reworded.found)
  })

  it('refuses any change of a single character', () => {
    const { text: stored } = sealRecord(draft({ evidenceHashes: [hashOf('e')] }))
    for (let at = 0; at < stored.length; at++) {
      const other = stored[at] === '0' ? '1' : '0'
      const changed = stored.slice(0, at) + other + stored.slice(at + 1)
      expect(() => openRecord(changed), changed).toThrow(EvidenceError)
    }
  })

  it('refuses the same record in other bytes', () => {
    const { text: stored, record } = sealRecord(draft())
    const { id, ...rest } = record
    const shuffled = JSON.stringify({ ...rest, id })
    expect(faultOf(() => openRecord(shuffled)).fault).toBe('NOT_CANONICAL')
    expect(faultOf(() => openRecord(stored.replace(':', ': '))).fault).toBe('NOT_CANONICAL')
    const twice = stored.replace('{', `{"artifactHash":"${record.artifactHash}",`)
    expect(faultOf(() => openRecord(twice)).fault).toBe('NOT_CANONICAL')
    const escaped = stored.replace('First', '\\u0046irst')
    expect(faultOf(() => openRecord(escaped)).fault).toBe('NOT_CANONICAL')
  })

  it('shows where other bytes begin, up to 24 of both', () => {
    const { text: stored } = sealRecord(draft())
    const facts = faultOf(() => openRecord(stored.replace('First', '\\u0046irst')))
    const at = stored.indexOf('First')
    expect(facts).toMatchObject({
      expected: `${stored.slice(at, at + 24)} at position ${at}`,
      found: `\\u0046${stored.slice(at + 1, at + 19)}`,
    })
  })

  it('shows a value of up to 120 characters whole, and of a longer one the first 119', () => {
    const foundOf = (text: string) => faultOf(() => openRecord(text)).found
    expect(foundOf('x'.repeat(120))).toBe('x'.repeat(120))
    expect(foundOf('x'.repeat(121))).toBe(`${'x'.repeat(119)}…`)
  })

  it('refuses a payload that canonical JSON refuses', () => {
    const { text: stored } = sealRecord(draft({ payload: { n: 1 } }))
    const facts = faultOf(() => openRecord(stored.replace('"n":1', '"n":1.5')))
    expect(facts).toMatchObject({ fault: 'NOT_CANONICAL', member: 'payload.n' })
  })

  it('rejects a value that is not a record', () => {
    const { record } = sealRecord(draft())
    const { reason: _, ...without } = record
    expect(faultOf(() => openRecord('{')).fault).toBe('MALFORMED')
    for (const text of ['[]', 'null', '1', '"text"']) {
      const facts = { fault: 'MALFORMED', member: '', expected: 'an object' }
      expect(
        faultOf(() => openRecord(text)),
        text,
      ).toMatchObject(facts)
    }
    expect(faultOf(() => openRecord(canonicalize(without))).member).toBe('reason')
    expect(faultOf(() => openRecord(canonicalize({ ...record, extra: 1 }))).member).toBe('extra')
  })
})

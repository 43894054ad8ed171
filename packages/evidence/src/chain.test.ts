import { describe, expect, it } from 'vitest'
import { type ChainHead, verifyEventChain, verifyRecordChain } from './chain.ts'
import { type SealedEvent, sealEvent } from './event.ts'
import { H, type Hash } from './hash.ts'
import { type RecordDraft, sealRecord } from './record.ts'

interface ChainOptions {
  readonly id?: string
  readonly change?: (draft: RecordDraft) => Partial<RecordDraft>
}

/** Versions of one record; `change` alters a draft before it is sealed, so its own hashes hold. */
function recordTexts(count: number, { id = 'study_1', change }: ChainOptions = {}): string[] {
  const texts: string[] = []
  let previousResourceVersion: Hash | null = null
  for (let sequence = 1; sequence <= count; sequence++) {
    const draft: RecordDraft = {
      id,
      resourceType: 'study',
      organizationId: 'org_1',
      sequence,
      previousResourceVersion,
      status: 'ACTIVE',
      payload: { sequence },
      evidenceHashes: [],
      reason: 'A version.',
      createdAt: '2026-01-31T12:00:00.000Z',
      createdBy: { kind: 'SYSTEM', id: 'test' },
    }
    const sealed = sealRecord({ ...draft, ...change?.(draft) })
    texts.push(sealed.text)
    previousResourceVersion = sealed.resourceVersion
  }
  return texts
}

function eventTexts(count: number, subjectId: string): string[] {
  const texts: string[] = []
  let previousEventHash: Hash | null = null
  for (let sequence = 1; sequence <= count; sequence++) {
    const sealed: SealedEvent = sealEvent({
      id: `event_${subjectId}_${sequence}`,
      sequence,
      kind: 'study.changed',
      organizationId: 'org_1',
      subject: { resourceType: 'study', id: subjectId, resourceVersion: H('test/v1', sequence) },
      payload: {},
      previousEventHash,
      occurredAt: '2026-01-31T12:00:00.000Z',
      actor: { kind: 'SYSTEM', id: 'test' },
    })
    texts.push(sealed.text)
    previousEventHash = sealed.evidenceHash
  }
  return texts
}

function breakOf(texts: Iterable<string>): unknown {
  const verdict = verifyRecordChain(texts)
  return verdict.isIntact ? null : { entries: verdict.entries, ...verdict.break }
}

describe('verifyRecordChain', () => {
  it('finds nothing wrong with one record or many', () => {
    const texts = [...recordTexts(3), ...recordTexts(1, { id: 'study_2' })]
    const heads: ChainHead[] = []
    const verdict = verifyRecordChain(texts, (head) => heads.push(head))
    expect(verdict).toEqual({ isIntact: true, chains: 2, entries: 4 })
    expect(heads.map(({ id, sequence }) => [id, sequence])).toEqual([
      ['study_1', 3],
      ['study_2', 1],
    ])
    expect(verifyRecordChain([])).toEqual({ isIntact: true, chains: 0, entries: 0 })
  })

  it('reports the head, by which a cut-off end shows', () => {
    const texts = recordTexts(3)
    const headOf = (list: string[]): Hash[] => {
      const hashes: Hash[] = []
      verifyRecordChain(list, (head) => hashes.push(head.hash))
      return hashes
    }
    expect(verifyRecordChain(texts.slice(0, 2)).isIntact).toBe(true)
    expect(headOf(texts.slice(0, 2))).not.toEqual(headOf(texts))
  })

  it('names an altered version', () => {
    const texts = recordTexts(3)
    texts[1] = texts[1]!.replace('A version', 'A vorsion') // three were built above
    expect(breakOf(texts)).toMatchObject({
      fault: 'CONTENT_ALTERED',
      entries: 1,
      id: 'study_1',
      sequence: 2,
      member: 'resourceVersion',
    })
  })

  it('names a version that was rewritten and sealed again', () => {
    const texts = recordTexts(3)
    const forged = recordTexts(2, { change: () => ({ reason: 'Rewritten.' }) })
    const original = JSON.parse(texts[1] ?? '') as { resourceVersion: Hash }
    const other = JSON.parse(forged[1] ?? '') as { resourceVersion: Hash }
    expect(breakOf([forged[0] ?? '', forged[1] ?? '', texts[2] ?? ''])).toMatchObject({
      fault: 'LINK_BROKEN',
      entries: 2,
      sequence: 3,
      member: 'previousResourceVersion',
      expected: other.resourceVersion,
      found: original.resourceVersion,
    })
  })

  it('names a missing, a repeated and a swapped version', () => {
    const [one = '', two = '', three = ''] = recordTexts(3)
    const gap = { fault: 'SEQUENCE_GAP', expected: '2', found: '3' }
    expect(breakOf([one, three])).toMatchObject(gap)
    expect(breakOf([one, three, two])).toMatchObject(gap)
    expect(breakOf([one, one])).toMatchObject({ fault: 'SEQUENCE_GAP', expected: '2', found: '1' })
    expect(breakOf([two, three])).toMatchObject({
      fault: 'SEQUENCE_GAP',
      expected: '1',
      found: '2',
    })
  })

  it('names a version that moved to another organization or type', () => {
    const moved = (changes: Partial<RecordDraft>): unknown =>
      breakOf(recordTexts(2, { change: ({ sequence }) => (sequence === 2 ? changes : {}) }))
    expect(moved({ organizationId: 'org_2' })).toMatchObject({
      fault: 'IDENTITY_CHANGED',
      member: 'organizationId',
      expected: 'org_1',
      found: 'org_2',
    })
    expect(moved({ resourceType: 'strategy' })).toMatchObject({ fault: 'IDENTITY_CHANGED' })
  })

  it('names a value that is not a record', () => {
    expect(breakOf(['{}'])).toMatchObject({ fault: 'MALFORMED', entries: 0, id: null })
  })

  it('reads as it goes and stops at the break', () => {
    let read = 0
    function* texts(): Generator<string> {
      for (const text of ['nonsense', 'never read']) {
        read++
        yield text
      }
    }
    expect(verifyRecordChain(texts()).isIntact).toBe(false)
    expect(read).toBe(1)
  })
})

describe('verifyEventChain', () => {
  it('follows each subject', () => {
    const texts = [...eventTexts(2, 'study_1'), ...eventTexts(3, 'study_2')]
    expect(verifyEventChain(texts)).toEqual({ isIntact: true, chains: 2, entries: 5 })
  })

  it('names a missing event', () => {
    const [one = '', , three = ''] = eventTexts(3, 'study_1')
    const verdict = verifyEventChain([one, three])
    const facts = { fault: 'SEQUENCE_GAP', id: 'event_study_1_3', sequence: 3, expected: '2' }
    expect(verdict).toMatchObject({ isIntact: false, entries: 1, break: facts })
  })
})

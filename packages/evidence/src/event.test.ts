import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalize } from './canonical-json.ts'
import { type EventDraft, openEvent, sealEvent } from './event.ts'
import { EvidenceError, type EvidenceFaultFacts } from './evidence-error.ts'
import { H, type Hash } from './hash.ts'

const hashOf = (text: string): Hash => H('test/v1', text)

function draft(changes: Partial<EventDraft> = {}): EventDraft {
  return {
    id: 'event_0198c0ffee0000000000000000000001',
    sequence: 1,
    kind: 'study.finished',
    organizationId: 'org_1',
    subject: { resourceType: 'study', id: 'study_1', resourceVersion: hashOf('version') },
    payload: { outcome: 'COMPLETED' },
    previousEventHash: null,
    occurredAt: '2026-01-31T12:00:00.000Z',
    actor: { kind: 'SYSTEM', id: 'jobs' },
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

describe('sealEvent', () => {
  it('writes the output of canonicalize, and hashes the bytes of the frame', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
    const drafts = fc.record({
      id: text,
      kind: text,
      organizationId: text,
      actor: text,
      note: text,
    })
    fc.assert(
      fc.property(drafts, fc.boolean(), ({ actor, note, ...rest }, isFirst) => {
        const sealed = sealEvent(
          draft({
            ...rest,
            sequence: isFirst ? 1 : 7,
            previousEventHash: isFirst ? null : hashOf(note),
            subject: { resourceType: note, id: actor, resourceVersion: hashOf(actor) },
            payload: { [note]: [note], a: null },
            actor: { kind: 'OAUTH_CLIENT', id: actor },
          }),
        )
        expect(sealed.text).toBe(canonicalize(sealed.event))
        const { evidenceHash, ...event } = sealed.event
        expect(evidenceHash).toBe(H('event/v1', event))
        expect(openEvent(sealed.text)).toEqual(sealed.event)
      }),
    )
  })

  it('covers the organization', () => {
    const here = sealEvent(draft()).evidenceHash
    expect(sealEvent(draft({ organizationId: 'org_2' })).evidenceHash).not.toBe(here)
  })

  it.each([
    ['occurredAt', { occurredAt: '2026-01-31' }],
    ['sequence', { sequence: 1.5 }],
    ['kind', { kind: '' }],
    ['previousEventHash', { previousEventHash: hashOf('x') }],
    ['subject', { subject: { resourceType: 'study', id: 'x', resourceVersion: '0x' as Hash } }],
  ])('refuses a wrong %s', (member, changes) => {
    expect(faultOf(() => sealEvent(draft(changes))).member).toBe(member)
  })
})

describe('openEvent', () => {
  it('refuses any change of a single character', () => {
    const { text } = sealEvent(draft())
    for (let at = 0; at < text.length; at++) {
      const changed = text.slice(0, at) + (text[at] === '0' ? '1' : '0') + text.slice(at + 1)
      expect(() => openEvent(changed), changed).toThrow(EvidenceError)
    }
  })

  it('names the member that differs and both values', () => {
    const { text, evidenceHash } = sealEvent(draft())
    const facts = faultOf(() => openEvent(text.replace('COMPLETED', 'CANCELLED')))
    expect(facts).toMatchObject({
      fault: 'CONTENT_ALTERED',
      member: 'evidenceHash',
      found: evidenceHash,
    })
  })
})

import { describe, expect, it } from 'vitest'
import { confirmationsOf } from './confirmations.tsx'

const members = [
  { userId: 'ann', email: 'ann@example.org', role: 'OWNER' },
  { userId: 'bob', email: 'bob@example.org', role: 'REVIEWER' },
  { userId: 'cy', email: 'cy@example.org', role: 'VIEWER' },
  { userId: null, email: 'invited@example.org', role: 'REVIEWER' },
] as const
const approval = { at: '2026-01-01T00:00:00Z', self: false, reviewEvidenceHash: '0x1' }
const terms = {
  approvals: [{ ...approval, userId: 'bob' }],
  review: { required: 2, expiresAt: '2026-02-01T00:00:00Z' },
  preparedBy: { userId: 'ann' },
}

describe('confirmations', () => {
  it('lists approvals, and members who can still approve', () => {
    const names = confirmationsOf({ ...terms, preparedBy: { userId: 'cy' } }, members)
    expect(names.map(({ name, at }) => [name, at])).toEqual([
      ['bob@example.org', approval.at],
      ['ann@example.org', null],
    ])
  })

  it('leaves out the preparer unless one approval suffices', () => {
    expect(confirmationsOf(terms, members).map(({ userId }) => userId)).toEqual(['bob'])
    const single = { ...terms, approvals: [], review: { ...terms.review, required: 1 } }
    expect(confirmationsOf(single, members).map(({ userId }) => userId)).toEqual(['ann', 'bob'])
  })

  it('lists only named reviewers as open', () => {
    const review = { ...terms.review, reviewers: ['bob', 'cy'] }
    const open = confirmationsOf({ ...terms, approvals: [], review }, members)
    expect(open.map(({ userId }) => userId)).toEqual(['bob'])
  })

  it('names an approval of a person who left', () => {
    expect(confirmationsOf(terms, [])[0]?.name).toBe('A former member')
  })
})

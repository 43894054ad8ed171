import { describe, expect, it } from 'vitest'
import { Failure } from '../../../failure.ts'
import { limits } from '../../../limits.ts'
import { type Comment, heads, openBlockers, requireFitting } from './comments.ts'

const comment = (eventId: string, more: Partial<Comment> = {}): Comment => ({
  eventId,
  evidenceHash: `hash of ${eventId}`,
  authorId: 'anna',
  kind: 'COMMENT',
  resolves: null,
  supersedes: null,
  ...more,
})
const blocker = comment('b', { kind: 'BLOCKER', authorId: 'boris' })
const anna = { userId: 'anna', mayReview: true, isPreparer: false }
const request = { kind: 'COMMENT', body: 'Why?', reason: 'For the test' } as const

const codeOf = (run: () => void): string => {
  try {
    run()
    return ''
  } catch (error) {
    return error instanceof Failure ? error.code : String(error)
  }
}

describe('comments', () => {
  it('apply until a later one replaces them; a chain of them has one head', () => {
    const chain = [
      comment('1'),
      comment('2', { supersedes: '1' }),
      comment('3', { supersedes: '2' }),
    ]
    expect(heads([...chain, comment('4')]).map(({ eventId }) => eventId)).toEqual(['3', '4'])
  })

  it('block until an active resolution answers exactly this blocker', () => {
    const answer = comment('r', { kind: 'RESOLUTION', resolves: 'b' })
    expect(openBlockers([blocker])).toEqual(['b'])
    expect(openBlockers([blocker, answer])).toEqual([])
    // A resolution that was taken back answers nothing, and a blocker that was written anew is another one.
    expect(openBlockers([blocker, answer, comment('x', { supersedes: 'r' })])).toEqual(['b'])
    const anew = comment('b2', { kind: 'BLOCKER', supersedes: 'b', authorId: 'boris' })
    expect(openBlockers([blocker, answer, anew])).toEqual(['b2'])
    expect(openBlockers([blocker, comment('c', { supersedes: 'b' })])).toEqual([])
  })

  it('are rejected beyond the maximum number, and if they refer to an inactive comment', () => {
    const many = Array.from({ length: limits.proposalComments }, (_, index) => comment(`${index}`))
    expect(codeOf(() => requireFitting(request, many, anna))).toBe(
      'LIQUIDITY_PROPOSAL_COMMENTS_FULL',
    )
    expect(codeOf(() => requireFitting(request, many.slice(1), anna))).toBe('')
    const answers = { ...request, kind: 'RESOLUTION', resolves: 'b' } as const
    const preparer = { ...anna, isPreparer: true }
    expect(codeOf(() => requireFitting(answers, [blocker], anna))).toBe('')
    expect(codeOf(() => requireFitting(answers, [blocker], preparer))).toBe(
      'LIQUIDITY_PROPOSAL_COMMENT_NOT_OWN',
    )
    expect(codeOf(() => requireFitting(answers, [comment('b')], anna))).toBe(
      'LIQUIDITY_PROPOSAL_COMMENT_UNFIT',
    )
    const { resolves: _, ...bare } = answers
    expect(codeOf(() => requireFitting(bare, [blocker], anna))).toBe(
      'LIQUIDITY_PROPOSAL_COMMENT_UNFIT',
    )
  })
})

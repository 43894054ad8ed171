import type { OperatingSystemEvent } from '@liquidity-os/contract'
import { expect, it } from 'vitest'
import { commentsOf } from './comments.tsx'

const comment = (id: string, payload: object) =>
  ({
    id,
    occurredAt: '2026-01-01T00:00:00Z',
    actor: { kind: 'SESSION', id: 'ann' },
    payload: { resolves: null, supersedes: null, ...payload },
  }) as unknown as OperatingSystemEvent

it('shows corrected comments once, and marks what nobody answered', () => {
  const shown = commentsOf([
    comment('a', { kind: 'BLOCKER', body: 'Whose account?' }),
    comment('b', { kind: 'QUESTION', body: 'Why?' }),
    comment('c', { kind: 'QUESTION', body: 'Why now?', supersedes: { eventId: 'b' } }),
    comment('d', { kind: 'RESOLUTION', body: 'Of the auditor.', resolves: 'a' }),
  ])
  expect(shown.map(({ body, isOpen }) => [body, isOpen])).toEqual([
    ['Whose account?', false],
    ['Why now?', true],
    ['Of the auditor.', false],
  ])
})

import type { contract, OperatingSystemEvent } from '@liquidity-os/contract'
import { Failure } from '../../../failure.ts'
import { limits } from '../../../limits.ts'

export const commentedKind = 'proposal.commented'

/** A stored comment: an event of the proposal. */
export interface Comment {
  readonly eventId: string
  readonly evidenceHash: string
  readonly authorId: string
  readonly kind: contract.ProposalCommentRequest['kind']
  readonly resolves: string | null
  /** Id of the comment that it replaces. */
  readonly supersedes: string | null
}

/** Immutable payload written by `appendProposalComment`. */
interface Written {
  readonly kind: Comment['kind']
  readonly resolves: string | null
  readonly supersedes: { readonly eventId: string } | null
}

export const commentOf = ({ id, evidenceHash, actor, payload }: OperatingSystemEvent): Comment => {
  const { kind, resolves, supersedes } = payload as unknown as Written
  return {
    eventId: id,
    evidenceHash,
    authorId: actor.id,
    kind,
    resolves,
    supersedes: supersedes?.eventId ?? null,
  }
}

/** Current comments: those not replaced by a later one. */
export function heads(comments: readonly Comment[]): Comment[] {
  const replaced = new Set(comments.map(({ supersedes }) => supersedes))
  return comments.filter(({ eventId }) => !replaced.has(eventId))
}

/** Current blockers without a current resolution. */
export const openBlockers = (comments: readonly Comment[]): string[] =>
  unanswered('BLOCKER', comments)

/** Current comments of a kind without a current resolution, from proposal events, oldest first. */
export const unresolved = (
  kind: 'BLOCKER' | 'QUESTION',
  events: readonly OperatingSystemEvent[],
): string[] => unanswered(kind, events.map(commentOf))

function unanswered(requested: 'BLOCKER' | 'QUESTION', comments: readonly Comment[]): string[] {
  const current = heads(comments)
  const resolved = new Set(
    current.flatMap(({ kind, resolves }) => (kind === 'RESOLUTION' ? [resolves] : [])),
  )
  return current
    .filter(({ kind, eventId }) => kind === requested && !resolved.has(eventId))
    .map(({ eventId }) => eventId)
}

/** Who comments. */
export interface Commenter {
  readonly userId: string
  readonly mayReview: boolean
  /** True if the packet is their own. */
  readonly isPreparer: boolean
}

/**
 * Validates a comment against earlier ones. A replaced comment must be current, match by hash and
 * have the same author. A resolved comment must be current. A blocker can be resolved by its
 * author, or by another reviewer who did not prepare the packet.
 *
 * @throws Failure 403, 409 or 422 that names the field
 */
export function requireFitting(
  request: contract.ProposalCommentRequest,
  comments: readonly Comment[],
  commenter: Commenter,
): void {
  const { supersedes } = request
  if (comments.length >= limits.proposalComments) {
    throw new Failure('LIQUIDITY_PROPOSAL_COMMENTS_FULL', {
      fieldErrors: {
        id: [`must have fewer than ${limits.proposalComments} comments, got ${comments.length}`],
      },
    })
  }
  const current = heads(comments)
  if (supersedes) {
    const before = current.find(
      (one) => one.eventId === supersedes.eventId && one.evidenceHash === supersedes.evidenceHash,
    )
    if (!before) {
      throw new Failure('LIQUIDITY_PROPOSAL_COMMENT_NOT_HEAD', {
        fieldErrors: {
          supersedes: [
            `must be the id and hash of a current comment, got ${supersedes.eventId} ${supersedes.evidenceHash}`,
          ],
        },
      })
    }
    if (before.authorId !== commenter.userId) throw notOwn('supersedes', before)
  }
  requireResolution(request, current, commenter)
}

const notOwn = (member: string, { authorId }: Comment) =>
  new Failure('LIQUIDITY_PROPOSAL_COMMENT_NOT_OWN', {
    fieldErrors: { [member]: [`must be your own comment, got a comment of ${authorId}`] },
  })

function requireResolution(
  { kind, resolves }: Pick<contract.ProposalCommentRequest, 'kind' | 'resolves'>,
  current: readonly Comment[],
  { userId, mayReview, isPreparer }: Commenter,
): void {
  const unfit = (message: string) =>
    new Failure('LIQUIDITY_PROPOSAL_COMMENT_UNFIT', { fieldErrors: { resolves: [message] } })
  if ((kind === 'RESOLUTION') !== (resolves !== undefined)) {
    throw unfit(`is required for RESOLUTION and must be omitted otherwise, got ${kind}`)
  }
  if (resolves === undefined) return
  const answered = current.find(
    (one) => one.eventId === resolves && (one.kind === 'BLOCKER' || one.kind === 'QUESTION'),
  )
  if (!answered) throw unfit(`must be a current blocker or question, got ${resolves}`)
  const mayResolve = answered.authorId === userId || (mayReview && !isPreparer)
  if (answered.kind === 'BLOCKER' && !mayResolve) throw notOwn('resolves', answered)
}

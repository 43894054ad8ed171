import { contract, type FieldErrors } from '@liquidity-os/contract'
import { Failure } from '../../../failure.ts'
import { limits } from '../../../limits.ts'
import { dayMilliseconds } from '../../../units.ts'

type Input = contract.ProposalWorkspaceInput

/** @throws Failure 400 that names all supplied fields that the service derives */
export function requireNothingDerived(payload: object, status: string | undefined): void {
  const faults: FieldErrors = {}
  for (const field of contract.derivedProposalFields) {
    if (!Object.hasOwn(payload, field)) continue
    faults[`payload.${field}`] = ['must be omitted: the service determines it, got a value']
  }
  if (status !== undefined && status !== 'DRAFT' && status !== 'VALIDATED') {
    faults.status = [`must be DRAFT or VALIDATED, got ${status}`]
  }
  if (Object.keys(faults).length > 0) {
    throw new Failure('LIQUIDITY_PROPOSAL_DERIVED_FIELD_SUPPLIED', { fieldErrors: faults })
  }
}

/** @throws Failure 400 or 422 for contradictions within the request, before any read */
export function requireSoundInput(input: Input, now: number): void {
  requireTime(input, now)
  requireSoundPacket(input)
}

/**
 * @throws Failure 400 or 422 for contradictions within calls and effects, independent of reviewers
 */
export function requireSoundPacket(
  input: Pick<Input, 'action' | 'series' | 'expectedEffects'>,
): void {
  requireEffects(input)
  requireBearable(input)
}

function requireTime({ review: { expiresAt } }: Input, now: number): void {
  const max = now + limits.proposalReviewDays * dayMilliseconds
  const at = Date.parse(expiresAt)
  if (at > now && at <= max) return
  const latest = new Date(max).toISOString()
  throw new Failure('LIQUIDITY_PROPOSAL_EXPIRY', {
    fieldErrors: {
      'payload.review.expiresAt': [`must be in the future and at most ${latest}, got ${expiresAt}`],
    },
  })
}

function requireEffects({ expectedEffects = [] }: Pick<Input, 'expectedEffects'>): void {
  const faults: FieldErrors = {}
  const seen = new Set<string>()
  for (const [index, { asset, minimumDelta, maximumDelta }] of expectedEffects.entries()) {
    const at = `payload.expectedEffects.${index}`
    if (BigInt(minimumDelta) > BigInt(maximumDelta)) {
      faults[`${at}.minimumDelta`] = [`must be at most ${maximumDelta}, got ${minimumDelta}`]
    }
    if (seen.has(asset.toLowerCase())) {
      faults[`${at}.asset`] = [`must be unique, got ${asset} twice`]
    }
    seen.add(asset.toLowerCase())
  }
  if (Object.keys(faults).length > 0) {
    throw new Failure('LIQUIDITY_PROPOSAL_EFFECTS_INVERTED', { fieldErrors: faults })
  }
}

/** Limits the number of calls to decode and simulate per request. */
function requireBearable({ action, series = [] }: Pick<Input, 'action' | 'series'>): void {
  const calls = [action.calls ?? [], ...series.map(({ calls: some }) => some)].flat().length
  if (calls <= limits.proposalCalls) return
  throw new Failure('LIQUIDITY_INVALID_REQUEST', {
    fieldErrors: {
      'payload.series': [`must have at most ${limits.proposalCalls} calls in total, got ${calls}`],
    },
  })
}

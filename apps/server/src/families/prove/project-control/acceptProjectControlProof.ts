import { contract } from '@liquidity-os/contract'
import type { Hex } from 'viem'
import { type Handler, type HandlerRequest, handle, type Outcome } from '../../../http/handler.ts'
import { limits } from '../../../limits.ts'
import { treasuryComputation } from '../../../market/treasury/treasury-computation.ts'
import { type PinnedSnapshot, takeSnapshot } from '../../../market/treasury/treasury-snapshot.ts'
import { joinChanges } from '../../../store/records/change.ts'
import type { Current } from '../../../store/records/tenant-records.ts'
import { isOver } from './challenge-view.ts'
import { claimOf, fieldErrorsOf } from './claim-of.ts'
import { controlMessage } from './control-message.ts'
import type { ControlClaim } from './control-path.ts'
import { findChallenge } from './find-challenge.ts'
import { limitationsOf } from './limitations.ts'
import { type ControlReading, readControl } from './read-control.ts'
import { controlChallenges, controlProofs } from './records.ts'
import { strengthOf } from './strength.ts'

type Request = HandlerRequest<typeof contract.acceptProjectControlProof>
type Challenge = Current<contract.ProjectControlChallenge>

const accept: Handler = handle(contract.acceptProjectControlProof, async (request) => {
  const { body, records, services, now, fail } = request
  const challenge = await findChallenge(records, body.nonce)
  request.requireRecentAuthentication()
  const { status, payload } = challenge.record
  const signature = body.signature.toLowerCase() as Hex
  if (status === 'COMPLETED') return existing(request, payload, signature)
  if (status !== 'ACTIVE' || isOver(payload, now)) {
    throw fail('LIQUIDITY_PROJECT_CONTROL_CHALLENGE_EXPIRED')
  }
  const claim = claimOf(payload)
  const snapshot = await takeSnapshot(records, services, [payload.chainId], 'nonce')
  const { organizationId } = records
  const { baseUrl } = services.config
  // The signature must match the message that the service builds from the challenge.
  const { digest } = controlMessage(
    { ...payload, ...claim, baseUrl, organizationId },
    payload.format,
  )
  // The snapshot contains the requested chain.
  const chain = snapshot.chains.get(payload.chainId)!
  const reading = await readControl(chain, claim, { digest, signature })
  const { walked, signed } = reading
  if (walked.fault) {
    const fieldErrors = fieldErrorsOf(walked.fault, claim)
    throw fail('LIQUIDITY_PROJECT_CONTROL_CHANGED', { fieldErrors })
  }
  if (signed.fault !== null) {
    const fieldErrors = { signature: [signed.fault] }
    throw fail('LIQUIDITY_PROJECT_CONTROL_SIGNATURE_INVALID', { fieldErrors })
  }
  return accepted(
    request,
    challenge,
    proofOf(challenge, claim, { snapshot, reading, signature, now }),
  )
})
export default accept

/** Returns the existing proof if the same signature is submitted again. */
async function existing(
  { records, fail }: Request,
  { proofId }: contract.ProjectControlChallenge,
  signature: Hex,
): Promise<Outcome> {
  const proof = proofId === null ? null : await controlProofs.current(records, proofId)
  if (proof === null) throw new Error('A challenge was completed, but its proof is not stored.')
  if (proof.record.payload.signature !== signature) {
    throw fail('LIQUIDITY_PROJECT_CONTROL_CHALLENGE_CONSUMED')
  }
  return { status: 201, data: { proof: proof.record } }
}

interface Found {
  readonly snapshot: PinnedSnapshot
  readonly reading: ControlReading
  readonly signature: Hex
  /** Milliseconds since 1970. */
  readonly now: number
}

function proofOf(
  { record: { id, resourceType, resourceVersion, payload } }: Challenge,
  claim: ControlClaim,
  { snapshot, reading, signature, now }: Found,
): contract.ProjectControlProof {
  const { walked, signed, code, pending, holders } = reading
  const { chainId, nonce, digest } = payload
  const claimed = { ...claim, via: [...claim.via] }
  return {
    chainId,
    ...claimed,
    claimantKind: signed.authority.kind,
    path: [...walked.hops],
    strength: strengthOf(walked.hops),
    code,
    pending,
    otherHolders: holders?.others ?? null,
    authority: signed.authority,
    nonce,
    messageHash: digest,
    signature,
    validUntil: new Date(now + limits.controlProofMilliseconds).toISOString(),
    lapse: null,
    computation: treasuryComputation({
      request: { chainId, ...claimed, digest, signature },
      sources: [{ id, resourceType, resourceVersion }],
      snapshot: snapshot.view,
      gaps: snapshot.gaps,
      limitations: [...snapshot.limitations, ...limitationsOf(claim, reading)],
    }),
  }
}

/** The proof and the end of its challenge, both or neither. */
function accepted(
  { body: { reason }, records }: Request,
  challenge: Challenge,
  payload: contract.ProjectControlProof,
): Outcome {
  const { chainId, token, claimant, strength, messageHash } = payload
  const { sealed, change } = controlProofs.first(records, {
    status: 'ACTIVE',
    payload,
    reason,
    event: 'project_control.proof.accepted',
    eventPayload: { chainId, token, claimant, strength, messageHash, reason },
  })
  const { id, resourceVersion } = sealed.record
  const consumed = controlChallenges.next(records, challenge, {
    status: 'COMPLETED',
    reason,
    event: 'project_control.challenge.consumed',
    payload: { ...challenge.record.payload, proofId: id },
    eventPayload: { proof: { id, resourceVersion } },
  })
  return {
    status: 201,
    data: { proof: sealed.record },
    change: joinChanges(change, consumed.change),
  }
}

import { contract } from '@liquidity-os/contract'
import {
  type AdmissionDecision,
  decideAdmission,
  type PolicyTerms,
} from '@liquidity-os/engine/policy'
import type { SealedRecord } from '@liquidity-os/evidence'
import { Failure } from '../../../failure.ts'
import { type HandlerRequest, handle, type Outcome } from '../../../http/handler.ts'
import { type Change, joinChanges } from '../../../store/records/change.ts'
import type { Current, Version } from '../../../store/records/tenant-records.ts'
import { recordReply } from '../../record-reply.ts'
import { policyHeldBy, readPolicyState, stateOf } from './active-policy.ts'
import { payloadOf, releaseOrNull } from './policy-payload.ts'
import { policies } from './records.ts'
import { requireCoveringRelease } from './release-gate.ts'
import { type Receipt, requireEnvelope } from './safe-envelope.ts'
import { requireSoundInput } from './validate-input.ts'
import { requireVault, type Vault, validateQualification } from './vault-of.ts'

const operation = contract.createAutonomyPolicies
type Request = HandlerRequest<typeof operation>
type Payload = contract.AutonomyPolicy
type Held = Current<Payload>

/**
 * Activates a policy of a vault. A policy without execution rights, or within the active policy, needs
 * no further approval. Any expansion requires the signed release and an on-chain commitment by the
 * owners.
 */
export default handle(operation, async (request): Promise<Outcome> => {
  const { body, records, now } = request
  const terms = requireSoundInput(body.payload, now)
  const vault = await requireVault(records, terms.vaultId)
  requirePresentEpoch(terms, vault)
  const held = await policyHeldBy(records, terms.vaultId)
  const isOver = held === null || stateOf(held.record, now) === 'EXPIRED'
  requireReviewed(request, isOver ? null : held)
  const decision = decideAdmission(isOver ? null : readPolicyState(held.record, now), terms)
  if (terms.level >= 3) requireQualified(vault, now)
  const expansion =
    decision.admission === 'EXPANSION' ? await admitted(request, vault, terms) : null
  const payload = payloadOf({
    terms,
    decision,
    vault,
    now,
    envelope: expansion?.envelope ?? null,
    release: expansion?.release ?? releaseOrNull(request.services, now),
    before: isOver ? null : held.record.payload,
    approvedBy: { kind: request.actor.kind, id: request.actor.id },
  })
  return written(request, {
    held,
    isOver,
    payload,
    decision,
    envelope: expansion?.envelope ?? null,
  })
})

function requirePresentEpoch({ controlEpoch }: PolicyTerms, { payload }: Vault): void {
  if (`${controlEpoch}` === payload.controlEpoch) return
  throw new Failure('LIQUIDITY_POLICY_EPOCH_NOT_CURRENT', {
    fieldErrors: {
      'payload.controlEpoch': [
        `must be ${payload.controlEpoch}, the epoch of the vault, got ${controlEpoch}`,
      ],
    },
  })
}

/**
 * @throws Failure 428 or 412: replacing a current policy requires its version; without a current
 * policy no version is valid
 */
function requireReviewed({ precondition }: Request, current: Held | null): void {
  const version = current?.record.resourceVersion ?? null
  if (version === precondition) return
  if (version !== null && precondition === null) {
    throw new Failure('LIQUIDITY_STUDIO_PRECONDITION_REQUIRED', {
      message: `The vault has the policy ${current?.record.id}. Name its version to replace it.`,
      fieldErrors: { 'headers.if-match': [`must name the current policy: "${version}"`] },
    })
  }
  throw new Failure('LIQUIDITY_PRECONDITION_FAILED', {
    message:
      version === null
        ? 'The vault has no current policy to replace.'
        : `The resource is now at version ${version}, not ${precondition}.`,
  })
}

function requireQualified(vault: Vault, now: number): void {
  const faults = validateQualification(vault, now)
  if (faults.length === 0) return
  throw new Failure('LIQUIDITY_POLICY_VAULT_UNQUALIFIED', {
    fieldErrors: {
      'payload.vaultId': [
        `must be a qualified vault at level 3 or higher; failed: ${faults.join(', ')}`,
      ],
    },
  })
}

/** The gates of an expansion, in order. */
async function admitted(request: Request, vault: Vault, terms: PolicyTerms) {
  request.requireRecentAuthentication()
  const release = await requireCoveringRelease(request, vault, terms)
  const envelope = await requireEnvelope(request.records, vault, terms)
  return { release, envelope }
}

interface Admitted {
  readonly held: Held | null
  readonly isOver: boolean
  readonly payload: Payload
  readonly decision: AdmissionDecision
  readonly envelope: Receipt | null
}

function written(
  request: Request,
  { held, isOver, payload, decision, envelope }: Admitted,
): Outcome {
  const { records, body } = request
  const { admission, comparison } = decision
  const eventPayload = { vaultId: payload.vaultId, policyHash: payload.policyHash, admission }
  const version: Version<Payload> = {
    status: body.status ?? 'ACTIVE',
    payload,
    reason: body.reason,
    ...(body.evidenceHashes ? { evidenceHashes: body.evidenceHashes } : {}),
    event: admission === 'EXPANSION' ? 'policy.safe_authority_bound' : 'policy.admitted',
    eventPayload: {
      ...eventPayload,
      relation: comparison.relation,
      ...(envelope ? { envelope: bound(envelope) } : {}),
    },
  }
  if (held && !isOver) {
    const { sealed, change } = policies.next(records, held, version)
    return answer(sealed, change, admission)
  }
  const { sealed, change } = policies.first(records, version)
  const ended = held ? ending(request, held) : null
  return answer(sealed, ended ? joinChanges(ended, change) : change, admission)
}

const bound = ({ id, resourceVersion, payload }: Receipt) => ({
  receiptId: id,
  resourceVersion,
  safeTxHash: payload.safeTxHash,
  nonce: payload.nonce,
  transactionHash: payload.transactionHash,
  block: payload.block,
  signers: payload.signers,
})

/** Records the expiry of a policy that the sweep has not recorded yet. */
function ending({ records }: Request, held: Held): Change {
  const { payload, evidenceHashes } = held.record
  return policies.next(records, held, {
    status: 'EXPIRED',
    payload,
    reason: 'The policy expired',
    evidenceHashes,
    event: 'policy.expired',
    eventPayload: { vaultId: payload.vaultId, policyHash: payload.policyHash },
  }).change
}

function answer(
  sealed: SealedRecord<Payload>,
  change: Change,
  admission: AdmissionDecision['admission'],
): Outcome {
  if (admission !== 'EXPANSION') return recordReply(sealed, change, 201)
  const own = change.events.find(({ event }) => event.subject.id === sealed.record.id)
  return {
    status: 201,
    data: { policy: sealed.record, safeAuthorityEvidence: own?.event },
    etag: sealed.resourceVersion,
    change,
  }
}

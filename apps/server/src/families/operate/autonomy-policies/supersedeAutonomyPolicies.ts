import { contract } from '@liquidity-os/contract'
import { compareTerms, mayResume, type TermsComparison } from '@liquidity-os/engine/policy'
import { Failure } from '../../../failure.ts'
import { stateOf } from './active-policy.ts'
import { payloadOf, releaseOrNull } from './policy-payload.ts'
import { comparisonOf, termsOf } from './policy-terms.ts'
import { type Policy, policies } from './records.ts'
import { requireSoundInput } from './validate-input.ts'
import { onChainOf, vaultOf } from './vault-of.ts'

type Payload = contract.AutonomyPolicy

/**
 * Pauses, revokes, tightens or resumes a policy. Rejects any loosening and lists it. Needs no chain
 * access.
 */
export default policies.supersede(contract.supersedeAutonomyPolicies, {
  requires: ({ body }) => {
    if (body.payload !== undefined || body.status !== undefined) return
    throw new Failure('LIQUIDITY_INVALID_REQUEST', {
      fieldErrors: { status: ['must set status or payload, got neither'] },
    })
  },
  admit: ({ body, now }, before) => {
    if (stateOf(before, now) !== 'EXPIRED' || body.status === 'REVOKED') return
    throw new Failure('LIQUIDITY_POLICY_TERMINAL', {
      fieldErrors: { id: [`must not have expired; expired at ${before.payload.expiresAt}`] },
    })
  },
  decide: async ({ body, records, services, now, actor }, before, to) => {
    const vault = await vaultOf(records, before.payload.vaultId)
    const terms = termsOf(before.payload)
    const isResumed = before.status === 'PAUSED' && to === 'ACTIVE'
    const epoch = vault ? BigInt(vault.payload.controlEpoch) : null
    const after = body.payload ? requireSoundInput(body.payload, now) : terms
    const comparison = compareTerms(terms, after)
    if (comparison.relation === 'WIDER' || comparison.relation === 'INCOMPARABLE') {
      throw expansion(comparison)
    }
    if (isResumed && !mayResume(after, epoch))
      throw resumption(after.level, `${after.controlEpoch}`, epoch)
    const payload: Payload =
      body.payload && vault
        ? {
            ...payloadOf({
              terms: after,
              decision: { admission: narrowed(after.level), comparison },
              vault,
              release: releaseOrNull(services, now),
              envelope: null,
              now,
              before: before.payload,
              approvedBy: { kind: actor.kind, id: actor.id },
            }),
            // The owners approved a looser policy, so their approval covers the tighter one.
            safeAuthority: before.payload.safeAuthority,
          }
        : { ...before.payload, comparison: comparisonOf(comparison), onChain: onChainOf(vault) }
    return {
      payload,
      event: eventOf(before, to, body.payload !== undefined),
      eventPayload: buildEventPayload(payload, to),
    }
  },
})

const narrowed = (level: number) => (level >= 3 ? 'NARROWING' : 'ADVISORY')

function eventOf({ status }: Policy, to: string, isNarrowed: boolean): string {
  if (to === 'REVOKED') return 'policy.revoked'
  if (status !== to) return to === 'PAUSED' ? 'policy.paused' : 'policy.resumed'
  return isNarrowed ? 'policy.narrowed' : to === 'PAUSED' ? 'policy.paused' : 'policy.narrowed'
}

const buildEventPayload = ({ vaultId, policyHash, onChain, comparison }: Payload, to: string) => ({
  vaultId,
  policyHash,
  status: to,
  relation: comparison.relation,
  onChainAuthority: onChain.authority,
})

function expansion({ relation, perField }: TermsComparison): Failure {
  const wider = perField.filter(
    (one) => one.relation === 'WIDER' || one.relation === 'INCOMPARABLE',
  )
  const message = (one: (typeof wider)[number]) =>
    `must grant at most ${one.before || 'nothing'}, got ${one.after || 'nothing'}`.slice(0, 500)
  return new Failure('LIQUIDITY_POLICY_EXPANSION_REQUIRES_SAFE', {
    message: `The requested policy is ${relation} than the current policy.`,
    fieldErrors: Object.fromEntries(wider.map((one) => [`payload.${one.field}`, [message(one)]])),
  })
}

function resumption(level: number, named: string, epoch: bigint | null): Failure {
  const why =
    level > 2
      ? `resuming executable authority at level ${level} grants more than a pause`
      : `the vault control is at epoch ${epoch ?? 'none'}, but the policy is for epoch ${named}`
  return new Failure('LIQUIDITY_POLICY_EXPANSION_REQUIRES_SAFE', {
    fieldErrors: { status: [`cannot become ACTIVE: ${why}`] },
  })
}

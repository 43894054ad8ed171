import { contract, type FieldErrors } from '@liquidity-os/contract'
import { compareTerms } from '@liquidity-os/engine/policy'
import { canonicalize } from '@liquidity-os/evidence'
import { Failure } from '../../../failure.ts'
import { handle, type Outcome } from '../../../http/handler.ts'
import { compilePolicy } from './compile-policy.ts'
import { currentTerms } from './draft-payload.ts'
import { policyDrafts } from './draft-records.ts'
import { releaseOrNull } from './policy-payload.ts'
import { comparisonOf, termsOf } from './policy-terms.ts'
import { faultsOf } from './validate-input.ts'
import { requireVault } from './vault-of.ts'
import { findActivePolicy, noAuthority } from './write-draft.ts'

type Draft = contract.PolicyIntentDraft

/** Compiles a draft. Unchanged inputs return the same version. */
export default handle(contract.compilePolicyIntent, async (request): Promise<Outcome> => {
  const { params, body, records, services, now, precondition } = request
  const draft = await records.reviewed<Draft>('PolicyIntentDraft', params.id, precondition)
  const { status, payload } = draft.record
  if (status === 'EXPIRED' || Date.parse(payload.expiresAt) <= now) {
    throw new Failure('LIQUIDITY_POLICY_INTENT_EXPIRED', {
      fieldErrors: { id: [`must not have expired; expired at ${payload.expiresAt}`] },
    })
  }
  const terms = termsOf(requireCandidate(payload))
  for (const [code, field, message] of faultsOf(terms, now)) {
    throw new Failure(code, { fieldErrors: { [field]: [message] } })
  }
  const vault = await requireVault(records, payload.vaultId, 'id')
  if (`${terms.controlEpoch}` !== vault.payload.controlEpoch) {
    const expected = `must be ${vault.payload.controlEpoch}, the current epoch of the vault`
    throw new Failure('LIQUIDITY_POLICY_EPOCH_NOT_CURRENT', {
      fieldErrors: { controlEpoch: [`${expected}, got ${terms.controlEpoch}`] },
    })
  }
  const compilation = compilePolicy(terms, vault.payload, releaseOrNull(services, now))
  const current = await findActivePolicy(records, payload.vaultId)
  const comparison = comparisonOf(compareTerms(currentTerms(current, terms), terms))
  const result = { compilation, comparison, ...noAuthority }
  const isSame =
    payload.compilation !== null && canonicalize(payload.compilation) === canonicalize(compilation)
  if (isSame) {
    return { data: { draft: draft.record, ...result }, etag: draft.record.resourceVersion }
  }
  const { policyHash, releaseHash, conditionsHash } = compilation
  const { sealed, change } = policyDrafts.next(records, draft, {
    status: 'VALIDATED',
    payload: { ...payload, compilation },
    reason: body.reason,
    event: 'policy_intent.compiled',
    eventPayload: { vaultId: payload.vaultId, policyHash, releaseHash, conditionsHash },
  })
  return { data: { draft: sealed.record, ...result }, etag: sealed.resourceVersion, change }
})

/** @throws Failure 422 with every reason the draft is incomplete, by field */
function requireCandidate({ candidate, unparsed, conflicts, missing }: Draft) {
  if (candidate) return candidate
  const fieldErrors: FieldErrors = {}
  const add = (at: string, message: string) => {
    fieldErrors[at] = [...(fieldErrors[at] ?? []), message]
  }
  for (const { start, end, quote, code, hint } of unparsed) {
    add(`text[${start}..${end}]`, `${code}: ${hint}, got ${quote.slice(0, 100)}`)
  }
  for (const { field, spans } of conflicts) {
    for (const { start, end, quote } of spans) {
      add(
        `text[${start}..${end}]`,
        `CONFLICTING_VALUES: ${field} has more than one value, got ${quote.slice(0, 100)}`,
      )
    }
  }
  for (const field of missing)
    add(field, 'is missing: there is no default; state it or use the current policy as baseline')
  throw new Failure('LIQUIDITY_POLICY_INTENT_NOT_COMPILABLE', { fieldErrors })
}

import { contract, type FieldErrors } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { HandlerRequest } from '../../../http/handler.ts'
import { limits } from '../../../limits.ts'
import { currentSources } from '../../sources.ts'
import {
  isFresh,
  policyHashOf,
  releaseOrNull,
  requireVault,
  termsOf,
  type Vault,
} from '../autonomy-policies/api.ts'
import { plannedLegs } from './legs/leg-chain.ts'
import { namesOfLegs } from './legs/leg-names.ts'
import { computePlan } from './planning/compute-plan.ts'
import { effectiveBounds } from './planning/effective-bounds.ts'
import { planPayload } from './planning/plan-payload.ts'
import { executionPlans, type QuoteSetRecord } from './records.ts'

const operation = contract.prepareProtectedExecutionPlan
type Request = HandlerRequest<typeof operation>
type Policy = VersionedRecord<contract.AutonomyPolicy>

/** Splits the order of a set, checks each leg against the policy and stores the plan. */
export default executionPlans.create(operation, async (request) => {
  const { body, records, services, now, fail } = request
  const { payload: requested } = body
  const { set, policy, vault } = await requireSources(request)
  requireSound(request, set, policy, vault)
  const terms = termsOf(policy.payload)
  const bounds = effectiveBounds(terms, set.payload, requested.constraints)
  const release = releaseOrNull(services, now)
  const computed = await computePlan(records, services, {
    requested,
    set: set.payload,
    bounds,
    release,
    vault,
    policy,
    terms,
  })
  if ('refused' in computed) {
    const { largest, reason } = computed.refused
    const why = reason === 'FIRM' ? ', due to the firm minimum' : ''
    throw fail('LIQUIDITY_PLAN_AMOUNT_UNFILLABLE', {
      fieldErrors: {
        'payload.quoteSet': [
          `must fill ${set.payload.amount}, can fill at most ${largest}${why}`,
          ...computed.rejected.slice(0, 8).map((one) => `${one.sourceId}: ${one.reason}`),
        ],
      },
    })
  }
  const denied = deniedRules(computed.legs)
  if (Object.keys(denied).length > 0) {
    throw fail('LIQUIDITY_PLAN_POLICY_DENIED', { fieldErrors: denied })
  }
  const payload = planPayload({
    requested,
    set,
    policy,
    bounds,
    computed,
    policyHash: policyHashOf(terms),
  })
  return {
    payload,
    status: payload.isArmable ? 'ACTIVE' : 'PARTIAL',
    event: 'plan.prepared',
    eventPayload: {
      vaultId: vault.id,
      setHash: payload.setHash,
      policyHash: payload.policyHash,
      legs: payload.legs.length,
      isArmable: payload.isArmable,
    },
    complete: async (sealed, change) => {
      const { record } = sealed
      const held = namesOfLegs(record, plannedLegs(record.payload))
      const claims = held.map(({ kind, name }) => ({ kind, name, recordId: record.id }))
      return {
        status: 201,
        record: {
          id: record.id,
          sequence: record.sequence,
          text: sealed.text,
          resourceVersion: sealed.resourceVersion,
        },
        change: { ...change, claims: [...change.claims, ...claims] },
      }
    },
  }
})

async function requireSources({ body, records }: Request): Promise<{
  readonly set: QuoteSetRecord
  readonly policy: Policy
  readonly vault: Vault
}> {
  const { quoteSet, policy } = body.payload
  const [set, found] = await currentSources(records, [
    { ref: { resourceType: 'QuoteSet', ...quoteSet }, at: 'payload.quoteSet' },
    { ref: { resourceType: 'AutonomyPolicy', ...policy }, at: 'payload.policy' },
  ])
  if (!set || !found) throw new Error('The sources no longer exist.')
  const { vaultId } = (set as QuoteSetRecord).payload
  const vault = await requireVault(records, vaultId, 'payload.quoteSet')
  return { set: set as QuoteSetRecord, policy: found as Policy, vault }
}

/**
 * @throws Failure 409 for a closed set, 422 for a policy of another vault or epoch, or a deadline
 * out of range
 */
function requireSound(
  { body, now, fail }: Request,
  { status, payload: set }: QuoteSetRecord,
  { payload: policy }: Policy,
  vault: Vault,
): void {
  if (status !== 'ACTIVE' || Date.parse(set.closesAt) <= now) {
    throw fail('LIQUIDITY_PLAN_QUOTE_SET_EXPIRED', {
      fieldErrors: { 'payload.quoteSet': [`must be open; closed at ${set.closesAt}`] },
    })
  }
  const { deadline, routes } = body.payload.constraints
  const ahead = (Date.parse(deadline) - now) / 1000
  const faults: FieldErrors = {}
  if (ahead <= 0 || ahead > limits.executionDeadlineSeconds) {
    const bounds = `must be in the future by at most ${limits.executionDeadlineSeconds} seconds`
    faults['payload.constraints.deadline'] = [`${bounds}, got ${deadline}`]
  }
  if (policy.vaultId !== set.vaultId) {
    faults['payload.policy'] = [`must be for ${set.vaultId}, got a policy for ${policy.vaultId}`]
  }
  const twice = routes.findIndex((one, index) => routes.indexOf(one) < index)
  if (twice >= 0) {
    faults[`payload.constraints.routes.${twice}`] = [`must be unique, got ${routes[twice]} twice`]
  }
  if (Object.keys(faults).length > 0) {
    throw fail('LIQUIDITY_PLAN_INPUT_INVALID', { fieldErrors: faults })
  }
  // Without a recent vault reading the control epoch is unknown, so the checks are INDETERMINATE.
  if (isFresh(vault, now) && vault.payload.controlEpoch !== policy.controlEpoch) {
    const expected = `must be for control epoch ${vault.payload.controlEpoch}`
    throw fail('LIQUIDITY_PLAN_POLICY_EPOCH', {
      fieldErrors: { 'payload.policy': [`${expected}, got ${policy.controlEpoch}`] },
    })
  }
}

function deniedRules(legs: readonly contract.ExecutionLegRecord[]): FieldErrors {
  const entries = legs.flatMap(({ legIndex, check: { rules } }) => {
    const denied = rules.filter(({ outcome }) => outcome === 'DENY')
    const denials = denied.map(
      ({ ruleId, name, limit, observed }) => `${ruleId} ${name}: limit ${limit}, got ${observed}`,
    )
    return denials.length === 0 ? [] : [[`legs.${legIndex}`, denials] as const]
  })
  return Object.fromEntries(entries)
}

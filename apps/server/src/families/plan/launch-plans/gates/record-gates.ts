import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { tokenKey } from '../../../../market/treasury/asset-keys.ts'
import type { ProviderAccess } from '../../../../services.ts'
import { sql } from '../../../../store/database/sql.ts'
import { member } from '../../../../store/records/find.ts'
import type { TenantRecords } from '../../../../store/records/tenant-records.ts'
import { currentById, newestOf } from '../../../sources.ts'
import { type Gate, gateResult, open, type Result, satisfiedIf } from './gate-result.ts'
import {
  capitalReserved,
  controlProven,
  custodyCurrent,
  reconciliationAgreed,
  runwayAtLeast,
  stressWithinLimits,
} from './treasury-gates.ts'

type Plan = VersionedRecord<contract.LaunchPlan>
type Of<K extends Gate['kind']> = Extract<Gate, { kind: K }>

/** Evaluates a gate from the organization's records; null for an on-chain gate. */
export function recordGate(
  records: TenantRecords,
  services: ProviderAccess,
  plan: Plan,
  gate: Gate,
): Promise<Result> | null {
  switch (gate.kind) {
    case 'CAPITAL_RESERVED':
      return capitalReserved(records, plan)
    case 'RECONCILIATION_AGREED':
      return reconciliationAgreed(records, gate)
    case 'CUSTODY_CURRENT':
      return custodyCurrent(records, plan)
    case 'PROJECT_CONTROL_PROVEN':
      return controlProven(records, services, plan)
    case 'STRESS_WITHIN_LIMITS':
      return stressWithinLimits(records)
    case 'RUNWAY_AT_LEAST':
      return runwayAtLeast(records, plan, gate)
    case 'STRATEGY_VALIDATED':
      return strategyValidated(records, plan, gate)
    case 'POLICY_ACTIVE':
      return inState(records, 'AutonomyPolicy', gate.policyId, 'ACTIVE')
    case 'HUMAN_APPROVAL':
      return humanApproval(records, plan, gate)
    case 'DOCUMENT_ATTESTED':
      return Promise.resolve(
        open('The gate is satisfied once the step is completed with the document signature.', {
          documentHash: gate.documentHash,
        }),
      )
    default:
      return null
  }
}

async function namedRecord(records: TenantRecords, resourceType: string, id: string) {
  const ref = { resourceType, id, resourceVersion: `0x${'0'.repeat(64)}` as const }
  return (await currentById(records, [ref]))(ref)
}

/** True if a record of the organization is in one of the states. */
async function inState(
  records: TenantRecords,
  resourceType: string,
  id: string,
  status: string,
): Promise<Result> {
  const found = await namedRecord(records, resourceType, id)
  if (!found) return open(`${resourceType} ${id} does not exist.`)
  return satisfiedIf(found.status === status, `It is ${found.status}.`, { status: found.status }, [
    found,
  ])
}

/** A strategy for another market is no evidence for the launch. */
async function strategyValidated(
  records: TenantRecords,
  plan: Plan,
  { strategyId }: Of<'STRATEGY_VALIDATED'>,
): Promise<Result> {
  const result = await inState(records, 'StrategyDefinitionV2', strategyId, 'VALIDATED')
  if (result.result !== 'SATISFIED') return result
  const found = await namedRecord(records, 'StrategyDefinitionV2', strategyId)
  // The cast is safe, because the query names the kind.
  const { pair } = (found as VersionedRecord<contract.StrategyDefinitionV2>).payload.definition
  const of = [tokenKey(pair.chainId, pair.base), tokenKey(pair.chainId, pair.quote)]
  const { token, quote } = plan.payload.request
  const isOfPair = of[0] === token && of[1] === quote
  return isOfPair
    ? result
    : open(`It is for ${of.join(' in ')}, not for ${token} in ${quote}.`, {}, [found])
}

async function humanApproval(
  records: TenantRecords,
  plan: Plan,
  { packId }: Of<'HUMAN_APPROVAL'>,
): Promise<Result> {
  const requested = packId
    ? { ids: [packId] }
    : {
        status: ['COMPLETED'],
        where: sql`exists (select 1 from jsonb_array_elements(r.body::jsonb -> 'payload' -> 'evidence') as one
          where one #>> '{source,id}' = ${plan.id} and one #>> '{source,resourceVersion}' = ${plan.resourceVersion})
          and ${member('payload.outcome.decision')} = 'APPROVED'`,
      }
  const [found] = (await newestOf(records, 'DecisionPack', {
    ...requested,
    limit: 1,
  })) as VersionedRecord<contract.DecisionPack>[]
  if (!found) {
    return open(
      packId
        ? `Decision packet ${packId} does not exist.`
        : 'No approved decision packet is based on this plan.',
    )
  }
  const { outcome, evidence } = found.payload
  const isOfPlan = evidence.some(
    ({ source }) => source.id === plan.id && source.resourceVersion === plan.resourceVersion,
  )
  if (!isOfPlan)
    return open('The decision packet is not based on this version of the plan.', {}, [found])
  const isApproved = found.status === 'COMPLETED' && outcome?.decision === 'APPROVED'
  const isQuiet = found.payload.options.some(
    ({ optionId, statusQuo }) => statusQuo && optionId === outcome?.optionId,
  )
  // Approval of the status quo is not an approval of the launch.
  const detail = isQuiet
    ? 'The decision packet approves no action.'
    : `The decision packet is ${found.status}${outcome ? `, ${outcome.decision}` : ''}.`
  return gateResult(
    isApproved && !isQuiet ? 'SATISFIED' : 'OPEN',
    detail,
    {
      status: found.status,
      decision: outcome?.decision ?? null,
      option: outcome?.optionId ?? null,
    },
    [found],
  )
}

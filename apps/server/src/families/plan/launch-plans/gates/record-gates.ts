import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { computedAtOf, snapshotTime } from '../../../../market/treasury/computed-at.ts'
import { sql } from '../../../../store/database/sql.ts'
import { member } from '../../../../store/records/find.ts'
import type { TenantRecords } from '../../../../store/records/tenant-records.ts'
import { dayMilliseconds } from '../../../../units.ts'
import { currentById, newestOf } from '../../../sources.ts'
import { type Gate, gateResult, judged, open, type Result } from './gate-result.ts'

type Plan = VersionedRecord<contract.LaunchPlan>
type Of<K extends Gate['kind']> = Extract<Gate, { kind: K }>
type Bucket = VersionedRecord<contract.TreasuryBucket>

const usualAgeDays = 7

/** Judges a gate by the records of the organization; null for one that a chain decides. */
export function recordGate(records: TenantRecords, plan: Plan, gate: Gate): Promise<Result> | null {
  switch (gate.kind) {
    case 'CAPITAL_RESERVED':
      return capitalReserved(records, plan)
    case 'RECONCILIATION_AGREED':
      return reconciliationAgreed(records, gate)
    case 'CUSTODY_CURRENT':
      return custodyCurrent(records)
    case 'PROJECT_CONTROL_PROVEN':
      return controlProven(records, plan)
    case 'STRESS_WITHIN_LIMITS':
      return stressWithinLimits(records)
    case 'RUNWAY_AT_LEAST':
      return runwayAtLeast(records, gate)
    case 'STRATEGY_VALIDATED':
      return inState(records, 'StrategyDefinitionV2', gate.strategyId, 'VALIDATED')
    case 'POLICY_ACTIVE':
      return inState(records, 'AutonomyPolicy', gate.policyId, 'ACTIVE')
    case 'HUMAN_APPROVAL':
      return humanApproval(records, plan, gate)
    case 'DOCUMENT_ATTESTED':
      return Promise.resolve(
        open('It is open once the step is completed with the signature of the document.', {
          documentHash: gate.documentHash,
        }),
      )
    default:
      return null
  }
}

async function capitalReserved(records: TenantRecords, plan: Plan): Promise<Result> {
  const { token, quote, capitalRequirement } = plan.payload.request
  if (!capitalRequirement) return open('The plan names no study of capital.')
  const study = await records.version<contract.CapitalRequirementStudy>(
    'CapitalRequirementStudy',
    capitalRequirement.id,
    capitalRequirement.resourceVersion,
  )
  const total = study?.record.payload.total
  if (!total) return open('The study of capital tells no amounts.', {}, [study?.record])
  const entries = (await records.find('TreasuryBucket', { exceptStatus: ['RETIRED'] })) as Bucket[]
  const holding = entries.filter(
    ({ payload }) =>
      payload.entryKind === 'ASSET' && (payload.asset === token || payload.asset === quote),
  )
  const reserved = (asset: string) =>
    holding
      .filter(({ payload }) => payload.asset === asset)
      .reduce((sum, { payload }) => sum + BigInt(payload.split?.reserved ?? '0'), 0n)
  const [tokens, quotes] = [reserved(token), reserved(quote)]
  const holds = tokens >= BigInt(total.token) && quotes >= BigInt(total.quote)
  return judged(
    holds,
    `The ledger has reserved ${tokens} of ${total.token} tokens and ${quotes} of ${total.quote} quote.`,
    { reservedToken: tokens, reservedQuote: quotes, token: total.token, quote: total.quote },
    [study?.record, ...holding.slice(0, 60)],
  )
}

async function reconciliationAgreed(
  records: TenantRecords,
  { maximumAgeDays = usualAgeDays }: Of<'RECONCILIATION_AGREED'>,
): Promise<Result> {
  const [latest] = await records.find<contract.TreasuryLedgerReconciliation>(
    'TreasuryReconciliation',
    { latestBy: snapshotTime, limit: 1 },
  )
  if (!latest) return open('Nothing was reconciled.')
  const { agreement } = latest.payload
  const age = Math.floor((records.now - computedAtOf(latest)) / dayMilliseconds)
  return judged(
    agreement === 'AGREED' && age < maximumAgeDays,
    `The latest reconciliation is ${agreement}, ${age} days old; at most ${maximumAgeDays} are allowed.`,
    { agreement, ageDays: age, maximumAgeDays },
    [latest],
  )
}

async function custodyCurrent(records: TenantRecords): Promise<Result> {
  const active = (await newestOf(records, 'TreasuryCustodyEvidence', {
    status: ['ACTIVE'],
  })) as VersionedRecord<contract.TreasuryCustodyEvidence>[]
  const alive = active.filter(
    ({ payload }) => Date.parse(payload.statement.expiresAt) > records.now,
  )
  const detail = `${alive.length} custody statements are alive.`
  return judged(alive.length > 0, detail, { alive: alive.length }, alive.slice(0, 16))
}

async function controlProven(records: TenantRecords, plan: Plan): Promise<Result> {
  const { token } = plan.payload.request
  const proofs = (await newestOf(records, 'ProjectControlProof', {
    status: ['ACTIVE'],
  })) as VersionedRecord<contract.ProjectControlProof>[]
  const own = proofs.filter(
    ({ payload }) =>
      `eip155:${payload.chainId}/erc20:${payload.token.toLowerCase()}` === token &&
      Date.parse(payload.validUntil) > records.now,
  )
  const detail = `${own.length} proofs of control over the token stand.`
  return judged(own.length > 0, detail, { proofs: own.length }, own.slice(0, 16))
}

async function stressWithinLimits(records: TenantRecords): Promise<Result> {
  const [newest] = (await newestOf(records, 'TreasuryStressStudy', {
    limit: 1,
  })) as VersionedRecord<contract.TreasuryStressStudy>[]
  if (!newest) return open('No stress test was computed.')
  const breaches = newest.payload.scenarios.flatMap((one) => one.breaches)
  const holds = newest.status === 'COMPLETED' && breaches.length === 0
  const detail = `The newest stress test is ${newest.status} and breaks ${breaches.length} limits.`
  return judged(holds, detail, { status: newest.status, breaches: breaches.length }, [newest])
}

async function runwayAtLeast(
  records: TenantRecords,
  { months }: Of<'RUNWAY_AT_LEAST'>,
): Promise<Result> {
  const [newest] = (await newestOf(records, 'TreasuryProjection', {
    limit: 1,
  })) as VersionedRecord<contract.TreasuryProjection>[]
  const first = newest?.payload.scenarios[0]
  if (!newest || !first) return open('No projection tells a runway.', {}, [newest])
  const { monthsX3 } = first.runway.cash.net
  return judged(
    monthsX3 >= months * 1000,
    `Cash of ${first.scenarioId} lasts ${monthsX3 / 1000} months; ${months} are asked for.`,
    { monthsX3, months },
    [newest],
  )
}

/** Whether a record is in a state; one of a kind that is not served yet is not there. */
async function inState(
  records: TenantRecords,
  resourceType: string,
  id: string,
  status: string,
): Promise<Result> {
  const ref = { resourceType, id, resourceVersion: `0x${'0'.repeat(64)}` as const }
  const found = (await currentById(records, [ref]))(ref)
  if (!found) return open(`There is no ${resourceType} ${id}.`)
  return judged(found.status === status, `It is ${found.status}.`, { status: found.status }, [
    found,
  ])
}

async function humanApproval(
  records: TenantRecords,
  plan: Plan,
  { packId }: Of<'HUMAN_APPROVAL'>,
): Promise<Result> {
  const asked = packId
    ? { ids: [packId] }
    : {
        status: ['COMPLETED'],
        where: sql`exists (select 1 from jsonb_array_elements(r.body::jsonb -> 'payload' -> 'evidence') as one
          where one #>> '{source,id}' = ${plan.id} and one #>> '{source,resourceVersion}' = ${plan.resourceVersion})
          and ${member('payload.outcome.decision')} = 'APPROVED'`,
      }
  const [found] = (await newestOf(records, 'DecisionPack', {
    ...{ ...asked, limit: 1 },
  })) as VersionedRecord<contract.DecisionPack>[]
  if (!found) {
    return open(packId ? `There is no pack ${packId}.` : 'No approved pack rests on this plan.')
  }
  const { outcome } = found.payload
  const isApproved = found.status === 'COMPLETED' && outcome?.decision === 'APPROVED'
  const isQuiet = found.payload.options.some(
    ({ optionId, statusQuo }) => statusQuo && optionId === outcome?.optionId,
  )
  // To approve that nothing is done is no approval of a launch.
  const detail = isQuiet
    ? 'The pack approves that nothing is done.'
    : `The pack is ${found.status}${outcome ? `, ${outcome.decision}` : ''}.`
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

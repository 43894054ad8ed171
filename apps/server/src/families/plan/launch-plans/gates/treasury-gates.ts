import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import {
  ageInDays,
  wholeProjection,
  wholeStress,
} from '../../../../market/treasury/active-records.ts'
import type { ProviderAccess } from '../../../../services.ts'
import type { TenantRecords } from '../../../../store/records/tenant-records.ts'
import { pathNow } from '../../../prove/project-control/api.ts'
import { newestOf } from '../../../sources.ts'
import { baseScenarioOf } from '../../treasury-assumptions/api.ts'
import { activeHoldings, liveReservations } from '../../treasury-entries/api.ts'
import {
  controlExpiredText,
  coverageOf,
  isControlLive,
  maxReconciliationDays,
  readBooksStatus,
  runwayAfter,
} from '../../treasury-projections/api.ts'
import { treasurySettingsOf } from '../../treasury-settings/api.ts'
import { type Gate, open, type Result, satisfiedIf } from './gate-result.ts'

type Plan = VersionedRecord<contract.LaunchPlan>
type Study = VersionedRecord<contract.CapitalRequirementStudy>
type Proof = VersionedRecord<contract.ProjectControlProof>
type Of<K extends Gate['kind']> = Extract<Gate, { kind: K }>

/** Maximum age of gate evidence, in days. */
const oldest = { stress: 30, projection: 31 } as const

/** The capital study of the plan, in its referenced version. */
async function studyOf(records: TenantRecords, plan: Plan): Promise<Study | null> {
  const { capitalRequirement: named } = plan.payload.request
  if (!named) return null
  const { id, resourceVersion } = named
  const kind = 'CapitalRequirementStudy'
  const found = await records.version<contract.CapitalRequirementStudy>(kind, id, resourceVersion)
  return found?.record ?? null
}

/** Active reservations for the study of the plan. */
async function reservationsFor(records: TenantRecords, study: Study | null) {
  const live = await liveReservations(records)
  return live.filter(({ payload }) => payload.capitalRequirement.id === study?.id)
}

export async function capitalReserved(records: TenantRecords, plan: Plan): Promise<Result> {
  const { token, quote, capitalRequirement } = plan.payload.request
  if (!capitalRequirement) return open('The plan has no capital study.')
  const study = await studyOf(records, plan)
  const total = study?.payload.total
  if (!study || !total) return open('The capital study has no amounts.', {}, [study])
  if (study.status !== 'COMPLETED') {
    return open(`The capital study is ${study.status}. Complete the missing parts.`, {}, [study])
  }
  const reservations = await reservationsFor(records, study)
  const reserved = (asset: string) =>
    reservations
      .filter(({ payload }) => payload.asset === asset)
      .reduce((sum, { payload }) => sum + BigInt(payload.quantity), 0n)
  const [tokens, quotes] = [reserved(token), reserved(quote)]
  return satisfiedIf(
    tokens >= BigInt(total.token) && quotes >= BigInt(total.quote),
    `Reservations for this study cover ${tokens} of ${total.token} tokens and ${quotes} of ${total.quote} quote.`,
    { reservedToken: tokens, reservedQuote: quotes, token: total.token, quote: total.quote },
    [study, ...reservations.slice(0, 60)],
  )
}

export async function reconciliationAgreed(
  records: TenantRecords,
  { maximumAgeDays = maxReconciliationDays }: Of<'RECONCILIATION_AGREED'>,
): Promise<Result> {
  const { isAgreed, detail, holdings, reconciliation, ageDays } = await readBooksStatus(
    records,
    maximumAgeDays,
  )
  if (!reconciliation) return open(detail, { holdings: holdings.length })
  const { agreement } = reconciliation.payload
  const read = { agreement, ageDays, maximumAgeDays, holdings: holdings.length }
  return satisfiedIf(isAgreed, detail, read, [reconciliation])
}

export async function custodyCurrent(records: TenantRecords, plan: Plan): Promise<Result> {
  const study = await studyOf(records, plan)
  const reservations = await reservationsFor(records, study)
  if (reservations.length === 0) return open('The plan has no reservations yet.', {}, [study])
  const reserved = new Set(reservations.map(({ payload }) => payload.source.id))
  const entries = (await activeHoldings(records)).filter(({ id }) => reserved.has(id))
  const { minimumCoveragePips } = (await treasurySettingsOf(records)).settings
  const { evidence, uncovered, coveredPips } = await coverageOf(records, entries)
  return satisfiedIf(
    uncovered.length === 0 && coveredPips >= minimumCoveragePips,
    uncovered.length > 0
      ? `${uncovered.length} of ${entries.length} reserved holdings have no live custody evidence: ${uncovered.join(', ')}.`
      : `All ${entries.length} reserved holdings have live custody evidence, for at least ${coveredPips / 10_000} % of their quantity; ${minimumCoveragePips / 10_000} % are required.`,
    { reserved: entries.length, uncovered: uncovered.length, coveredPips, minimumCoveragePips },
    [...entries.slice(0, 30), ...evidence.slice(0, 30)],
  )
}

/** Levels that prove present control. Having deployed a contract once is not enough. */
const present: readonly string[] = ['FULL', 'DELAYED']

export async function controlProven(
  records: TenantRecords,
  services: ProviderAccess,
  plan: Plan,
): Promise<Result> {
  const { token } = plan.payload.request
  const active = (await newestOf(records, 'ProjectControlProof', {
    status: ['ACTIVE'],
  })) as Proof[]
  const own = active.filter(
    ({ payload }) =>
      `eip155:${payload.chainId}/erc20:${payload.token.toLowerCase()}` === token &&
      Date.parse(payload.validUntil) > records.now,
  )
  const fit = own.filter(({ payload }) => present.includes(payload.strength))
  if (fit.length === 0) {
    const strengths = own.map(({ payload }) => payload.strength).join(', ')
    return open(
      `No proof shows present control of the token: ${present.join(' or ')} is required, ${strengths === '' ? 'none is active' : `there is ${strengths}`}.`,
      { proofs: own.length },
      own.slice(0, 16),
    )
  }
  // The newest proof decides. Its control path is read again, because control may have changed
  // since.
  const [newest] = fit as [Proof, ...Proof[]]
  const { detail: changed } = await pathNow(records, services, newest.payload)
  return satisfiedIf(
    changed === null,
    changed === null
      ? `A proof of ${newest.payload.strength} control is in force. Its path was read again now.`
      : `The path of the newest proof has changed: ${changed}.`,
    { proofs: fit.length, strength: newest.payload.strength },
    [newest],
  )
}

export async function stressWithinLimits(records: TenantRecords): Promise<Result> {
  const { requiredLimits } = (await treasurySettingsOf(records)).settings
  const study = await wholeStress(records, requiredLimits)
  if (!study) {
    const required = requiredLimits.map(({ metric, threshold }) => `${metric} at ${threshold}`)
    return open(
      `No stress study of all active entries has the required limits: ${required.length === 0 ? 'at least one' : required.join(', ')}.`,
    )
  }
  const { scenarios } = study.payload
  if (scenarios.some(({ controlled }) => controlled === undefined)) {
    const why = 'The newest stress study does not separate controlled holdings. Run it again.'
    return open(why, {}, [study])
  }
  if (!(await isControlLive(records, study.payload))) {
    return open(`The newest stress study cannot be used. ${controlExpiredText}`, {}, [study])
  }
  const breaches = scenarios.flatMap(({ controlled }) => controlled?.breaches ?? [])
  const age = ageInDays(study, records.now)
  return satisfiedIf(
    study.status === 'COMPLETED' && breaches.length === 0 && age <= oldest.stress,
    `The newest stress study of all active entries is ${study.status} and ${age} days old. Its proven and attested holdings alone breach ${breaches.length} limits. The age limit is ${oldest.stress} days.`,
    { status: study.status, breaches: breaches.length, ageDays: age },
    [study],
  )
}

export async function runwayAtLeast(
  records: TenantRecords,
  plan: Plan,
  { months, scenarioId }: Of<'RUNWAY_AT_LEAST'>,
): Promise<Result> {
  const { primaryAssumptions } = (await treasurySettingsOf(records)).settings
  const projection = await wholeProjection(records, primaryAssumptions, 'GATE')
  if (!projection) {
    return open(
      primaryAssumptions === null
        ? 'No projection covers all active entries without sales of the own token.'
        : 'No projection with the primary assumptions covers all active entries without sales of the own token.',
    )
  }
  if (!(await isControlLive(records, projection.payload))) {
    return open(`The newest projection cannot be used. ${controlExpiredText}`, {}, [projection])
  }
  const age = ageInDays(projection, records.now)
  const study = await studyOf(records, plan)
  const { capitalRequirement, quote } = plan.payload.request
  const total = study?.payload.total
  if (capitalRequirement && !total) {
    const why = 'The plan spend is unknown: its capital study has no amounts.'
    return open(why, {}, [projection, study])
  }
  const spent = total ? total.quote : '0'
  if (BigInt(spent) > 0n && projection.payload.quoteKey !== quote) {
    return open(
      `The projection is in ${projection.payload.quoteKey}, but the plan spends ${quote}.`,
      { spent },
      [projection, study],
    )
  }
  const requested =
    scenarioId ?? (await baseScenarioOf(records, projection.payload.request.assumptions))
  const after = runwayAfter(projection.payload, requested, BigInt(spent))
  if ('fault' in after) return open(after.fault, {}, [projection])
  const isYoung = age <= oldest.projection
  return satisfiedIf(
    isYoung && after.months >= months,
    `Net cash of proven and attested holdings less ${spent} lasts ${after.months} months in ${requested}; ${months} are required. The projection is ${age} days old; the limit is ${oldest.projection} days.`,
    { months: after.months, asked: months, scenario: requested, spent, ageDays: age },
    [projection, study],
  )
}

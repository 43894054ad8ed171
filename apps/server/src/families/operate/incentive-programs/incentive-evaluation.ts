import { Failure } from '../../../failure.ts'
import { ChainError } from '../../../integrations/chain/chain-error.ts'
import {
  type ChainProvider,
  chainProviders,
} from '../../../integrations/providers/chain-providers.ts'
import { sweepOverdue } from '../../../jobs/overdue.ts'
import { limits } from '../../../limits.ts'
import type { VenueRecord } from '../../../market/named-venue.ts'
import type { ProviderAccess, RecordSweeping, Services } from '../../../services.ts'
import type { Change } from '../../../store/records/change.ts'
import { headsStatement } from '../../../store/records/find.ts'
import type { Current, TenantRecords } from '../../../store/records/tenant-records.ts'
import { dayMilliseconds } from '../../../units.ts'
import {
  type FirstDistribution,
  firstDistribution,
  type PayingProgram,
  paidByDay,
} from './distributions.ts'
import { evaluateProgram } from './evaluate-program.ts'
import type { PaidByDay } from './paid-ledger.ts'
import type { Evaluation, ProgramPayload } from './read-program.ts'
import { programs } from './records.ts'

type Program = Current<ProgramPayload>

/** INCENTIVE_EVALUATE: evaluates every active program once a day. */
export function evaluateIncentives(
  services: RecordSweeping & ProviderAccess & Pick<Services, 'background'>,
): Promise<void> {
  return sweepOverdue(services, {
    overdue: (organizationId, now) => {
      return headsStatement(organizationId, 'IncentiveProgram', {
        status: ['VALIDATED', 'ACTIVE', 'COMPLETED'],
        createdFrom: now - limits.incentiveLongestMilliseconds,
        order: 'OLDEST',
        limit: limits.incentivePrograms,
      })
    },
    actor: 'incentive-evaluate',
    end: async (records, id) => {
      const current = await records.current<ProgramPayload>('IncentiveProgram', id)
      return current && (await follow(records, services, current))
    },
  })
}

async function follow(
  records: TenantRecords,
  services: ProviderAccess & Pick<Services, 'background'>,
  current: Program,
): Promise<Change | null> {
  const { status, payload } = current.record
  const start = Date.parse(payload.request.start)
  const end = start + payload.request.days * dayMilliseconds
  if (status === 'VALIDATED') return start > records.now ? null : begin(records, services, current)
  if (!isDue(records, current, status === 'COMPLETED' ? end : start)) return null
  if (status === 'COMPLETED' && records.now > end + limits.incentiveFollowedMilliseconds)
    return null
  const paid = await paidOf(records, services, payload)
  const evaluation = await evaluateProgram(records, services, payload, paid)
  // The observations of the last days may not be sealed yet.
  const isKnown =
    evaluation.state === 'COMPLETED' || records.now > end + limits.incentivePatienceMilliseconds
  // The last payment may arrive on the day after the end.
  if (status === 'ACTIVE' && records.now >= end + dayMilliseconds && isKnown) {
    return complete(records, current, evaluation)
  }
  return note(records, current, evaluation)
}

/** Once a day, counted from the start or the end. */
function isDue(records: TenantRecords, { lastEvent }: Program, from: number): boolean {
  const { occurredAt } = (lastEvent ?? {}) as { occurredAt?: string }
  const dayOf = (at: number) => Math.floor((at - from) / dayMilliseconds)
  return occurredAt === undefined || dayOf(records.now) > dayOf(Date.parse(occurredAt))
}

async function begin(
  records: TenantRecords,
  services: ProviderAccess,
  current: Program,
): Promise<Change | null> {
  const { payload, evidenceHashes } = current.record
  const deadline = firstReward(payload) + limits.incentivePatienceMilliseconds
  const found = await firstOf(records, services, payload, deadline)
  if (found === 'UNDECIDED') return null
  if (typeof found === 'object' && found !== null) {
    return programs.next(records, current, {
      status: 'ACTIVE',
      payload: { ...payload, firstDistribution: found },
      reason: 'The first distribution was observed on chain',
      evidenceHashes,
      event: 'incentive.observed',
      eventPayload: { distribution: found },
    }).change
  }
  return programs.next(records, current, {
    status: 'EXPIRED',
    payload,
    reason:
      found === 'UNREADABLE'
        ? 'Distributions could not be read until seven days after the end'
        : 'No distribution occurred within seven days of the planned start',
    evidenceHashes,
    event: 'incentive.expired',
  }).change
}

/**
 * The first distribution up to the deadline. An unavailable chain is retried for as long as a
 * result.
 */
async function firstOf(
  records: TenantRecords,
  services: ProviderAccess,
  payload: ProgramPayload,
  deadline: number,
): Promise<FirstDistribution | 'UNDECIDED' | 'UNREADABLE' | null> {
  const { start, days } = payload.request
  const isLate =
    records.now > Date.parse(start) + days * dayMilliseconds + limits.incentivePatienceMilliseconds
  try {
    const [providers, program] = await payingProgram(records, services, payload)
    const found = await firstDistribution(providers, program, Math.floor(deadline / 1000))
    return found === 'UNDECIDED' && isLate ? 'UNREADABLE' : found
  } catch (error) {
    if (isUnreadable(error) && isLate) return 'UNREADABLE'
    throw error
  }
}

async function payingProgram(
  records: TenantRecords,
  services: ProviderAccess,
  { request }: ProgramPayload,
): Promise<[readonly [ChainProvider, ...ChainProvider[]], PayingProgram]> {
  const profiles = await Promise.all(
    request.venues.map(async ({ venue: { id, resourceVersion } }) => {
      const current = await records.current<VenueRecord['payload']>('VenueProfile', id)
      const named = await records.version<VenueRecord['payload']>(
        ...(['VenueProfile', id, resourceVersion] as const),
      )
      if (!current || !named) throw new Error(`${id} of a program is not stored.`)
      return [current.record.payload, named.record.payload] as const
    }),
  )
  const owned = profiles.flat().flatMap(({ ownedPositions }) => ownedPositions ?? [])
  // A program has at least one venue.
  const { providerId, logChunkBlocks } = profiles[0]![0].read
  return [
    await chainProviders(records, services, providerId, request.pair.chainId),
    { request, ownAccounts: owned.map(({ owner }) => owner), logChunkBlocks },
  ]
}

/** True if the chain was unreadable or no provider is left. */
const isUnreadable = (error: unknown) =>
  error instanceof ChainError ||
  (error instanceof Failure && error.code === 'LIQUIDITY_PROVIDER_UNKNOWN')

/** Null if the chain is unavailable: payments are then unknown, so no conclusion is possible. */
async function paidOf(
  records: TenantRecords,
  services: ProviderAccess,
  payload: ProgramPayload,
): Promise<PaidByDay | null> {
  try {
    return await paidByDay(...(await payingProgram(records, services, payload)))
  } catch (error) {
    if (isUnreadable(error)) return null
    throw error
  }
}

/**
 * Planned time of the first reward: the program start, or later for a switchback that begins with
 * unpaid weeks.
 */
function firstReward({ request, result }: ProgramPayload): number {
  const weeks = result.allocation.map(({ weeksOn }) => Math.max(0, weeksOn?.indexOf(true) ?? 0))
  return Date.parse(request.start) + Math.min(...weeks) * 7 * dayMilliseconds
}

function complete(records: TenantRecords, current: Program, evaluation: Evaluation): Change {
  const { payload, evidenceHashes } = current.record
  return programs.next(records, current, {
    status: 'COMPLETED',
    payload,
    reason: 'The program has ended',
    evidenceHashes,
    event: 'incentive.completed',
    eventPayload: { evaluation },
  }).change
}

interface EvaluationEvent {
  evaluation?: Evaluation
  recommendation?: string
}

/** An event of the same version; a revocation requires a different event. */
function note(records: TenantRecords, current: Program, evaluation: Evaluation): Change {
  const change = records.note(current, 'incentive.evaluated', { evaluation })
  const before = (current.lastEvent as { payload?: EvaluationEvent } | null)?.payload
  const wasAlerted = (before?.evaluation?.recommendation ?? before?.recommendation) === 'REVOKE'
  const isFirstAlert = evaluation.recommendation === 'REVOKE' && !wasAlerted
  const last = change.events.at(-1)?.event
  if (!isFirstAlert || !last) return change
  const alert = records.note({ ...current, lastEvent: last }, 'incentive.alerted', {
    recommendation: 'REVOKE',
    daysUnderForecast: evaluation.daysUnderForecast,
  })
  return { ...change, events: [...change.events, ...alert.events] }
}

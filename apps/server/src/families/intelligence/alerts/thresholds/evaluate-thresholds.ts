import type { contract } from '@liquidity-os/contract'
import { limits } from '../../../../limits.ts'
import { type VenueRecord, venuesToEvaluate } from '../../../../market/named-venue.ts'
import type { ObservedTime } from '../../../../market/observed-time.ts'
import { pairKey } from '../../../../market/pair.ts'
import type { ScheduleReading } from '../../../../services.ts'
import { sql, values } from '../../../../store/database/sql.ts'
import { type Change, emptyChange } from '../../../../store/records/change.ts'
import { member } from '../../../../store/records/find.ts'
import type { TenantRecords } from '../../../../store/records/tenant-records.ts'
import { daySeconds, minuteSeconds } from '../../../../units.ts'
import type { Evaluated, RuleRecord } from './evaluated.ts'
import { endThreshold } from './firings.ts'
import { marketRuns } from './market-runs.ts'
import { readMarket, readTimes } from './read-market.ts'
import { activeScoresStatement, type ScoreRecord, scoreRuns } from './score-runs.ts'
import { followThreshold, initialState, type Run, type ThresholdState } from './state-machine.ts'
import { parseState } from './stored-states.ts'
import {
  defaultBandPips,
  marketMetricOf,
  stepSecondsOf,
  termsOf,
  windowOf,
} from './threshold-terms.ts'
import { transitionsOf } from './transitions.ts'
import { selectVenues } from './validate-threshold.ts'

/** Rules to evaluate: of a venue, of a new score, or all. */
export type ThresholdScope =
  | { readonly kind: 'ALL' }
  | { readonly kind: 'VENUE'; readonly venueId: string }
  | { readonly kind: 'SCORE'; readonly score: ScoreRecord }

/** An active rule with a threshold, and its state. */
interface Subject {
  readonly rule: RuleRecord
  readonly threshold: contract.AlertThreshold
  readonly before: ThresholdState | null
  readonly venues: readonly VenueRecord[]
}

/**
 * Evaluates thresholds on stored data after their last sample. An evaluation that was not committed
 * is repeated with equal results. The scope ALL also ends the firings of thresholds without venues;
 * the alert sweep publishes their resolution.
 *
 * @returns states, firings, notices and messages as one change; null without new samples
 */
export async function evaluateThresholds(
  records: TenantRecords,
  services: ScheduleReading,
  scope: ThresholdScope,
): Promise<Change | null> {
  const found = await subjectsOf(records)
  const subjects = found.filter((subject) => isIn(scope, subject))
  const withoutVenues = scope.kind === 'ALL' ? found.filter(lostLastVenue) : []
  const ended = withoutVenues.flatMap(({ rule }) =>
    endThreshold(records.organizationId, rule.id, records.now),
  )
  const change = await changeOf(records, services, subjects, scope)
  if (ended.length === 0) return change
  const { organizationId, now } = records
  const { statements, ...rest } = change ?? emptyChange(organizationId, now)
  return { ...rest, statements: [...statements, ...ended] }
}

/** True if the last venue of a threshold with a state is no longer VALIDATED. */
const lostLastVenue = ({ before, venues }: Subject): boolean =>
  before !== null && venues.length === 0

async function changeOf(
  records: TenantRecords,
  services: ScheduleReading,
  subjects: readonly Subject[],
  scope: ThresholdScope,
): Promise<Change | null> {
  if (subjects.length === 0) return null
  const isScore = ({ threshold }: Subject) => threshold.metric === 'SCORE_PIPS'
  const evaluated = [
    ...(await evaluateScores(records, subjects.filter(isScore), scope)),
    ...(await evaluateMarkets(
      records,
      subjects.filter((subject) => !isScore(subject)),
    )),
  ]
  if (evaluated.length === 0) return null
  return transitionsOf(records, services, evaluated)
}

/** True if an organization has a rule that reads a venue. */
export async function hasThreshold(records: TenantRecords, venueId: string): Promise<boolean> {
  const subjects = await subjectsOf(records)
  return subjects.some((subject) => isIn({ kind: 'VENUE', venueId }, subject))
}

async function subjectsOf(records: TenantRecords): Promise<Subject[]> {
  const rules = await records.find<contract.AlertRule>('AlertRule', {
    status: ['ACTIVE'],
    where: sql`${member('payload.threshold')} is not null`,
  })
  if (rules.length === 0) return []
  const [venues, [rows = []]] = await Promise.all([
    venuesToEvaluate(records),
    records.query([
      sql`select * from alert_thresholds where organization_id = ${records.organizationId}
        and rule_id in ${values(rules.map(({ id }) => id))}`,
    ]),
  ])
  const states = new Map(rows.map(parseState))
  return rules.flatMap((rule) => {
    const { threshold } = rule.payload
    if (!threshold) return []
    const before = states.get(rule.id) ?? null
    return [{ rule, threshold, before, venues: selectVenues(venues, threshold) }]
  })
}

function isIn(scope: ThresholdScope, { threshold, venues }: Subject): boolean {
  const [first] = venues
  if (!first) return false
  if (scope.kind === 'ALL') return true
  if (scope.kind === 'SCORE') {
    const { pair } = scope.score.payload.request
    return threshold.metric === 'SCORE_PIPS' && pairKey(pair) === pairKey(first.payload.pair)
  }
  return threshold.metric !== 'SCORE_PIPS' && venues.some(({ id }) => id === scope.venueId)
}

async function evaluateScores(
  records: TenantRecords,
  subjects: readonly Subject[],
  scope: ThresholdScope,
): Promise<Evaluated[]> {
  if (subjects.length === 0) return []
  const stored =
    scope.kind === 'SCORE'
      ? []
      : records.opened<ScoreRecord['payload']>(
          (await records.query([activeScoresStatement(records.organizationId)]))[0] ?? [],
        )
  const scores = scope.kind === 'SCORE' ? [scope.score] : stored
  const byPair = new Map(scores.map((score) => [pairKey(score.payload.request.pair), score]))
  const now = Math.floor(records.now / 1000)
  return subjects.flatMap((subject) => {
    const score = byPair.get(pairKey(subject.venues[0]!.payload.pair)) ?? null
    const before = subject.before ?? initialState(now - 1)
    return evaluatedOf(subject, before, scoreRuns(before, score, now), score)
  })
}

async function evaluateMarkets(
  records: TenantRecords,
  subjects: readonly Subject[],
): Promise<Evaluated[]> {
  if (subjects.length === 0) return []
  const now = Math.floor(records.now / 1000)
  const oldest = Math.min(
    ...subjects.map(({ before, threshold }) => (before?.at ?? now) - windowOf(threshold)),
  )
  const venueIds = [...new Set(subjects.flatMap(({ venues }) => venues.map(({ id }) => id)))]
  const times = await readTimes(records, venueIds, oldest - daySeconds)
  const markets = Map.groupBy(
    subjects,
    ({ threshold, venues }) =>
      `${stepSecondsOf(threshold)} ${venues.map(({ id }) => id).join(' ')}`,
  )
  const evaluated: Evaluated[] = []
  for (const group of markets.values())
    evaluated.push(...(await evaluateMarket(records, group, times)))
  return evaluated
}

/** Rules that read the same venues with the same step. */
async function evaluateMarket(
  records: TenantRecords,
  subjects: readonly Subject[],
  times: ReadonlyMap<string, ObservedTime>,
): Promise<Evaluated[]> {
  const [{ threshold, venues }] = subjects as [Subject, ...Subject[]]
  const stepSeconds = stepSecondsOf(threshold)
  // Points of a coarser step are stored for longer.
  const catchUp = limits.thresholdCatchUpSeconds * (stepSeconds / minuteSeconds)
  const startOf = ({ before }: Subject, until: number) =>
    Math.max(before?.at ?? until - stepSeconds, until - catchUp)
  const bands = [...new Set(subjects.map((one) => one.threshold.bandPips ?? defaultBandPips))]
  const read = await readMarket(records, times, {
    venueIds: venues.map(({ id }) => id),
    stepSeconds,
    bands,
    from: (until) => {
      // Most sweeps find no new observation.
      if (subjects.every(({ before }) => before !== null && before.at >= until)) return null
      const starts = subjects.map((one) => startOf(one, until) - windowOf(one.threshold))
      const first = Math.min(...starts)
      return first - (first % stepSeconds)
    },
  })
  if (read === null) return []
  const { series, until } = read
  return subjects.flatMap((subject) => {
    const metric = marketMetricOf(subject.threshold, bands)
    if (metric === null) throw new Error('A market threshold has a market metric.')
    const from = startOf(subject, until)
    const before = subject.before ?? initialState(from)
    if (before.at >= until) return []
    const first = before.at + stepSeconds
    const missed: Run[] = first <= from ? [{ from: first, to: from, value: null }] : []
    return evaluatedOf(
      subject,
      before,
      [...missed, ...marketRuns(series, metric, { from, to: until })],
      null,
    )
  })
}

function evaluatedOf(
  { rule, threshold, before: stored, venues }: Subject,
  before: ThresholdState,
  runs: readonly Run[],
  score: ScoreRecord | null,
): Evaluated[] {
  if (runs.length === 0) return []
  const followed = followThreshold(before, runs, termsOf(threshold, rule.payload.forSeconds))
  return [{ rule, threshold, venues, score, before: stored, ...followed }]
}

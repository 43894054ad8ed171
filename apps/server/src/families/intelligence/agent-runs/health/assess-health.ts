import type { contract } from '@liquidity-os/contract'
import type { Static } from 'typebox'
import { eventsNotRead } from '../../../../market/observed-spans.ts'
import type { ScorePayload } from '../../scores/api.ts'
import { type CitedFigure, citedIn, worstFirst, worstOf } from '../assessed/cited-figures.ts'
import { type Material, type Sealed, sealedOf } from '../assessed/documents.ts'
import type { AssessmentOf } from '../assessed/report-kind.ts'
import { currentEdition, type Edition, reportTexts } from '../edition.ts'
import { type HealthRules, healthRequestOf, sweptTo } from './material.ts'

type Report = contract.HealthReport
type Area = Report['areas'][number]
type Finding = Area['findings'][number]
type Figure = CitedFigure
type Venue = Static<typeof contract.VenueProfile>
type Observation = Static<typeof contract.VenueObservation>
type Anomaly = Static<typeof contract.LiquidityAnomaly>

/** The report without its sentences. */
export type Assessment = AssessmentOf<Report>

const verdicts = ['SOUND', 'ATTENTION', 'CRITICAL'] as const

/** Assesses a market or a vault. Pure: equal captures give equal assessments. */
export function assessHealth(material: Material, edition: Edition = currentEdition): Assessment {
  const { subject, question, asOf, rules } = healthRequestOf(material)
  const at = Date.parse(asOf) / 1000
  const when = { at, rules }
  const [vault] = sealedOf<contract.QualifiedVault>(material, 'QualifiedVault')
  const [score] = sealedOf<ScorePayload>(material, 'MarketQualityScore')
  const venues = venuesOf(material, when)
  const areas = [
    quality(score, at),
    venues.area,
    incidents(material, venues.areSwept),
    ...(vault ? [control(vault, when), policy(material, vault, when)] : []),
  ]
  const unknown = areas.filter(({ verdict }) => verdict === null).map(({ area }) => area)
  const isAbstained = unknown.includes('QUALITY') && unknown.includes('VENUES')
  const reasons = [
    ...unknown.map((area) => `${area}_UNKNOWN`),
    ...(venues.isStale ? ['VENUES_STALE'] : []),
    ...(venues.isPartial ? ['VENUES_PARTIAL'] : []),
    ...(venues.areSwept || unknown.includes('INCIDENTS') ? [] : ['INCIDENTS_PARTIAL']),
    ...material.gaps.flatMap(({ code }) => (code.endsWith('_CUT') ? [code] : [])),
  ]
  return {
    reportVersion: 'health-report-v1',
    state: isAbstained ? 'ABSTAINED' : reasons.length > 0 ? 'PARTIAL' : 'COMPLETED',
    reasons,
    question,
    subject,
    asOf,
    pair: 'pair' in subject ? subject.pair : (vault?.record.payload.pair ?? null),
    captureHash: material.captureHash as Report['captureHash'],
    verdict: isAbstained ? null : worst(areas.flatMap(({ verdict }) => verdict ?? [])),
    areas,
    gaps: [
      ...material.gaps,
      ...(score && isOverdue(score, at)
        ? [{ code: 'SCORE_OVERDUE', detail: reportTexts[edition].overdueScore }]
        : []),
    ].slice(0, 64),
    limitations: [...reportTexts[edition].health],
  }
}

function worst(some: readonly contract.HealthVerdict[]): contract.HealthVerdict {
  return verdicts[Math.max(0, ...some.map((one) => verdicts.indexOf(one)))] ?? 'SOUND'
}

/** The verdict of an area follows from its findings, sorted worst first. */
const assessArea = (
  area: contract.HealthArea,
  figures: readonly Figure[],
  findings: readonly Finding[],
): Area => ({
  area,
  verdict: worstOf(
    verdicts,
    findings.map(({ severity }) => severity),
  ),
  figures: [...figures],
  findings: worstFirst(findings),
})

const unknownArea = (area: contract.HealthArea, figures: readonly Figure[] = []): Area => ({
  area,
  verdict: null,
  figures: [...figures],
  findings: [],
})

const cited = ({ evidenceId, record }: Sealed<unknown>, name: string, pointer: string): Figure =>
  citedIn(evidenceId, record, name, pointer)

const isOverdue = ({ record }: Sealed<ScorePayload>, at: number) =>
  Date.parse(record.payload.validUntil) / 1000 <= at

function quality(score: Sealed<ScorePayload> | undefined, at: number): Area {
  if (!score) return unknownArea('QUALITY')
  const { grade, caps } = score.record.payload
  const figures = [
    cited(score, 'grade', '/payload/grade'),
    cited(score, 'scorePips', '/payload/scorePips'),
    cited(score, 'confidencePips', '/payload/confidencePips'),
    cited(score, 'validUntil', '/payload/validUntil'),
  ]
  if (isOverdue(score, at) || grade === null) return unknownArea('QUALITY', figures)
  const graded = { C: 'ATTENTION', D: 'CRITICAL', E: 'CRITICAL' } as const
  const findings: Finding[] = [
    ...(grade === 'A' || grade === 'B'
      ? []
      : [
          {
            code: `GRADE_${grade}` as const,
            severity: graded[grade],
            figures: figures.slice(0, 2),
          },
        ]),
    ...caps.map((_, index) => ({
      code: 'SCORE_CAPPED' as const,
      severity: 'ATTENTION' as const,
      figures: [cited(score, 'cap', `/payload/caps/${index}`)],
    })),
  ]
  return assessArea('QUALITY', figures, findings)
}

interface When {
  /** Unix seconds. */
  readonly at: number
  readonly rules: HealthRules
}

const readAt = ({ record }: Sealed<Observation>) =>
  Date.parse(record.payload.range.to.timestamp) / 1000

const readsEvents = ({ record }: Sealed<Observation>) =>
  record.payload.gaps[0]?.code !== eventsNotRead

function venuesOf(material: Material, when: When) {
  const venues = sealedOf<Venue>(material, 'VenueProfile')
  const observations = sealedOf<Observation>(material, 'VenueObservation')
  const swept = sweptTo(material)
  const read = venues.flatMap((venue) => {
    const own = observations.filter(({ record }) => record.payload.venue.id === venue.record.id)
    const [found] = own.toSorted((a, b) => readAt(b) - readAt(a))
    if (!found) return []
    const { after, critical } = staleSeconds(venue, when)
    const age = when.at - readAt(found)
    const events = own.find(readsEvents)
    const looked = Math.min(events ? readAt(events) : 0, swept?.[venue.record.id] ?? 0)
    return [
      {
        venue,
        found,
        events,
        isStale: age > after,
        isLong: age > critical,
        isSwept: when.at - looked <= after,
      },
    ]
  })
  const figures = read.flatMap(({ venue, found }) => [
    cited(venue, 'venue', '/payload/name'),
    cited(found, 'lastReadAt', '/payload/range/to/timestamp'),
    cited(found, 'lastBlock', '/payload/range/to/number'),
    cited(found, 'tvlQuote', '/payload/metrics/tvlQuote'),
  ])
  return {
    area:
      read.length === 0
        ? unknownArea('VENUES')
        : assessArea('VENUES', figures, read.flatMap(foundOf)),
    areSwept:
      read.length > 0 && read.length === venues.length && read.every(({ isSwept }) => isSwept),
    isStale: read.some(({ isStale }) => isStale),
    // Venues without any observation are gaps: part of the market is unknown.
    isPartial: read.length > 0 && read.length < venues.length,
  }
}

function foundOf({
  venue,
  found,
  events,
  isStale,
  isLong,
}: {
  readonly venue: Sealed<Venue>
  readonly found: Sealed<Observation>
  readonly events: Sealed<Observation> | undefined
  readonly isStale: boolean
  readonly isLong: boolean
}): Finding[] {
  const name = cited(venue, 'venue', '/payload/name')
  const stale = { code: 'VENUE_STALE', severity: isLong ? 'CRITICAL' : 'ATTENTION' } as const
  const unproved = { code: 'HISTORY_UNPROVED', severity: 'ATTENTION' } as const
  const partial = { code: 'OBSERVATION_PARTIAL', severity: 'INFO' } as const
  const lastReadAt = cited(found, 'lastReadAt', '/payload/range/to/timestamp')
  return [
    ...(isStale ? [{ ...stale, figures: [name, lastReadAt] }] : []),
    ...(events && !events.record.payload.continuity.proved
      ? [{ ...unproved, figures: [name, cited(events, 'proved', '/payload/continuity/proved')] }]
      : []),
    ...(events?.record.status === 'PARTIAL'
      ? [{ ...partial, figures: [name, cited(events, 'status', '/status')] }]
      : []),
  ]
}

function staleSeconds({ record }: Sealed<Venue>, { rules }: When) {
  const { staleIntervals, staleLeastSeconds, staleEscalation } = rules
  const after = Math.max(staleLeastSeconds, staleIntervals * record.payload.read.cadenceSeconds)
  return { after, critical: staleEscalation * after }
}

/**
 * Open anomalies. Without a recent sweep of all venues, the absence of a worse anomaly proves no
 * health.
 */
function incidents(material: Material, areSwept: boolean): Area {
  const open = sealedOf<Anomaly>(material, 'LiquidityAnomaly')
  const severityOf = { INFO: 'INFO', WARNING: 'ATTENTION', CRITICAL: 'CRITICAL' } as const
  const findings = open.flatMap((anomaly): Finding[] => {
    const { severity } = anomaly.record.payload
    if (severity === null) return []
    const figures = [
      cited(anomaly, 'kind', '/payload/kind'),
      cited(anomaly, 'openedAt', '/payload/openedAt'),
    ]
    return [{ code: `ANOMALY_${severity}`, severity: severityOf[severity], figures }]
  })
  const area = assessArea('INCIDENTS', [], findings)
  return areSwept || area.verdict !== 'SOUND' ? area : { ...area, verdict: null }
}

function control(vault: Sealed<contract.QualifiedVault>, { at, rules }: When): Area {
  const { status, payload } = vault.record
  const figures = [
    cited(vault, 'status', '/status'),
    cited(vault, 'qualification', '/payload/qualification'),
    cited(vault, 'threshold', '/payload/control/threshold'),
    cited(vault, 'controlEpoch', '/payload/controlEpoch'),
    cited(vault, 'snapshotAt', '/payload/snapshot/timestamp'),
    cited(vault, 'snapshotBlock', '/payload/snapshot/number'),
  ]
  const age = at - Date.parse(payload.snapshot.timestamp) / 1000
  const finding = (
    holds: boolean,
    code: Finding['code'],
    severity: Finding['severity'],
    names: readonly string[],
  ): Finding[] =>
    holds ? [{ code, severity, figures: figures.filter(({ name }) => names.includes(name)) }] : []
  return assessArea('CONTROL', figures, [
    ...finding(status === 'RETIRED', 'VAULT_RETIRED', 'CRITICAL', ['status']),
    ...finding(status === 'PAUSED', 'VAULT_PAUSED', 'ATTENTION', ['status']),
    ...finding(payload.qualification === 'UNQUALIFIED', 'VAULT_UNQUALIFIED', 'CRITICAL', [
      'qualification',
    ]),
    ...finding(age > rules.snapshotSeconds, 'SNAPSHOT_STALE', 'ATTENTION', ['snapshotAt']),
    // An earlier finding covers the age of the snapshot.
    ...payload.checks.flatMap(({ code, ok }, index): Finding[] =>
      ok || code === 'FRESH'
        ? []
        : [
            {
              code: 'CHECK_FAILED' as const,
              severity: 'ATTENTION' as const,
              figures: [
                cited(vault, 'check', `/payload/checks/${index}/code`),
                cited(vault, 'observed', `/payload/checks/${index}/observed`),
              ],
            },
          ],
    ),
  ])
}

function policy(
  material: Material,
  vault: Sealed<contract.QualifiedVault>,
  { at, rules }: When,
): Area {
  const [active] = sealedOf<contract.AutonomyPolicy>(material, 'AutonomyPolicy')
  if (!active) return unknownArea('POLICY')
  const epoch = cited(active, 'controlEpoch', '/payload/controlEpoch')
  const expiresAt = cited(active, 'expiresAt', '/payload/expiresAt')
  const figures = [cited(active, 'level', '/payload/level'), epoch, expiresAt]
  const { payload } = active.record
  const remaining = Date.parse(payload.expiresAt) / 1000 - at
  if (remaining <= 0) return unknownArea('POLICY', figures)
  const isOther = payload.controlEpoch !== vault.record.payload.controlEpoch
  const other = { code: 'POLICY_OF_OTHER_EPOCH', severity: 'CRITICAL' } as const
  const endsSoon = { code: 'POLICY_ENDS_SOON', severity: 'ATTENTION' } as const
  return assessArea('POLICY', figures, [
    ...(isOther
      ? [{ ...other, figures: [epoch, cited(vault, 'controlEpoch', '/payload/controlEpoch')] }]
      : []),
    ...(remaining <= rules.policyNoticeSeconds ? [{ ...endsSoon, figures: [expiresAt] }] : []),
  ])
}

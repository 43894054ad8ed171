import type { contract } from '@liquidity-os/contract'
import type { Static } from 'typebox'
import { staleSeconds } from '../../../../market/stale-venue.ts'
import { daySeconds } from '../../../../units.ts'
import { valueAt } from '../../../json-pointer.ts'
import type { ScorePayload } from '../../scores/face.ts'
import { askedOf, type HealthMaterial, type Sealed, sealedOf } from './material.ts'

type Report = contract.HealthReport
type Area = Report['areas'][number]
type Finding = Area['findings'][number]
type Figure = Area['figures'][number]
type Venue = Static<typeof contract.VenueProfile>
type Observation = Static<typeof contract.VenueObservation>
type Anomaly = Static<typeof contract.LiquidityAnomaly>

/** The report without its sentences. */
export type Assessment = Omit<Report, 'narrative'>

const severities = { INFO: 0, ATTENTION: 1, CRITICAL: 2 } as const
const verdicts = ['SOUND', 'ATTENTION', 'CRITICAL'] as const
/** A policy that ends within so many days is told. */
const policyNoticeDays = 7
/** A snapshot of a vault counts for an hour, as its own qualification says. */
const snapshotSeconds = 3600

/** Judges a market or a vault. Pure: the same capture gives the same assessment, whoever makes it. */
export function assessHealth(material: HealthMaterial): Assessment {
  const { subject, question, asOf } = askedOf(material)
  const at = Date.parse(asOf) / 1000
  const [vault] = sealedOf<contract.QualifiedVault>(material, 'QualifiedVault')
  const [score] = sealedOf<ScorePayload>(material, 'MarketQualityScore')
  const venues = venuesOf(material, at)
  const areas = [
    quality(score, at),
    venues.area,
    incidents(material, venues.areRead),
    ...(vault ? [control(vault, at), policy(material, at)] : []),
  ]
  const unknown = areas.filter(({ verdict }) => verdict === null).map(({ area }) => area)
  const isAbstained = unknown.includes('QUALITY') && unknown.includes('VENUES')
  const reasons = [
    ...unknown.map((area) => `${area}_UNKNOWN`),
    ...(venues.isStale ? ['VENUES_STALE'] : []),
    ...(venues.isPartial ? ['VENUES_PARTIAL'] : []),
  ]
  return {
    reportVersion: 'health-report-v1',
    state: isAbstained ? 'ABSTAINED' : reasons.length > 0 ? 'PARTIAL' : 'COMPLETED',
    ...{ reasons, question, subject, asOf },
    pair: 'pair' in subject ? subject.pair : (vault?.record.payload.pair ?? null),
    captureHash: material.captureHash as Report['captureHash'],
    verdict: isAbstained ? null : worst(areas.flatMap(({ verdict }) => verdict ?? [])),
    areas,
    gaps: [
      ...material.gaps,
      ...(score && isOverdue(score, at)
        ? [{ code: 'SCORE_OVERDUE', detail: 'The active score counts no more.' }]
        : []),
    ].slice(0, 64),
    limitations: [
      'It judges the newest records of this organization; what no record holds is not looked at.',
      'Incidents are those that detectors found in what was observed.',
      'It recommends nothing.',
    ],
  }
}

function worst(some: readonly contract.HealthVerdict[]): contract.HealthVerdict {
  return verdicts[Math.max(0, ...some.map((one) => verdicts.indexOf(one)))] ?? 'SOUND'
}

/** The verdict of an area follows from its findings. */
const judged = (
  area: contract.HealthArea,
  figures: readonly Figure[],
  findings: readonly Finding[],
): Area => ({
  area,
  verdict: verdicts[Math.max(0, ...findings.map(({ severity }) => severities[severity]))] ?? null,
  ...{ figures: figures.slice(0, 64), findings: findings.slice(0, 64) },
})

const unknownArea = (area: contract.HealthArea, figures: readonly Figure[] = []): Area => ({
  ...{ area, verdict: null, figures: [...figures], findings: [] },
})

/** A figure as it stands in a sealed record. */
function cited({ evidenceId, record }: Sealed<unknown>, name: string, pointer: string): Figure {
  return { name, value: `${valueAt(record, pointer) ?? ''}`.slice(0, 200), evidenceId, pointer }
}

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
    ...caps.map((_, place) => ({
      ...({ code: 'SCORE_CAPPED', severity: 'ATTENTION' } as const),
      figures: [cited(score, 'cap', `/payload/caps/${place}`)],
    })),
  ]
  return judged('QUALITY', figures, findings)
}

function venuesOf(material: HealthMaterial, at: number) {
  const venues = sealedOf<Venue>(material, 'VenueProfile')
  const observations = sealedOf<Observation>(material, 'VenueObservation')
  const read = venues.flatMap((venue) => {
    const found = observations.find(({ record }) => record.payload.venue.id === venue.record.id)
    return found ? [{ venue, found, ...staleness(venue, found, at) }] : []
  })
  const figures = read.flatMap(({ venue, found }) => [
    cited(venue, 'venue', '/payload/name'),
    cited(found, 'lastReadAt', '/payload/range/to/timestamp'),
    cited(found, 'lastBlock', '/payload/range/to/number'),
    cited(found, 'tvlQuote', '/payload/metrics/tvlQuote'),
  ])
  const findings = read.flatMap(({ venue, found, isStale, isLong }): Finding[] => {
    const name = cited(venue, 'venue', '/payload/name')
    const stale = { code: 'VENUE_STALE', severity: isLong ? 'CRITICAL' : 'ATTENTION' } as const
    const { continuity } = found.record.payload
    return [
      ...(isStale
        ? [{ ...stale, figures: [name, cited(found, 'lastReadAt', '/payload/range/to/timestamp')] }]
        : []),
      ...(continuity.proved
        ? []
        : [
            {
              ...({ code: 'HISTORY_UNPROVED', severity: 'ATTENTION' } as const),
              figures: [name, cited(found, 'proved', '/payload/continuity/proved')],
            },
          ]),
      ...(found.record.status === 'PARTIAL'
        ? [
            {
              ...({ code: 'OBSERVATION_PARTIAL', severity: 'INFO' } as const),
              figures: [name, cited(found, 'status', '/status')],
            },
          ]
        : []),
    ]
  })
  return {
    area: read.length === 0 ? unknownArea('VENUES') : judged('VENUES', figures, findings),
    areRead: read.some(({ isStale }) => !isStale),
    isStale: read.some(({ isStale }) => isStale),
    // Venues that were never read are gaps, and not all of the market was looked at.
    isPartial: read.length > 0 && read.length < venues.length,
  }
}

function staleness(venue: Sealed<Venue>, observation: Sealed<Observation>, at: number) {
  const age = at - Date.parse(observation.record.payload.range.to.timestamp) / 1000
  const stale = staleSeconds(venue.record.payload.read.cadenceSeconds)
  return { isStale: age > stale.after, isLong: age > stale.critical }
}

/** What detectors hold open. Where nothing is read lately, that nothing is open says nothing. */
function incidents(material: HealthMaterial, areRead: boolean): Area {
  const open = sealedOf<Anomaly>(material, 'LiquidityAnomaly')
  if (open.length === 0 && !areRead) return unknownArea('INCIDENTS')
  const severityOf = { INFO: 'INFO', WARNING: 'ATTENTION', CRITICAL: 'CRITICAL' } as const
  const findings = open.flatMap((anomaly): Finding[] => {
    const { severity } = anomaly.record.payload
    if (severity === null) return []
    return [
      {
        code: `ANOMALY_${severity}`,
        severity: severityOf[severity],
        figures: [
          cited(anomaly, 'kind', '/payload/kind'),
          cited(anomaly, 'openedAt', '/payload/openedAt'),
        ],
      },
    ]
  })
  return judged('INCIDENTS', [], findings)
}

function control(vault: Sealed<contract.QualifiedVault>, at: number): Area {
  const { checks, qualification, snapshot } = vault.record.payload
  const figures = [
    cited(vault, 'qualification', '/payload/qualification'),
    cited(vault, 'threshold', '/payload/control/threshold'),
    cited(vault, 'controlEpoch', '/payload/controlEpoch'),
    cited(vault, 'snapshotAt', '/payload/snapshot/timestamp'),
    cited(vault, 'snapshotBlock', '/payload/snapshot/number'),
  ]
  const isStale = at - Date.parse(snapshot.timestamp) / 1000 > snapshotSeconds
  const findings: Finding[] = [
    ...(qualification === 'UNQUALIFIED'
      ? [
          {
            ...({ code: 'VAULT_UNQUALIFIED', severity: 'CRITICAL' } as const),
            figures: figures.slice(0, 1),
          },
        ]
      : []),
    ...(isStale
      ? [
          {
            ...({ code: 'SNAPSHOT_STALE', severity: 'ATTENTION' } as const),
            figures: [cited(vault, 'snapshotAt', '/payload/snapshot/timestamp')],
          },
        ]
      : []),
    ...checks.flatMap(({ ok }, place): Finding[] =>
      ok
        ? []
        : [
            {
              ...({ code: 'CHECK_FAILED', severity: 'ATTENTION' } as const),
              figures: [
                cited(vault, 'check', `/payload/checks/${place}/code`),
                cited(vault, 'observed', `/payload/checks/${place}/observed`),
              ],
            },
          ],
    ),
  ]
  return judged('CONTROL', figures, findings)
}

function policy(material: HealthMaterial, at: number): Area {
  const [active] = sealedOf<contract.AutonomyPolicy>(material, 'AutonomyPolicy')
  if (!active) return unknownArea('POLICY')
  const figures = [
    cited(active, 'level', '/payload/level'),
    cited(active, 'expiresAt', '/payload/expiresAt'),
  ]
  const left = Date.parse(active.record.payload.expiresAt) / 1000 - at
  if (left <= 0) return unknownArea('POLICY', figures)
  const endsSoon = { code: 'POLICY_ENDS_SOON', severity: 'ATTENTION' } as const
  return judged(
    ...(['POLICY', figures] as const),
    left <= policyNoticeDays * daySeconds ? [{ ...endsSoon, figures: figures.slice(1) }] : [],
  )
}

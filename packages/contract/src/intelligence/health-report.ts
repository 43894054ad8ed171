import Type, { type Static } from 'typebox'
import { Gap } from '../envelope.ts'
import { closed, Hash, list, named, oneOf, orNull, RecordId, Timestamp } from '../scalars.ts'
import { CitedFigure, findingOf } from './cited-figure.ts'
import { Narrative, researchStates } from './research-report.ts'
import { Pair } from './venues.ts'

/** Rated areas, in report order. CONTROL and POLICY apply to vaults only. */
export const healthAreas = ['QUALITY', 'VENUES', 'INCIDENTS', 'CONTROL', 'POLICY'] as const
export type HealthArea = (typeof healthAreas)[number]

export const healthVerdicts = ['SOUND', 'ATTENTION', 'CRITICAL'] as const
export type HealthVerdict = (typeof healthVerdicts)[number]

export const HealthSubject = named(
  'HealthSubject',
  Type.Union([
    closed({ pair: Pair }, { description: 'The market of a pair.' }),
    closed(
      { vaultId: RecordId },
      { description: 'A vault: its control, its policy, and the market of its pair.' },
    ),
  ]),
)
export type HealthSubject = Static<typeof HealthSubject>

const HealthFinding = findingOf(
  [
    ...(['GRADE_C', 'GRADE_D', 'GRADE_E', 'SCORE_CAPPED'] as const),
    ...(['VENUE_STALE', 'HISTORY_UNPROVED', 'OBSERVATION_PARTIAL'] as const),
    ...(['ANOMALY_INFO', 'ANOMALY_WARNING', 'ANOMALY_CRITICAL'] as const),
    ...(['VAULT_RETIRED', 'VAULT_PAUSED', 'VAULT_UNQUALIFIED', 'SNAPSHOT_STALE'] as const),
    ...(['CHECK_FAILED', 'POLICY_OF_OTHER_EPOCH', 'POLICY_ENDS_SOON'] as const),
  ],
  'SCORE_CAPPED: a cap of the score binds. HISTORY_UNPROVED: the events of a venue do not lead to its state. CHECK_FAILED: a check of the vault. POLICY_OF_OTHER_EPOCH: control of the vault changed since, so the policy allows no action. POLICY_ENDS_SOON: within seven days.',
)

/** Health of a market or vault according to its newest sealed records. */
export const HealthReport = named(
  'HealthReport',
  closed({
    reportVersion: Type.Literal('health-report-v1'),
    state: oneOf(
      researchStates,
      'COMPLETED: all areas were assessed; only then is the market health assessed. PARTIAL: some areas were not assessed. ABSTAINED: neither quality nor venues were assessed, and no verdict exists.',
    ),
    reasons: list(Type.String({ maxLength: 80 }), 16),
    question: orNull(Type.String()),
    subject: HealthSubject,
    pair: orNull(Pair),
    asOf: Timestamp,
    captureHash: Hash,
    verdict: orNull(
      oneOf(healthVerdicts, 'Worst result of the assessed areas; null without an assessed area.'),
    ),
    areas: list(
      closed({
        area: oneOf(healthAreas, 'Assessed area.'),
        verdict: orNull(oneOf(healthVerdicts, 'Null if not assessed; see `gaps`.')),
        figures: list(CitedFigure, 256),
        findings: list(HealthFinding, 256, { description: 'The worst first.' }),
      }),
      5,
    ),
    gaps: list(Gap, 64),
    limitations: list(Type.String({ maxLength: 400 }), 32),
    narrative: Narrative,
  }),
)
export type HealthReport = Static<typeof HealthReport>

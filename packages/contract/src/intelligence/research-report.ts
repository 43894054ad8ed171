import Type, { type Static } from 'typebox'
import { Gap } from '../envelope.ts'
import { annotated, count, type Measure, measured, pips, titled, unitless } from '../measures.ts'
import { AssetKey } from '../plan/treasury-terms.ts'
import {
  closed,
  Hash,
  list,
  named,
  oneOf,
  orNull,
  Pips,
  RecordId,
  SignedAmount,
} from '../scalars.ts'
import {
  ResearchGuardrail,
  ResearchMetricName,
  ResearchQuestion,
  TrialKeyName,
} from './research-protocol.ts'

const Count = Type.Integer({ minimum: 0 })
const Unit = oneOf(['QUOTE_ATOMS', 'PIPS'], 'Unit of the metric.')
/** In the unit of the sibling metric. */
const Atoms = SignedAmount

export const trialStates = ['PENDING', 'RUNNING', 'COMPLETED', 'FAILED', 'INCOMPATIBLE'] as const
export const TrialState = oneOf(
  trialStates,
  'INCOMPATIBLE: the captured data did not compile; FAILED: the run aborted.',
)

const Summary = measured(closed({ paths: Count, mean: Atoms, p05: Atoms, p95: Atoms }), {
  paths: unitless,
  mean: titled('mean'),
  p05: titled('p5 of the paths'),
  p95: titled('p95 of the paths'),
})

/** A value of a metric whose unit is in the record. */
const ofMetric = (title: string, unitAt: string): Measure => ({
  'x-unit': unitAt,
  'x-asset': '/payload/report/quoteAsset',
  'x-title': title,
})
const primaryMetric = '{/payload/report/primary/metric}'
const ofPrimary = (title: string): Measure => ({
  ...ofMetric(title, '/payload/report/primary/unit'),
  'x-better': '/payload/report/primary/direction',
})
const intervalTitles = {
  mean: titled('mean'),
  low: titled('low end of the interval'),
  high: titled('high end of the interval'),
}

const Interval = {
  mean: Atoms,
  low: Atoms,
  high: Atoms,
}

/** Mean of the primary metric: alternative minus baseline, path by path. */
export const PairedDifference = named(
  'PairedDifference',
  measured(
    closed({
      paths: Count,
      observations: Type.Integer({ minimum: 0, description: 'An antithetic pair is one.' }),
      ...Interval,
      standardError: Atoms,
      rank: Type.Integer({ minimum: 1, description: 'Place by its p-value; 1 is the smallest.' }),
      confidencePips: Type.Integer({
        minimum: 0,
        maximum: 1_000_000,
        description: 'Confidence level of the interval, by Holm: 1 − α/(m − rank + 1).',
      }),
      pPips: Type.Integer({
        minimum: 0,
        maximum: 1_000_000,
        description: 'P-value of no difference, two-sided, unadjusted.',
      }),
    }),
    {
      paths: unitless,
      observations: unitless,
      ...intervalTitles,
      standardError: { ...titled('standard error'), 'x-better': 'NEITHER' },
      rank: unitless,
      confidencePips: pips('confidence'),
      pPips: pips('p-value'),
    },
  ),
)

export const trialVerdicts = [
  'SUPERIOR',
  'INFERIOR',
  'INDISTINGUISHABLE',
  'GUARDRAIL_FAILED',
  'FAILED',
  'INCOMPATIBLE',
  'NOT_COMPARED',
] as const

const Secondary = measured(
  closed({
    metric: ResearchMetricName,
    unit: Unit,
    baseline: Summary,
    alternative: Summary,
    difference: measured(
      closed(Interval, { description: 'Separate 95 % interval of this metric.' }),
      intervalTitles,
    ),
  }),
  {
    baseline: ofMetric('Baseline · {1/metric}', '1/unit'),
    alternative: ofMetric('{1/metric}', '1/unit'),
    difference: ofMetric('{1/metric}, difference from the baseline', '1/unit'),
  },
)

export const ComparedAlternative = named(
  'ComparedAlternative',
  measured(
    closed({
      trialKey: TrialKeyName,
      label: Type.String(),
      state: TrialState,
      reason: orNull(Type.String({ description: 'Reason for a missing outcome.' })),
      receiptHash: orNull(Hash),
      verdict: oneOf(
        trialVerdicts,
        'NOT_COMPARED if the run abstained. A broken guardrail overrides all results but INFERIOR.',
      ),
      primary: orNull(Summary),
      difference: orNull(PairedDifference),
      guardrails: list(
        closed({ ...ResearchGuardrail.properties, value: Atoms, isBroken: Type.Boolean() }),
        8,
      ),
      secondary: list(Secondary, 8),
    }),
    {
      verdict: titled('Verdict'),
      primary: ofPrimary(primaryMetric),
      difference: ofPrimary(`${primaryMetric}, difference from the baseline`),
      // The metric defines the unit of these values; no single field does.
      guardrails: unitless,
    },
  ),
)

/** A sentence with pointers to its values and names in the report. */
export const GroundedSentence = named(
  'GroundedSentence',
  closed({
    text: Type.String({ maxLength: 600 }),
    citations: list(
      closed({
        pointer: Type.String({ maxLength: 200, description: 'Into the report, RFC 6901.' }),
        value: Type.String({ maxLength: 600, description: 'Printed value.' }),
        evidence: Type.Optional(
          closed(
            { evidenceId: RecordId, pointer: Type.String({ maxLength: 200 }) },
            { description: 'Location of a report figure in the sealed evidence.' },
          ),
        ),
      }),
      12,
    ),
  }),
)
export type GroundedSentence = Static<typeof GroundedSentence>

/** Sentences of a report of any kind. */
export const Narrative = measured(
  closed({
    draftHash: Hash,
    sentences: list(GroundedSentence, 64),
    droppedSentences: Type.Integer({
      minimum: 0,
      description: 'Draft sentences that the report rejected.',
    }),
  }),
  { droppedSentences: count('Dropped sentences', 'LOWER') },
)

export const researchStates = ['COMPLETED', 'PARTIAL', 'ABSTAINED'] as const

/** Research results, with no claims beyond its capture, receipts and protocol. */
export const ResearchReport = named(
  'ResearchReport',
  measured(
    closed({
      reportVersion: Type.Literal('research-report-v1'),
      state: oneOf(
        researchStates,
        'COMPLETED: the modeled work is complete; no further claim. ABSTAINED has no comparison.',
      ),
      reasons: list(Type.String({ maxLength: 80 }), 16),
      question: ResearchQuestion,
      hypothesis: Type.String(),
      protocolHash: Hash,
      captureHash: Hash,
      coveragePips: Pips,
      gaps: list(Gap, 64),
      quoteAsset: AssetKey,
      primary: measured(
        closed({
          metric: ResearchMetricName,
          unit: Unit,
          direction: oneOf(['HIGHER', 'LOWER'], 'Better direction.'),
          minimumEffect: Atoms,
          confidencePips: Type.Integer({ description: 'Over all alternatives together.' }),
        }),
        { minimumEffect: unitless, confidencePips: unitless },
      ),
      baseline: measured(
        closed({
          trialKey: Type.Literal('baseline'),
          state: TrialState,
          reason: orNull(Type.String()),
          receiptHash: orNull(Hash),
          primary: orNull(Summary),
        }),
        { primary: ofPrimary(`Baseline · ${primaryMetric}`) },
      ),
      alternatives: list(annotated(ComparedAlternative, titled('{0/label}')), 3, {
        description: 'All, in protocol order.',
      }),
      engine: orNull(
        closed(
          { engineVersion: Type.String(), engineBuildHash: Hash, seed: Hash },
          { description: 'Engine of the receipts; null without receipts.' },
        ),
      ),
      limitations: list(Type.String({ maxLength: 400 }), 32),
      narrative: Narrative,
    }),
    {
      coveragePips: pips('Coverage', 'HIGHER'),
      gaps: unitless,
    },
  ),
)
export type ResearchReport = Static<typeof ResearchReport>

import Type, { type Static } from 'typebox'
import { Ref, SourceRef } from '../envelope.ts'
import { AtomicAmount, closed, Hash, list, named, oneOf, SignedAmount } from '../scalars.ts'
import { ArmPosition, StudySpec, StudyStrategy } from '../simulate/study-spec.ts'

/** Research question, evaluation criteria and computation, fixed before data capture. */

export const researchMetrics = [
  'NET_VS_HOLD',
  'NET',
  'FEES',
  'LVR',
  'DIVERGENCE_LOSS',
  'GAS',
  'MAX_DRAWDOWN',
  'TIME_IN_RANGE',
  'DEPTH_MEDIAN',
] as const
export type ResearchMetric = (typeof researchMetrics)[number]

export const ResearchMetricName = oneOf(
  researchMetrics,
  'A figure of the arm on each path, quote atoms; TIME_IN_RANGE is millionths of the samples. DEPTH_MEDIAN is the median over the path of the thinner side within `bandPips`.',
)

export const trialKeys = ['baseline', 'alternative-1', 'alternative-2', 'alternative-3'] as const
export type TrialKey = (typeof trialKeys)[number]
export const TrialKeyName = oneOf(trialKeys, 'The baseline, or an alternative in its order.')

const { pair, market, observations, window, capital, price, flow, others } = StudySpec.properties
const { scenario, sampleSeconds, costs, minProfitQuote, actionLatencySeconds } =
  StudySpec.properties

const TrialArm = Type.Union([
  closed({ position: ArmPosition }),
  closed({ strategy: Ref }),
  closed({ definition: StudyStrategy }),
])

/**
 * A Monte Carlo study of one candidate, without the fields that the protocol fixes for all trials:
 * the seed and the number of paths.
 */
export const ResearchTrialSpec = named(
  'ResearchTrialSpec',
  closed({
    kind: oneOf(
      ['MONTE_CARLO', 'SCENARIO'],
      'Monte Carlo or scenario paths. A REPLAY is one history and has no paths to pair.',
    ),
    pair,
    market,
    observations,
    window,
    horizonSeconds: Type.Integer({
      minimum: 3600,
      maximum: 94_608_000,
      description: 'Length of a path; the same of every trial.',
    }),
    stepSeconds: Type.Integer({
      minimum: 1,
      maximum: 86_400,
      description: 'Length of a step; the same of every trial, so that paths are the same.',
    }),
    arm: TrialArm,
    capital,
    price,
    flow,
    others,
    scenario,
    sampleSeconds,
    bandPips: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 999_999,
        description: 'Band of DEPTH_MEDIAN, in pips. Default: 20,000.',
      }),
    ),
    costs,
    minProfitQuote,
    actionLatencySeconds,
  }),
)
export type ResearchTrialSpec = Static<typeof ResearchTrialSpec>

const Words = (description: string) => Type.String({ minLength: 10, maxLength: 500, description })

export const ResearchQuestion = Words('Research question.')

/** Location in the baseline, and its value in the alternative. */
export const ResearchChange = named(
  'ResearchChange',
  closed({
    pointer: Type.String({
      pattern: '^(/([^~/]|~[01])*)+$',
      maxLength: 200,
      description: 'RFC 6901, from the baseline: `/arm/position/tickLower`.',
      examples: ['/arm/position'],
    }),
    value: Type.Unknown({ description: 'Replacement value.' }),
  }),
)

export const ResearchAlternative = named(
  'ResearchAlternative',
  closed({
    label: Type.String({ minLength: 1, maxLength: 120, description: 'A human name.' }),
    changes: list(ResearchChange, 16, {
      minItems: 1,
      description:
        'Alternative: the baseline with only these changes. Kind, pair, horizon and step are fixed, because other values change the paths.',
    }),
  }),
)

const primary = {
  metric: ResearchMetricName,
  direction: oneOf(['HIGHER', 'LOWER'], 'Better direction.'),
  confidencePips: Type.Integer({
    minimum: 800_000,
    maximum: 999_000,
    description: 'Over all alternatives together, two-sided, millionths.',
  }),
}

export const ResearchGuardrail = named(
  'ResearchGuardrail',
  closed({
    metric: ResearchMetricName,
    statistic: oneOf(
      ['MEAN', 'P05', 'P95'],
      'Statistic of the metric over the paths of the alternative.',
    ),
    comparator: oneOf(['GTE', 'LTE'], 'Comparison of the statistic with the threshold.'),
    threshold: SignedAmount,
  }),
)
export type ResearchGuardrail = Static<typeof ResearchGuardrail>

const terms = {
  protocolVersion: Type.Literal('research-protocol-v1'),
  question: ResearchQuestion,
  hypothesis: Words('Falsifiable hypothesis.'),
  guardrails: list(ResearchGuardrail, 8, {
    description:
      'Constraint; an alternative that breaks it does not count as better, regardless of its result.',
  }),
  secondary: list(ResearchMetricName, 8, {
    uniqueItems: true,
    description: 'Secondary metrics, reported with separate 95 % intervals; never decisive.',
  }),
  baseline: ResearchTrialSpec,
  alternatives: list(ResearchAlternative, 3, { minItems: 1 }),
  capture: closed({
    sources: list(SourceRef, 16, {
      description: 'Additional records, sealed as context of the trials.',
    }),
    minimumCoveragePips: Type.Integer({
      minimum: 0,
      maximum: 1_000_000,
      description:
        'Minimum observed share of the blocks of a calibration window; below it the run abstains.',
    }),
  }),
  seed: Hash,
  paths: Type.Integer({
    minimum: 200,
    maximum: 10_000,
    multipleOf: 2,
    description: 'Paths of every trial; all paths run, as antithetic pairs.',
  }),
  exclusions: list(Type.String({ minLength: 3, maxLength: 300 }), 16, {
    description: 'Scope exclusions of the research; listed in the limitations.',
  }),
  stopping: Type.Literal('FIXED', {
    description: 'The service evaluates results only after all paths have run.',
  }),
  multiplicity: Type.Literal('HOLM', { description: 'Step-down over all declared alternatives.' }),
}

/** Protocol, immutable once approved. */
export const ResearchProtocol = named(
  'ResearchProtocol',
  closed({
    ...terms,
    primary: closed({
      ...primary,
      minimumEffect: AtomicAmount,
    }),
  }),
)
export type ResearchProtocol = Static<typeof ResearchProtocol>

/** A protocol under discussion; undecided fields are null. */
export const ResearchProtocolDraft = named(
  'ResearchProtocolDraft',
  closed({
    ...terms,
    primary: closed({
      ...primary,
      minimumEffect: Type.Union([AtomicAmount, Type.Null()], {
        description: 'Smallest relevant difference, in the unit of the metric; null until stated.',
      }),
    }),
  }),
)
export type ResearchProtocolDraft = Static<typeof ResearchProtocolDraft>

export const ResearchClarification = named(
  'ResearchClarification',
  closed({
    clarificationId: oneOf(['minimum-effect'], 'Id of the question.'),
    question: Type.String(),
    answer: Type.Union([Type.String(), Type.Null()], { description: 'Null until answered.' }),
  }),
)

const Issue = closed({
  field: Type.String({ description: 'Path in the study that the trial would be.' }),
  message: Type.String(),
})

export const ResearchFeasibility = named(
  'ResearchFeasibility',
  closed({
    trialKey: TrialKeyName,
    ok: Type.Boolean({ description: 'True if the captured data suffices to compile the trial.' }),
    issues: list(Issue, 50),
    estimateSeconds: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description: 'Core time; null if the trial cannot be compiled.',
    }),
  }),
)
export type ResearchFeasibility = Static<typeof ResearchFeasibility>

import Type, { type Static } from 'typebox'
import { Ref, SourceRef } from '../envelope.ts'
import { AtomicAmount, closed, Hash, list, named, oneOf, SignedAmount } from '../scalars.ts'
import { ArmPosition, StudySpec, StudyStrategy } from '../simulate/study-spec.ts'

/** What research asks, how it will be judged, and by what it is computed: said before any of its data is there. */

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

/** A study of one arm on paths, without what the protocol fixes for all trials: the seed and the number of paths. */
export const ResearchTrialSpec = named(
  'ResearchTrialSpec',
  closed({
    kind: oneOf(
      ['MONTE_CARLO', 'SCENARIO'],
      'On drawn paths, or on told ones. A REPLAY is one history and has no paths to pair.',
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
        description: 'Band of DEPTH_MEDIAN; 20,000 unless said otherwise.',
      }),
    ),
    costs,
    minProfitQuote,
    actionLatencySeconds,
  }),
)
export type ResearchTrialSpec = Static<typeof ResearchTrialSpec>

const Words = (description: string) => Type.String({ minLength: 10, maxLength: 500, description })

export const ResearchQuestion = Words('What is to be found out, in words.')

/** A place in the baseline, and what stands there in the alternative. */
export const ResearchChange = named(
  'ResearchChange',
  closed({
    pointer: Type.String({
      pattern: '^(/([^~/]|~[01])*)+$',
      maxLength: 200,
      description: 'RFC 6901, from the baseline: `/arm/position/tickLower`.',
      examples: ['/arm/position'],
    }),
    value: Type.Unknown({ description: 'What stands there in its place.' }),
  }),
)

export const ResearchAlternative = named(
  'ResearchAlternative',
  closed({
    label: Type.String({ minLength: 1, maxLength: 120, description: 'A human name.' }),
    changes: list(ResearchChange, 16, {
      minItems: 1,
      description:
        'The alternative is the baseline with these changes and nothing else. Kind, pair, horizon and step cannot change: paths would be others.',
    }),
  }),
)

const primary = {
  metric: ResearchMetricName,
  direction: oneOf(['HIGHER', 'LOWER'], 'Which way is better.'),
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
    statistic: oneOf(['MEAN', 'P05', 'P95'], 'Of the metric over the paths of the alternative.'),
    comparator: oneOf(['GTE', 'LTE'], 'What the statistic must be beside the threshold.'),
    threshold: SignedAmount,
  }),
)
export type ResearchGuardrail = Static<typeof ResearchGuardrail>

const terms = {
  protocolVersion: Type.Literal('research-protocol-v1'),
  question: ResearchQuestion,
  hypothesis: Words('What is expected, and could turn out to be wrong.'),
  guardrails: list(ResearchGuardrail, 8, {
    description: 'An alternative that breaks one is not better, whatever it earns.',
  }),
  secondary: list(ResearchMetricName, 8, {
    uniqueItems: true,
    description: 'Reported with the 95 % interval of each alone, and never decisive.',
  }),
  baseline: ResearchTrialSpec,
  alternatives: list(ResearchAlternative, 3, { minItems: 1 }),
  capture: closed({
    sources: list(SourceRef, 16, {
      description: 'Further records that are sealed beside what the trials name, as context.',
    }),
    minimumCoveragePips: Type.Integer({
      minimum: 0,
      maximum: 1_000_000,
      description:
        'Least share of the blocks of a calibration window that was observed; below it the run abstains.',
    }),
  }),
  seed: Hash,
  paths: Type.Integer({
    minimum: 200,
    maximum: 10_000,
    multipleOf: 2,
    description: 'Of every trial; all of them are run. Paths come as antithetic pairs.',
  }),
  exclusions: list(Type.String({ minLength: 3, maxLength: 300 }), 16, {
    description: 'What the research leaves out, in words; told among the limitations.',
  }),
  stopping: Type.Literal('FIXED', {
    description: 'Nothing is looked at before all paths are run.',
  }),
  multiplicity: Type.Literal('HOLM', { description: 'Step-down over all declared alternatives.' }),
}

/** What is said beforehand and never changed once it is approved. */
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

/** A protocol that is still spoken of: what nobody has said yet is null. */
export const ResearchProtocolDraft = named(
  'ResearchProtocolDraft',
  closed({
    ...terms,
    primary: closed({
      ...primary,
      minimumEffect: Type.Union([AtomicAmount, Type.Null()], {
        description:
          'Difference that would matter, in the unit of the metric; null until somebody has said it.',
      }),
    }),
  }),
)
export type ResearchProtocolDraft = Static<typeof ResearchProtocolDraft>

export const ResearchClarification = named(
  'ResearchClarification',
  closed({
    clarificationId: oneOf(['minimum-effect'], 'What is asked.'),
    question: Type.String(),
    answer: Type.Union([Type.String(), Type.Null()], { description: 'Null until it is answered.' }),
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
    ok: Type.Boolean({ description: 'Whether it can be compiled from what is there.' }),
    issues: list(Issue, 50),
    estimateSeconds: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description: 'Work of one core; null where it cannot be compiled.',
    }),
  }),
)
export type ResearchFeasibility = Static<typeof ResearchFeasibility>

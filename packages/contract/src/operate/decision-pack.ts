import Type, { type Static, type TSchema } from 'typebox'
import { Actor, SourceRef } from '../envelope.ts'
import { roles } from '../identity.ts'
import { measureUnits } from '../measures.ts'
import { AssetKey } from '../plan/treasury-terms.ts'
import {
  AtomicAmount,
  BlockNumber,
  ChainId,
  closed,
  Hash,
  list,
  named,
  oneOf,
  orNull,
  Pips,
  SignedAmount,
  Timestamp,
} from '../scalars.ts'

/** Basis of a human decision: compared alternatives, with each value bound to its source record. */

const Name = (description: string) =>
  Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,59}$', description })
const OptionId = Name('Name of the alternative within the packet.')
const MetricId = Name('Metric. Alternatives with the same metric are compared.')
const Words = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, description })

export const decisionUnits = measureUnits
export type DecisionUnit = (typeof decisionUnits)[number]

export const DecisionValue = Type.Union(
  [
    Type.String({ maxLength: 500, description: 'A text, a time, or an amount as a decimal.' }),
    Type.Integer({ description: 'A number in the unit.' }),
    Type.Boolean({ description: 'A flag.' }),
  ],
  { description: 'Exact value at the pointer.' },
)

const place = {
  source: SourceRef,
  pointer: Type.String({
    pattern: '^(/([^~/]|~[01])*)+$',
    maxLength: 400,
    description: 'RFC 6901 pointer from the record root: `/payload/total/quote`.',
    examples: ['/payload/total/quote'],
  }),
}

const Unit = oneOf(
  decisionUnits,
  'ATOMS are of `asset`. X3 are thousandths, X6 millionths, X18 and X36 fixed points. TIME is a moment or a month, TEXT a word.',
)
const BetterWay = oneOf(
  ['HIGHER', 'LOWER', 'NEITHER'],
  'Better direction. NEITHER is reported and never rated.',
)
/** Label of a field; long enough for its titles and the names they include. */
const CanonicalLabel = Type.String({
  minLength: 1,
  maxLength: 400,
  description:
    'Titles of the field at the pointer (`x-title` of its schema). In packets of decision-pack-v1, text of the author.',
})
const Note = Words(120, "Author's note to the label.")

const AfterSpend = Type.Optional(
  Type.String({
    pattern: '^(0|[1-9][0-9]{0,77})$',
    description:
      'Atoms of the quote of the projection that are spent first. The value is then the whole months that the cash at the pointer, `/payload/scenarios/…/controlledRunway/cash/net/monthsX3`, lasts, times 1,000; `asset` is the asset that is spent.',
  }),
)

/** A sealed value; the field at its pointer defines unit, asset and label. */
export const DecisionMetric = named(
  'DecisionMetric',
  closed({
    metricId: MetricId,
    label: CanonicalLabel,
    note: Type.Optional(Note),
    value: DecisionValue,
    unit: Unit,
    asset: Type.Optional(AssetKey),
    better: BetterWay,
    ...place,
    afterSpend: AfterSpend,
  }),
)
export type DecisionMetric = Static<typeof DecisionMetric>

/** A value as named by the author. Unit, asset and direction are optional and checked if given. */
const DecisionMetricInput = named(
  'DecisionMetricInput',
  closed({
    metricId: MetricId,
    label: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 400,
        description:
          'Label of the field, or your text, which is sealed as `note` and does not rename the field. Maximum of your text: 120 characters.',
      }),
    ),
    note: Type.Optional(Note),
    value: DecisionValue,
    unit: Type.Optional(Unit),
    asset: Type.Optional(AssetKey),
    better: Type.Optional(BetterWay),
    ...place,
    afterSpend: AfterSpend,
  }),
)
export type DecisionMetricInput = Static<typeof DecisionMetricInput>

const Reversibility = oneOf(
  ['REVERSIBLE', 'COSTLY', 'IRREVERSIBLE'],
  'Reversibility of the alternative.',
)

const optionOf = <const M extends TSchema>(metric: M) =>
  closed({
    optionId: OptionId,
    label: Words(120, 'Action of the alternative.'),
    statusQuo: Type.Boolean({
      description: 'True for the status quo; exactly one alternative has it.',
    }),
    summary: Type.String({ maxLength: 2000, description: 'Description for reviewers.' }),
    metrics: list(metric, 64),
    risks: list(Words(500, 'Risks.'), 32),
    reversibility: Reversibility,
    requires: list(Words(300, 'Prerequisites.'), 32),
  })

const Criterion = closed({
  criterionId: Name('Name of the criterion within the packet.'),
  label: Words(200, 'Decision criterion.'),
  weightPips: Type.Integer({
    minimum: 1,
    maximum: 1_000_000,
    description: 'Weight of the criterion; all weights sum to 1,000,000.',
  }),
  metricId: Type.Optional(MetricId),
})

const Limit = closed({
  metricId: MetricId,
  comparator: oneOf(['GTE', 'LTE'], 'Minimum (GTE) or maximum (LTE).'),
  value: SignedAmount,
})

const quorumRoles = roles.filter((role) => ['OWNER', 'OPERATOR', 'REVIEWER'].includes(role)) as (
  | 'OWNER'
  | 'OPERATOR'
  | 'REVIEWER'
)[]

export const DecisionQuorum = closed({
  approvals: Type.Integer({
    minimum: 1,
    maximum: 10,
    description:
      'Number of users who must approve the same alternative. At most one author of the packet counts.',
  }),
  roles: list(oneOf(quorumRoles, 'Roles that count for the quorum.'), 3, {
    minItems: 1,
    uniqueItems: true,
  }),
})

const MaximumAge = Type.Integer({
  minimum: 3600,
  maximum: 31_622_400,
  description:
    'Maximum age in seconds at submission. Default: 7 days for a projection or reconciliation, 30 for a stress test, 14 for any other record.',
})

const common = {
  question: Type.String({ minLength: 10, maxLength: 500, description: 'Decision question.' }),
  context: Type.Optional(Type.String({ maxLength: 8000, description: 'Context of the decision.' })),
  criteria: Type.Optional(list(Criterion, 16)),
  limits: Type.Optional(
    list(Limit, 32, {
      description: 'Bounds of integer metrics: the packet lists each breach by alternative.',
    }),
  ),
  recommendation: Type.Optional(
    closed({
      optionId: OptionId,
      rationale: Words(4000, 'Rationale.'),
      by: oneOf(
        ['HUMAN', 'AI_NON_EXECUTABLE'],
        'Author type. Text of a machine approves no alternative.',
      ),
    }),
  ),
  quorum: Type.Optional(DecisionQuorum),
  decisionBy: Timestamp,
  expiresAt: Type.Optional(Timestamp),
}
const Options = list(optionOf(DecisionMetric), 8, { minItems: 2 })
const InputOptions = list(optionOf(DecisionMetricInput), 8, { minItems: 2 })

export const DecisionPackInput = named(
  'DecisionPackInput',
  closed({
    ...common,
    options: InputOptions,
    evidence: Type.Optional(
      list(closed({ source: SourceRef, maximumAgeSeconds: Type.Optional(MaximumAge) }), 64, {
        description: 'Additional records, next to the records of the metrics.',
      }),
    ),
  }),
)
export type DecisionPackInput = Static<typeof DecisionPackInput>

const sourceOf = (type: string, description: string) =>
  closed({ ...SourceRef.properties, resourceType: Type.Literal(type, { description }) })

const TreasuryAction = named(
  'TreasuryAction',
  closed({
    label: Words(120, 'Action of the alternative.'),
    spendQuote: AtomicAmount,
    summary: Type.Optional(Words(2000, 'Description for reviewers.')),
    reversibility: Type.Optional(Reversibility),
  }),
)
export type TreasuryAction = Static<typeof TreasuryAction>

/** Fields of a packet from treasury records. */
export const treasuryPack = {
  projection: sourceOf('TreasuryProjection', 'Monthly cash flow.'),
  reconciliation: Type.Optional(
    sourceOf('TreasuryReconciliation', 'Reconciliation of ledger and chain.'),
  ),
  stress: Type.Optional(sourceOf('TreasuryStressStudy', 'Results after shocks.')),
  capitalRequirement: Type.Optional(
    sourceOf('CapitalRequirementStudy', 'Capital in both tokens for a depth.'),
  ),
  unlockImpact: Type.Optional(sourceOf('UnlockImpact', 'Price impact of an unlock.')),
  ...common,
  options: Type.Optional(InputOptions),
  actions: Type.Optional(
    list(TreasuryAction, 6, {
      minItems: 1,
      description:
        'Alternatives with a spend in atoms of the quote of the projection. Each shows the runway after its spend in every scenario. Not allowed together with `options`. Default `reversibility`: COSTLY.',
    }),
  ),
}

/** Fields of a packet from research. */
export const researchPack = {
  run: sourceOf('AgentRun', 'Research that ended with a comparison.'),
  ...common,
  options: Type.Optional(InputOptions),
}

const Provenance = closed({
  engineVersion: orNull(Type.String({ maxLength: 60 })),
  inputsHash: orNull(Hash),
  seed: orNull(Type.String({ maxLength: 80 })),
  completeness: orNull(Type.String({ maxLength: 40, description: 'Completeness as recorded.' })),
  gaps: Type.Integer({ minimum: 0, description: 'Number of reported gaps.' }),
  blocks: list(closed({ chainId: ChainId, number: BlockNumber, hash: Hash }), 32),
})

const Evidence = closed({
  source: SourceRef,
  recordHash: Hash,
  observedAt: Timestamp,
  maximumAgeSeconds: MaximumAge,
  provenance: Provenance,
})
export const DecisionEvidence = named('DecisionEvidence', Evidence)
export type DecisionEvidence = Static<typeof DecisionEvidence>

const Cell = closed({
  optionId: OptionId,
  value: orNull(DecisionValue),
  difference: orNull(SignedAmount),
  isBest: Type.Boolean({ description: 'True if no alternative is better by this metric.' }),
})

/** Derived comparison: alternatives side by side, with costs and violated limits. */
export const DecisionComparison = named(
  'DecisionComparison',
  closed({
    rows: list(
      closed({
        metricId: MetricId,
        label: Type.String({
          maxLength: 400,
          description: 'Common suffix of the labels of its metrics.',
        }),
        note: Type.Optional(Note),
        unit: oneOf(decisionUnits, 'Unit of every value in the row.'),
        asset: orNull(AssetKey),
        better: BetterWay,
        cells: list(Cell, 8, {
          description:
            'Values in the order of the alternatives; `difference` is from the status quo, if both are integers.',
        }),
      }),
      128,
    ),
    options: list(
      closed({
        optionId: OptionId,
        supportPips: orNull(Pips),
        dominatedBy: list(OptionId, 7, {
          description:
            'Alternatives that dominate it: equal or better in every shared criterion, and better in one.',
        }),
        breaks: list(
          closed({
            ...Limit.properties,
            observed: SignedAmount,
          }),
          32,
          { description: 'Limits that it breaks.' },
        ),
        untold: list(MetricId, 32, {
          description: 'Limits without a figure; compliance is unknown.',
        }),
      }),
      8,
      {
        description:
          '`supportPips` is the weight of the criteria with a metric that has no better alternative; null without such criteria.',
      },
    ),
  }),
)
export type DecisionComparison = Static<typeof DecisionComparison>

export const DecisionApproval = named(
  'DecisionApproval',
  closed({
    actor: Actor,
    role: oneOf(quorumRoles, 'Role of the user at that time.'),
    optionId: OptionId,
    note: orNull(Type.String({ maxLength: 2000 })),
    at: Timestamp,
    sealHash: Hash,
    isAuthor: Type.Boolean({ description: 'True if the user wrote the packet or a part of it.' }),
    isLate: Type.Boolean({ description: 'True if later than `decisionBy`.' }),
  }),
)
export type DecisionApproval = Static<typeof DecisionApproval>

const Dissent = closed({
  actor: Actor,
  note: Type.String({ maxLength: 2000 }),
  optionId: orNull(OptionId),
  at: Timestamp,
})

const Outcome = closed({
  optionId: orNull(OptionId),
  decision: oneOf(['APPROVED', 'REJECTED'], 'Decision; it moves no funds.'),
  approvals: list(DecisionApproval, 32),
  rejection: orNull(closed({ actor: Actor, note: Type.String({ maxLength: 2000 }) })),
  decidedAt: Timestamp,
})

const Review = closed({
  optionId: OptionId,
  metricId: MetricId,
  predicted: DecisionValue,
  realised: DecisionValue,
  difference: orNull(SignedAmount),
  label: Type.Optional(CanonicalLabel),
  ...place,
  recordedAt: Timestamp,
})

const Moved = closed({
  source: SourceRef,
  to: Hash,
  metrics: list(
    closed({
      optionId: OptionId,
      metricId: MetricId,
      from: DecisionValue,
      to: DecisionValue,
      difference: orNull(SignedAmount),
    }),
    512,
    { description: 'Figures that are others in the new version.' },
  ),
})

/** The sealed fields, in the order of their leaves (by name). */
export const decisionSections = [
  'authors',
  'comparison',
  'context',
  'criteria',
  'decisionBy',
  'dissent',
  'evidence',
  'executionAuthorityGranted',
  'executionPerformed',
  'expiresAt',
  'limits',
  'moved',
  'options',
  'origin',
  'packVersion',
  'question',
  'quorum',
  'recommendation',
  'units',
] as const
export type DecisionSection = (typeof decisionSections)[number]

/** Documents for one human decision. It has no effect on its own. */
export const DecisionPack = named(
  'DecisionPack',
  closed({
    packVersion: oneOf(
      ['decision-pack-v1', 'decision-pack-v2'],
      'Format of the packet. From v2 on label, unit and asset of a metric are those of the field at its pointer; in v1 its author chose them.',
    ),
    origin: oneOf(
      ['TREASURY', 'RESEARCH', 'MANUAL'],
      'Assembled from records of the treasury, from research, or written by hand.',
    ),
    question: common.question,
    context: Type.String({ maxLength: 8000 }),
    options: Options,
    criteria: list(Criterion, 16),
    limits: list(Limit, 32),
    recommendation: orNull(common.recommendation),
    quorum: DecisionQuorum,
    decisionBy: Timestamp,
    expiresAt: Timestamp,
    comparison: DecisionComparison,
    evidence: list(DecisionEvidence, 512, {
      description:
        'Every record that is the source of a figure or that was named, in exact versions.',
    }),
    units: list(
      closed({ asset: AssetKey, decimals: orNull(Type.Integer({ minimum: 0, maximum: 255 })) }),
      256,
      { description: 'Decimals of the assets of the metrics, if a record states them.' },
    ),
    moved: list(Moved, 512, { description: 'Changes of the last evidence refresh.' }),
    dissent: list(Dissent, 64),
    authors: list(Type.String({ maxLength: 160, description: 'A user.' }), 32, {
      description: 'Authors of the packet or its parts.',
    }),
    approvals: list(DecisionApproval, 32, { description: 'Approvals since submission.' }),
    outcome: orNull(Outcome),
    review: list(Review, 128, { description: 'Outcome of the forecasts.' }),
    sealHash: Hash,
    executionAuthorityGranted: Type.Literal(false, {
      description: 'Always false: approval of a packet grants no on-chain authority.',
    }),
    executionPerformed: Type.Literal(false, {
      description: 'Always false: no transaction was sent.',
    }),
  }),
)
export type DecisionPack = Static<typeof DecisionPack>

/** A section of a decision packet with a proof of inclusion under its seal. */
export const DecisionPackSection = named(
  'DecisionPackSection',
  closed({
    packId: Type.String({ maxLength: 160 }),
    sequence: Type.Integer({ minimum: 1 }),
    resourceVersion: Hash,
    section: oneOf(decisionSections, 'Name of the section.'),
    value: Type.Unknown({ description: 'Section of the packet, unchanged.' }),
    sectionHash: Hash,
    proof: closed({
      leafIndex: Type.Integer({ minimum: 0 }),
      treeSize: Type.Integer({ minimum: 1 }),
      path: list(Hash, 16),
    }),
    sealHash: Hash,
  }),
)

export { MetricId as DecisionMetricId, OptionId as DecisionOptionId, place as decisionPlace }

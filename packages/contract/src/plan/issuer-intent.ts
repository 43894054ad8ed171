import Type, { type Static } from 'typebox'
import { SourceRef, versioned } from '../envelope.ts'
import {
  AtomicAmount,
  closed,
  list,
  named,
  oneOf,
  Pips,
  PriceX18,
  RecordId,
  Timestamp,
} from '../scalars.ts'
import { CapitalRequirementInput } from './capital-requirement.ts'

/** What an issuer wants of its market, within which limits, and what that takes. */

const asked = CapitalRequirementInput.properties

export const intentObjectives = [
  'LAUNCH',
  'DEEPEN',
  'DEFEND_UNLOCK',
  'MIGRATE',
  'DIVERSIFY_TREASURY',
  'HOLD_BAND',
] as const
export const IntentObjective = oneOf(intentObjectives, 'Purpose of the rule.')

const Limits = closed({
  maximumToken: AtomicAmount,
  maximumQuote: AtomicAmount,
  minimumPriceX18: Type.Optional(PriceX18),
  maximumPriceX18: Type.Optional(PriceX18),
  maximumOwnPoolSharePips: Pips,
  venueAllow: Type.Optional(
    list(RecordId, 32, {
      minItems: 1,
      uniqueItems: true,
      description: 'Venues that alone may be used, by the id of their profile.',
    }),
  ),
  venueDeny: Type.Optional(
    list(RecordId, 32, {
      minItems: 1,
      uniqueItems: true,
      description: 'Venues that are not used.',
    }),
  ),
  minimumRunwayMonths: Type.Integer({
    minimum: 0,
    maximum: 60,
    description: 'Months that the cash must last after the quote is spent.',
  }),
  runwayScenarioId: Type.Optional(
    Type.String({
      pattern: '^[a-z0-9][a-z0-9_-]{0,59}$',
      description: 'Scenario whose runway is judged. Default: the base scenario.',
    }),
  ),
})

const Success = closed({
  metric: oneOf(
    ['DEPTH_QUOTE', 'SPREAD_PIPS', 'SCORE_PIPS', 'SLIPPAGE_PIPS'],
    'By what it is known whether the intent is met. DEPTH_QUOTE is held against the study at once. All are measured every hour within the horizon.',
  ),
  movePips: Type.Optional(
    Type.Integer({
      minimum: 1_000,
      maximum: 400_000,
      description: 'Move of the price, of DEPTH_QUOTE alone.',
    }),
  ),
  comparator: oneOf(['GTE', 'LTE'], 'At least, or at most.'),
  value: AtomicAmount,
  windowDays: Type.Integer({ minimum: 1, maximum: 365, description: 'Days that it is measured.' }),
})

export const IssuerIntentInput = named(
  'IssuerIntentInput',
  closed({
    objective: IntentObjective,
    label: asked.label,
    token: asked.token,
    quote: asked.quote,
    reference: asked.reference,
    targets: asked.targets,
    slippageTargets: asked.slippageTargets,
    shapes: asked.shapes,
    volatility: asked.volatility,
    existingDepth: asked.existingDepth,
    ledgerSources: asked.ledgerSources,
    limits: Limits,
    horizon: closed({ from: Timestamp, to: Timestamp }),
    success: list(Success, 16, { minItems: 1 }),
    authority: Type.Optional(
      oneOf(
        ['NONE', 'SPEND'],
        'The power that is asked for. An intent has none: SPEND is refused, a typed policy gives it.',
      ),
    ),
  }),
)
export type IssuerIntentInput = Static<typeof IssuerIntentInput>

export const intentChecks = [
  'CAPITAL_COMPLETED',
  'TOKEN_WITHIN_LIMIT',
  'QUOTE_WITHIN_LIMIT',
  'BAND_HOLDS_REFERENCE',
  'OWN_SHARE_WITHIN_LIMIT',
  'VENUES_OF_PAIR',
  'RUNWAY_AFTER_SPEND',
  'SUCCESS_REACHABLE',
] as const

export const IntentCheck = named(
  'IntentCheck',
  closed({
    check: oneOf(
      intentChecks,
      'CAPITAL_COMPLETED: the study has no gap. TOKEN_ and QUOTE_WITHIN_LIMIT: what it takes, buffer included. BAND_HOLDS_REFERENCE: the price of the study lies in the band. OWN_SHARE_WITHIN_LIMIT: what the issuer gives of each target. VENUES_OF_PAIR: venues that are named are there and of the pair. RUNWAY_AFTER_SPEND: months at whose end the newest projection has at least the quote that is spent, in the scenario of `limits.runwayScenarioId`, else in the base. SUCCESS_REACHABLE: the depth of the study gives the depth that is asked for.',
    ),
    result: oneOf(
      ['PASS', 'FAIL', 'INDETERMINATE'],
      'INDETERMINATE: what is needed to tell is not there.',
    ),
    detail: Type.String({ maxLength: 500 }),
  }),
)
export type IntentCheck = Static<typeof IntentCheck>

export const IssuerIntent = named(
  'IssuerIntent',
  closed({
    request: IssuerIntentInput,
    capitalRequirement: SourceRef,
    isOwnStudy: Type.Boolean({
      description:
        'Whether the study was made for it and gets a version with every change; one that it was seeded from stays as it is.',
    }),
    projection: Type.Union([SourceRef, Type.Null()]),
    checks: list(IntentCheck, 32),
    executionAuthorityGranted: Type.Literal(false, { description: 'An intent is no authority.' }),
    executionPerformed: Type.Literal(false, { description: 'Nothing was sent to a chain.' }),
  }),
)
export type IssuerIntent = Static<typeof IssuerIntent>
export const IssuerIntentRecord = versioned('IssuerIntent', IssuerIntent)

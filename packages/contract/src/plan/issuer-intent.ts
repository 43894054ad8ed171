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

/** Liquidity target of an issuer: goals, limits and required capital. */

const studyMembers = CapitalRequirementInput.properties

export const intentObjectives = [
  'LAUNCH',
  'DEEPEN',
  'DEFEND_UNLOCK',
  'MIGRATE',
  'DIVERSIFY_TREASURY',
  'HOLD_BAND',
] as const
export const IntentObjective = oneOf(intentObjectives, 'Purpose.')

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
      description: 'Allowed venues, by the id of their profile.',
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
      description: 'Scenario of the checked runway. Default: the base scenario.',
    }),
  ),
})

const Success = closed({
  metric: oneOf(
    ['DEPTH_QUOTE', 'SPREAD_PIPS', 'SCORE_PIPS', 'SLIPPAGE_PIPS'],
    'Success criterion of the intent. DEPTH_QUOTE is checked with the study at once. All criteria are measured every hour within the horizon.',
  ),
  movePips: Type.Optional(
    Type.Integer({
      minimum: 1_000,
      maximum: 400_000,
      description: 'Move of the price, of DEPTH_QUOTE alone.',
    }),
  ),
  comparator: oneOf(['GTE', 'LTE'], 'Minimum (GTE) or maximum (LTE).'),
  value: AtomicAmount,
  windowDays: Type.Integer({ minimum: 1, maximum: 365, description: 'Days that it is measured.' }),
})

export const IssuerIntentInput = named(
  'IssuerIntentInput',
  closed({
    objective: IntentObjective,
    label: studyMembers.label,
    token: studyMembers.token,
    quote: studyMembers.quote,
    reference: studyMembers.reference,
    targets: studyMembers.targets,
    slippageTargets: studyMembers.slippageTargets,
    shapes: studyMembers.shapes,
    volatility: studyMembers.volatility,
    existingDepth: studyMembers.existingDepth,
    ledgerSources: studyMembers.ledgerSources,
    limits: Limits,
    horizon: closed({ from: Timestamp, to: Timestamp }),
    success: list(Success, 16, { minItems: 1 }),
    authority: Type.Optional(
      oneOf(
        ['NONE', 'SPEND'],
        'Requested authority. An intent grants no authority: SPEND is rejected; use a typed policy.',
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
      "CAPITAL_COMPLETED: the study has no gap. TOKEN_ and QUOTE_WITHIN_LIMIT: required amounts, buffer included. BAND_HOLDS_REFERENCE: the price of the study lies in the band. OWN_SHARE_WITHIN_LIMIT: the issuer's share of each target. VENUES_OF_PAIR: named venues exist and trade the pair. RUNWAY_AFTER_SPEND: months at the end of which the newest projection has at least the spent quote, in the scenario of `limits.runwayScenarioId`, otherwise in the base scenario. SUCCESS_REACHABLE: the depth of the study reaches the requested depth.",
    ),
    result: oneOf(['PASS', 'FAIL', 'INDETERMINATE'], 'INDETERMINATE: required data is missing.'),
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
        'True if the study was created for the intent and gets a version with every change; a study that seeded the intent stays unchanged.',
    }),
    projection: Type.Union([SourceRef, Type.Null()]),
    checks: list(IntentCheck, 32),
    executionAuthorityGranted: Type.Literal(false, {
      description: 'Always false: an intent grants no authority.',
    }),
    executionPerformed: Type.Literal(false, {
      description: 'Always false: no transaction was sent.',
    }),
  }),
)
export type IssuerIntent = Static<typeof IssuerIntent>
export const IssuerIntentRecord = versioned('IssuerIntent', IssuerIntent)

import Type from 'typebox'
import { noAuthority, OperatingSystemEvent } from '../envelope.ts'
import { chainErrors } from '../errors.ts'
import { declareFamily, recordQuery } from '../family.ts'
import { DecisionPackRecord } from '../operate/decision-packs.ts'
import { data, operation, record, session } from '../operation.ts'
import { getOperation, listOperation } from '../reading.ts'
import { closed, EvidenceHashes, Hash, list, named, oneOf, Reason } from '../scalars.ts'
import { SimulationStudyRecord } from '../simulate/studies.ts'
import { LaunchMechanism } from './launch-mechanism.ts'
import { LaunchPlan, LaunchPlanInput, LaunchPlanRecord } from './launch-plan.ts'
import { LaunchEvidence, LaunchTimeline, TimelineStepInput } from './launch-timeline.ts'
import { StrategyDefinitionV2Record } from './strategies.ts'

export * from './launch-mechanism.ts'
export * from './launch-plan.ts'
export * from './launch-timeline.ts'

const heading = { tag: 'Plan', family: 'Issuer intents, launches and unlocks' } as const

const moves = { VALIDATED: ['RETIRED'], PARTIAL: ['RETIRED'], RETIRED: [] } as const

const launchPlans = {
  path: '/launch-plans',
  ...heading,
  one: 'launch plan',
  many: 'launch plans',
  record: LaunchPlanRecord,
  cacheControl: 'private, no-store',
} as const

const written = {
  method: 'POST',
  ...heading,
  auth: session,
  permission: 'prepare',
  idempotency: 'key-160',
  cacheControl: 'private, no-store',
} as const

export const listLaunchPlans = listOperation(launchPlans, {
  id: 'listLaunchPlans',
  summary: 'List launch plans',
  query: recordQuery(moves),
})

const LaunchPlanCreate = named(
  'LaunchPlanCreate',
  closed({
    payload: LaunchPlanInput,
    evidenceHashes: Type.Optional(EvidenceHashes),
    reason: Reason,
  }),
)

const planRefusals = [
  'LIQUIDITY_LAUNCH_PLAN_INVALID',
  'LIQUIDITY_LAUNCH_ALLOCATION_SUM',
  'LIQUIDITY_SOURCE_UNAVAILABLE',
  'LIQUIDITY_SOURCE_VERSION_CHANGED',
] as const

const days = (number: number) => number * 86_400
const fixedPrice = {
  kind: 'FIXED_PRICE',
  priceX18: '2000000000000000000',
  tokens: '100000000000000000000000',
  cap: '200000000000000000000000',
} as const

export const createLaunchPlans = operation({
  id: 'createLaunchPlans',
  path: '/launch-plans',
  ...written,
  summary: 'Create launch plan',
  description:
    'Creates a launch plan record from the common body {payload, evidenceHashes?, reason}; the service computes its status: VALIDATED, or PARTIAL if data is missing. The allocations sum exactly to the supply; every mechanism is computed on the same demand. A replacement plan names the replaced version in `supersedes`; the same transaction retires that version.',
  success: [201],
  body: LaunchPlanCreate,
  response: record(LaunchPlanRecord),
  errors: planRefusals,
  example: {
    body: {
      payload: {
        label: 'Public launch',
        token: 'eip155:31337/erc20:0x8464135c8f25da09e49bc8782676a84730c318bc',
        quote: 'eip155:31337/erc20:0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2',
        launchAt: '2099-03-01T12:00:00Z',
        totalSupply: '1000000000000000000000000',
        allocations: [
          { bucket: 'sale', tokens: '200000000000000000000000', recipientClass: 'SALE' },
          {
            bucket: 'team',
            tokens: '300000000000000000000000',
            recipientClass: 'TEAM',
            vesting: {
              kind: 'LINEAR',
              from: '2099-03-01T12:00:00Z',
              to: '2103-03-01T12:00:00Z',
              cliffAt: '2100-03-01T12:00:00Z',
              stepSeconds: days(30),
            },
          },
          { bucket: 'treasury', tokens: '500000000000000000000000', recipientClass: 'TREASURY' },
        ],
        mechanism: fixedPrice,
        alternatives: [
          {
            kind: 'DUTCH_DYNAMIC',
            startPriceX18: '4000000000000000000',
            endPriceX18: '1000000000000000000',
            epochSeconds: 3600,
            durationSeconds: days(1),
            tokens: '100000000000000000000000',
            minimumProceeds: '1',
            maximumProceeds: '400000000000000000000000',
          },
        ],
        demand: {
          kind: 'DRAWN',
          bidders: 50,
          totalBudget: '300000000000000000000000',
          medianPriceX18: '2000000000000000000',
          spreadPips: 300_000,
          windowSeconds: days(1),
          seed: `0x${'7'.repeat(64)}`,
        },
      },
      reason: 'Decided by the board',
    },
  },
})

export const getLaunchPlans = getOperation(launchPlans, {
  id: 'getLaunchPlans',
  summary: 'Get launch plan',
})

const template = oneOf(
  ['STANDARD_90_DAY'],
  'Nineteen steps from ninety days before the launch to thirty after it.',
)

const TimelineAppend = named(
  'TimelineAppend',
  closed(
    {
      expectedTimelineHead: Type.Optional(Hash),
      event: Type.Optional(TimelineStepInput),
      template: Type.Optional(template),
      evidenceHashes: Type.Optional(EvidenceHashes),
      reason: Reason,
    },
    { description: 'Either one step, `event`, or those of a template.' },
  ),
)

const timelineRefusals = [
  'LIQUIDITY_LAUNCH_PLAN_RETIRED',
  'LIQUIDITY_PRECONDITION_AMBIGUOUS',
] as const

export const appendLaunchTimelineEvent = operation({
  id: 'appendLaunchTimelineEvent',
  path: '/launch-plans/{id}/timeline-events',
  ...written,
  summary: 'Append launch timeline event',
  description:
    'Appends a step, or the steps of a template, to the timeline at the reviewed head: expectedTimelineHead, or If-Match. The same key again amends an open step; both dates are stored.',
  precondition: 'optional',
  success: [201],
  body: TimelineAppend,
  response: data(OperatingSystemEvent),
  errors: [
    ...timelineRefusals,
    'LIQUIDITY_LAUNCH_STEP_INVALID',
    'LIQUIDITY_LAUNCH_TIMELINE_CYCLE',
    'LIQUIDITY_LAUNCH_DEPENDENCY_UNKNOWN',
    'LIQUIDITY_LAUNCH_STEP_DONE',
  ],
  example: { body: { template: 'STANDARD_90_DAY', reason: 'Standard process' } },
})

export const getLaunchTimeline = operation({
  id: 'getLaunchTimeline',
  method: 'GET',
  path: '/launch-plans/{id}/timeline',
  ...heading,
  summary: 'Get launch timeline',
  description:
    'Timeline of a launch plan as one document, with the state of every step, the critical path and the current gates. Its ETag is the head of the timeline. Gates of an unreadable chain are UNKNOWN.',
  auth: session,
  permission: 'read',
  cacheControl: 'private, no-store',
  success: [200],
  response: record(LaunchTimeline),
})

const TimelineCompletion = named(
  'TimelineCompletion',
  closed({
    timelineHead: Type.Optional(Hash),
    evidence: list(LaunchEvidence, 64),
    reason: Reason,
  }),
)

export const completeLaunchTimelineEvent = operation({
  id: 'completeLaunchTimelineEvent',
  path: '/launch-plans/{id}/timeline-events/{eventId}/complete',
  ...written,
  summary: 'Complete launch timeline event',
  description:
    'Marks one timeline event complete by appending evidence, if all its dependencies are done and its gate is open at the last finalized block. If-Match, or timelineHead, names the reviewed head.',
  precondition: 'optional',
  success: [200],
  body: TimelineCompletion,
  response: data(OperatingSystemEvent),
  errors: [
    ...timelineRefusals,
    'LIQUIDITY_LAUNCH_DEPENDENCY_OPEN',
    'LIQUIDITY_LAUNCH_GATE_UNSATISFIED',
    'LIQUIDITY_LAUNCH_STEP_DONE',
    'LIQUIDITY_LAUNCH_STEP_NOT_STARTED',
    'LIQUIDITY_LAUNCH_EVIDENCE_MISSING',
    'LIQUIDITY_LAUNCH_EVIDENCE_MISMATCH',
    'LIQUIDITY_SOURCE_UNAVAILABLE',
    'LIQUIDITY_SOURCE_VERSION_CHANGED',
    'LIQUIDITY_PROVIDER_UNKNOWN',
    ...chainErrors,
    'LIQUIDITY_CHAIN_REORGED',
    'LIQUIDITY_CHAIN_STATE_UNAVAILABLE',
    'LIQUIDITY_CHAIN_PROVIDERS_DISAGREE',
  ],
  example: {
    body: {
      evidence: [
        {
          kind: 'DOCUMENT',
          hash: '0x3333333333333333333333333333333333333333333333333333333333333333',
        },
      ],
      reason: 'The legal opinion is signed',
    },
  },
})

const LaunchWorkspace = named(
  'LaunchWorkspace',
  closed({
    decisionPack: DecisionPackRecord,
    strategyDraft: StrategyDefinitionV2Record,
    studyRequest: SimulationStudyRecord,
    ...noAuthority,
  }),
)

export const seedLaunchWorkspace = operation({
  id: 'seedLaunchWorkspace',
  path: '/launch-plans/{id}/seed-workspace',
  ...written,
  summary: 'Seed launch workspace',
  description:
    'Seeds a workspace from the reviewed version of the launch plan: a draft decision packet, a draft strategy for the venue, and a queued study of the strategy; all three or none. Preparatory only.',
  precondition: 'optional',
  success: [201],
  body: named(
    'LaunchWorkspaceSeed',
    closed({ launchPlanResourceVersion: Type.Optional(Hash), reason: Reason }),
  ),
  response: data(LaunchWorkspace),
  errors: [
    ...timelineRefusals,
    'LIQUIDITY_LAUNCH_WORKSPACE_EXISTS',
    'LIQUIDITY_LAUNCH_WORKSPACE_INCOMPLETE',
    'LIQUIDITY_SOURCE_UNAVAILABLE',
    'LIQUIDITY_SOURCE_VERSION_CHANGED',
  ],
  example: { body: { reason: 'Start of the work' } },
})

export const seedLaunchPlanFromCapitalStudy = operation({
  id: 'seedLaunchPlanFromCapitalStudy',
  path: '/capital-requirements/{id}/seed-launch-plan',
  ...written,
  family: 'Treasury ledger and capital planning',
  summary: 'Seed launch plan from capital study',
  description:
    'Creates a launch plan bound to the reviewed version of the study, named by If-Match or as studyResourceVersion, with the steps of a template. Without supply and allocations the tokens of the study are the whole supply, and the plan is PARTIAL with this reason.',
  precondition: 'optional',
  success: [201],
  body: named(
    'LaunchPlanSeed',
    closed({
      studyResourceVersion: Type.Optional(Hash),
      launchAt: LaunchPlanInput.properties.launchAt,
      mechanism: LaunchMechanism,
      template,
      label: LaunchPlanInput.properties.label,
      totalSupply: Type.Optional(LaunchPlanInput.properties.totalSupply),
      allocations: Type.Optional(LaunchPlanInput.properties.allocations),
      venueId: LaunchPlanInput.properties.venueId,
      reason: Reason,
    }),
  ),
  response: record(LaunchPlanRecord),
  errors: [...planRefusals, 'LIQUIDITY_CAPITAL_STUDY_UNUSABLE', 'LIQUIDITY_PRECONDITION_AMBIGUOUS'],
  example: {
    body: {
      launchAt: '2099-03-01T12:00:00Z',
      mechanism: { kind: 'V2_SEED' },
      template: 'STANDARD_90_DAY',
      label: 'Seeded launch',
      reason: 'Decided by the board',
    },
  },
})

export const launchPlanFamily = declareFamily({
  module: 'plan/launch-plans',
  operations: [
    listLaunchPlans,
    createLaunchPlans,
    getLaunchPlans,
    appendLaunchTimelineEvent,
    getLaunchTimeline,
    completeLaunchTimelineEvent,
    seedLaunchWorkspace,
    seedLaunchPlanFromCapitalStudy,
  ],
  type: 'LaunchPlan',
  prefix: 'launch_plan',
  name: 'launch plan',
  plural: 'launch plans',
  payload: LaunchPlan,
  moves,
  events: [
    'launch.plan.created',
    'launch.plan.retired',
    'launch.timeline.appended',
    'launch.timeline.completed',
    'launch.timeline.slipped',
    'launch.workspace.seeded',
  ],
  title: 'payload.request.label',
  columns: ['payload.request.label', 'payload.request.launchAt', 'status', 'createdAt'],
  ui: {
    page: 'plan/launch',
    task: 'Launches',
    icon: 'rocket',
    summary: 'Launch date, mechanism and open blockers.',
    empty: 'Create a plan to list the steps and blockers of a launch.',
    head: ['payload.request.launchAt', 'payload.computed.circulatingAtLaunch'],
    actions: {
      createLaunchPlans: { label: 'Create launch plan' },
      appendLaunchTimelineEvent: { label: 'Add steps', when: ['VALIDATED', 'PARTIAL'] },
      seedLaunchWorkspace: { label: 'Create workspace', when: ['VALIDATED', 'PARTIAL'] },
    },
    docs: 'launch-plans',
  },
})

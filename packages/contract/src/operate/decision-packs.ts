import Type, { type Static } from 'typebox'
import { OperatingSystemEvent, versioned } from '../envelope.ts'
import { declareFamily, recordQuery } from '../family.ts'
import { bytes, data, operation, record, session } from '../operation.ts'
import { getOperation, listOperation, versionOperation, versionsOperation } from '../reading.ts'
import { closed, EvidenceHashes, Hash, list, named, oneOf, Reason } from '../scalars.ts'
import {
  DecisionMetricId,
  DecisionOptionId,
  DecisionPack,
  DecisionPackInput,
  DecisionPackSection,
  decisionPlace,
  decisionSections,
  researchPack,
  treasuryPack,
} from './decision-pack.ts'

export * from './decision-pack.ts'

export const DecisionPackRecord = versioned('DecisionPack', DecisionPack)

const heading = { tag: 'Operate', family: 'Decision packs' } as const

const decisionPacks = {
  path: '/decision-packs',
  ...heading,
  one: 'pack',
  record: DecisionPackRecord,
  cacheControl: 'private, no-store',
} as const

const moves = {
  DRAFT: ['DRAFT', 'VALIDATED', 'REVOKED', 'EXPIRED'],
  VALIDATED: ['VALIDATED', 'DRAFT', 'COMPLETED', 'REVOKED', 'EXPIRED'],
  COMPLETED: ['COMPLETED'],
  REVOKED: [],
  EXPIRED: [],
} as const

const DecisionPackFromTreasury = named(
  'DecisionPackFromTreasury',
  closed({
    ...treasuryPack,
    evidenceHashes: Type.Optional(EvidenceHashes),
    reason: Reason,
  }),
)

const DecisionPackFromResearch = named(
  'DecisionPackFromResearch',
  closed({
    ...researchPack,
    evidenceHashes: Type.Optional(EvidenceHashes),
    reason: Reason,
  }),
)

const DecisionPackCreate = named(
  'DecisionPackCreate',
  closed({
    payload: DecisionPackInput,
    evidenceHashes: Type.Optional(EvidenceHashes),
    reason: Reason,
  }),
)

export const decisionCommands = [
  'REVISE',
  'REFRESH_EVIDENCE',
  'SUBMIT',
  'APPROVE',
  'DISSENT',
  'REJECT',
  'WITHDRAW',
  'RECORD_OUTCOME',
] as const
export type DecisionCommandName = (typeof decisionCommands)[number]

const note = Type.String({
  minLength: 3,
  maxLength: 2000,
  description: "Actor's reason.",
})
const command = <const K extends DecisionCommandName>(kind: K, description: string) => ({
  command: Type.Literal(kind, { description }),
})
const ending = {
  resourceVersion: Type.Optional(Hash),
  evidenceHashes: Type.Optional(EvidenceHashes),
  reason: Reason,
}

export const DecisionPackCommand = named(
  'DecisionPackCommand',
  Type.Union([
    closed({
      ...command('REVISE', 'Complete new content; approvals are void.'),
      payload: DecisionPackInput,
      ...ending,
    }),
    closed({
      ...command(
        'REFRESH_EVIDENCE',
        'Binds every record to its current version, reads the metrics again and lists changes; approvals are void.',
      ),
      ...ending,
    }),
    closed({
      ...command(
        'SUBMIT',
        'Submits it for decision; its evidence is current and within the maximum age. Treasury figures require a reconciled treasury.',
      ),
      ...ending,
    }),
    closed({
      ...command('APPROVE', 'The word of one user for one alternative.'),
      optionId: DecisionOptionId,
      note: Type.Optional(note),
      ...ending,
    }),
    closed({
      ...command('DISSENT', 'A reasoned objection; every later version retains it.'),
      optionId: Type.Optional(DecisionOptionId),
      note,
      ...ending,
    }),
    closed({ ...command('REJECT', 'Rejection of all alternatives.'), note, ...ending }),
    closed({
      ...command('WITHDRAW', 'Withdrawal of the decision.'),
      note: Type.Optional(note),
      ...ending,
    }),
    closed({
      ...command('RECORD_OUTCOME', 'Outcome of the decision figures.'),
      evidence: list(closed({ metricId: DecisionMetricId, ...decisionPlace }), 64, {
        minItems: 1,
        description:
          'Current location of a metric of the approved alternative. In a record of the same kind, the predicted figure itself.',
      }),
      ...ending,
    }),
  ]),
)
export type DecisionPackCommand = Static<typeof DecisionPackCommand>

const DecisionPackCommandResult = named(
  'DecisionPackCommandResult',
  closed({
    pack: DecisionPackRecord,
    event: OperatingSystemEvent,
    allowedCommands: list(oneOf(decisionCommands, 'Commands available now.'), 8, {
      description: "Commands valid in its state, regardless of the caller's permission.",
    }),
  }),
)

const contentRefusals = [
  'LIQUIDITY_DECISION_PACK_INVALID',
  'LIQUIDITY_DECISION_PACK_METRIC_UNBOUND',
  'LIQUIDITY_DECISION_PACK_METRIC_UNITLESS',
  'LIQUIDITY_DECISION_PACK_UNIT_MISMATCH',
  'LIQUIDITY_SOURCE_UNAVAILABLE',
  'LIQUIDITY_SOURCE_VERSION_CHANGED',
] as const

const created = {
  method: 'POST',
  ...heading,
  auth: session,
  permission: 'prepare',
  idempotency: 'key-160',
  cacheControl: 'private, no-store',
  success: [201],
} as const

const projectionExample = {
  resourceType: 'TreasuryProjection',
  id: 'treasury_projection_example',
  resourceVersion: '0x1111111111111111111111111111111111111111111111111111111111111111',
} as const

export const createDecisionPackFromTreasury = operation({
  id: 'createDecisionPackFromTreasury',
  path: '/decision-packs/from-treasury',
  ...created,
  summary: 'Create decision pack from treasury',
  description:
    'Builds a decision packet from treasury evidence: the status quo is the first scenario of the projection; each action, mitigation and purchase of depth is an alternative with the runway after it; without these, the further scenarios are there for comparison, as assumptions that cannot be approved; each figure is bound to its source version. Given alternatives replace the derived ones.',
  body: DecisionPackFromTreasury,
  response: record(DecisionPackRecord),
  errors: contentRefusals,
  example: {
    body: {
      projection: projectionExample,
      question: 'Do we cut costs before the bear market?',
      decisionBy: '2099-01-31T00:00:00Z',
      reason: 'For the board meeting',
    },
  },
})

export const createDecisionPackFromResearch = operation({
  id: 'createDecisionPackFromResearch',
  path: '/decision-packs/from-research',
  ...created,
  summary: 'Create decision pack from research',
  description:
    'Builds a decision packet from a completed comparison run, which is verified again: the status quo is the baseline, and each alternative has its result, including alternatives without an outcome. Given alternatives replace the derived ones.',
  body: DecisionPackFromResearch,
  response: record(DecisionPackRecord),
  errors: [...contentRefusals, 'LIQUIDITY_AGENT_RUN_UNVERIFIABLE'],
  example: {
    body: {
      run: {
        resourceType: 'AgentRun',
        id: 'run_example',
        resourceVersion: '0x1111111111111111111111111111111111111111111111111111111111111111',
      },
      question: 'Do we widen the range before the unlock?',
      decisionBy: '2099-01-31T00:00:00Z',
      reason: 'For the board meeting',
    },
  },
})

export const listDecisionPacks = listOperation(decisionPacks, {
  id: 'listDecisionPacks',
  summary: 'List decision packs',
  description: 'Lists the decision packets of the organization.',
  query: recordQuery(moves),
})

const metric = (value: string, pointer: string) => ({
  metricId: 'quote-needed',
  note: 'Quote tokens that the depth requires',
  value,
  pointer,
  source: {
    resourceType: 'CapitalRequirementStudy',
    id: 'capital_requirement_example',
    resourceVersion: '0x1111111111111111111111111111111111111111111111111111111111111111',
  },
})

export const createDecisionPack = operation({
  id: 'createDecisionPack',
  path: '/decision-packs',
  ...created,
  summary: 'Create decision pack',
  description:
    'Creates a decision packet directly. The service reads each metric again at its pointer in the named version and rejects differences. Label, unit, asset and direction belong to the field at the pointer (`x-title`, `x-unit`, `x-asset` and `x-better` of its schema); `note` adds your text. A Merkle root over its sections seals the packet.',
  body: DecisionPackCreate,
  response: record(DecisionPackRecord),
  errors: contentRefusals,
  example: {
    body: {
      payload: {
        question: 'Do we provide 2 % depth on both sides?',
        options: [
          {
            optionId: 'nothing',
            label: 'Keep the current position',
            statusQuo: true,
            summary: '',
            metrics: [],
            risks: ['Slippage stays high'],
            reversibility: 'REVERSIBLE',
            requires: [],
          },
          {
            optionId: 'provide',
            label: 'Provide the depth',
            statusQuo: false,
            summary: '',
            metrics: [metric('10049752469181038976681694', '/payload/base/quote')],
            risks: ['The price may leave the range'],
            reversibility: 'COSTLY',
            requires: [],
          },
        ],
        decisionBy: '2099-01-31T00:00:00Z',
      },
      reason: 'For the board meeting',
    },
  },
})

export const getDecisionPack = getOperation(decisionPacks, {
  id: 'getDecisionPack',
  summary: 'Get decision pack',
  description: 'Current version of one decision packet, with its ETag.',
  parameter: 'packId',
  statedErrors: [],
})

export const listDecisionPackVersions = versionsOperation(decisionPacks, {
  id: 'listDecisionPackVersions',
  summary: 'List decision pack versions',
  parameter: 'packId',
})

export const getDecisionPackVersion = versionOperation(decisionPacks, {
  id: 'getDecisionPackVersion',
  summary: 'Get decision pack version',
  description: 'Returns one version by its sequence number.',
  parameter: 'packId',
})

export const applyDecisionPackCommand = operation({
  id: 'applyDecisionPackCommand',
  method: 'POST',
  path: '/decision-packs/{packId}/commands',
  ...heading,
  summary: 'Apply decision pack command',
  description:
    'Applies a typed lifecycle command to the reviewed version, named by If-Match or as resourceVersion. APPROVE, REJECT and DISSENT need `review` and a role of the quorum; APPROVE, REJECT and WITHDRAW need a recent sign-in. Approval satisfies only HUMAN_APPROVAL gates of launches.',
  auth: session,
  permission: 'prepare',
  idempotency: 'key-160',
  precondition: 'optional',
  cacheControl: 'private, no-store',
  success: [200],
  body: DecisionPackCommand,
  response: record(DecisionPackCommandResult),
  errors: [
    ...contentRefusals,
    'LIQUIDITY_DECISION_PACK_TRANSITION',
    'LIQUIDITY_DECISION_PACK_EVIDENCE_STALE',
    'LIQUIDITY_DECISION_PACK_EVIDENCE_SUPERSEDED',
    'LIQUIDITY_DECISION_PACK_BOOKS_DIFFER',
    'LIQUIDITY_DECISION_PACK_ALREADY_APPROVED',
    'LIQUIDITY_DECISION_PACK_OPTION_CONFLICT',
    'LIQUIDITY_DECISION_PACK_QUORUM_WEAKENED',
    'LIQUIDITY_STUDIO_REAUTHENTICATION_REQUIRED',
    'LIQUIDITY_PRECONDITION_AMBIGUOUS',
  ],
  example: { body: { command: 'SUBMIT', reason: 'Ready for the board' } },
})

const versionParams = {
  sequence: getDecisionPackVersion.params.sequence,
}

export const readDecisionPackSection = operation({
  id: 'readDecisionPackSection',
  isExtension: true,
  method: 'GET',
  path: '/decision-packs/{packId}/versions/{sequence}/sections/{section}',
  ...heading,
  summary: 'Read one section of a decision pack with its proof',
  description:
    'One section of a version with its inclusion proof under the seal (RFC 6962), to disclose it without the rest.',
  auth: session,
  permission: 'read',
  params: { ...versionParams, section: oneOf(decisionSections, 'Name of the section.') },
  cacheControl: 'private, no-store',
  success: [200],
  response: data(DecisionPackSection),
})

export const downloadDecisionPack = operation({
  id: 'downloadDecisionPack',
  isExtension: true,
  method: 'GET',
  path: '/decision-packs/{packId}/versions/{sequence}/document/{format}',
  ...heading,
  summary: 'Fetch a version of a decision pack as a document',
  description:
    'Board version of a decision packet. Equal versions give equal bytes for every reader at any time.',
  auth: session,
  permission: 'read',
  params: { ...versionParams, format: oneOf(['html', 'pdf'], 'A page, or paper.') },
  cacheControl: 'private, no-cache',
  success: [200],
  response: bytes('text/html', 'application/pdf'),
})

export const decisionPackFamily = declareFamily({
  module: 'operate/decision-packs',
  operations: [
    createDecisionPackFromTreasury,
    createDecisionPackFromResearch,
    listDecisionPacks,
    createDecisionPack,
    getDecisionPack,
    listDecisionPackVersions,
    getDecisionPackVersion,
    applyDecisionPackCommand,
    readDecisionPackSection,
    downloadDecisionPack,
  ],
  type: 'DecisionPack',
  prefix: 'decision_pack',
  name: 'decision pack',
  plural: 'decision packs',
  payload: DecisionPack,
  moves,
  refusals: {
    terminal: 'LIQUIDITY_DECISION_PACK_TRANSITION',
    move: 'LIQUIDITY_DECISION_PACK_TRANSITION',
  },
  events: ['decision_pack.created', 'decision_pack.command', 'decision_pack.expired'],
  title: 'payload.question',
  columns: ['payload.question', 'status', 'payload.decisionBy', 'payload.outcome.decision'],
  ui: {
    page: 'proposals/decisions',
    task: 'Decisions',
    icon: 'vote',
    summary: 'Decisions with options, evidence and approvals.',
    empty: 'Create a decision pack to record options, evidence and votes.',
    head: ['payload.outcome.decision', 'payload.outcome.optionId', 'payload.decisionBy'],
    actions: {
      createDecisionPack: { label: 'Create decision pack' },
      createDecisionPackFromTreasury: { label: 'Create from treasury' },
      createDecisionPackFromResearch: { label: 'Create from research' },
      applyDecisionPackCommand: {
        label: 'Send command',
        when: ['DRAFT', 'VALIDATED', 'COMPLETED'],
      },
    },
    docs: 'decision-packs',
  },
})

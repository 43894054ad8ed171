import Type, { type Static } from 'typebox'
import { Gap, OperatingSystemEvent, Ref } from '../envelope.ts'
import { declareFamily, recordQuery } from '../family.ts'
import { collection, data, operation, paging, record, session } from '../operation.ts'
import { getOperation, listOperation } from '../reading.ts'
import {
  closed,
  EvidenceHashes,
  Hash,
  list,
  named,
  oneOf,
  orNull,
  Pips,
  Reason,
} from '../scalars.ts'
import { exampleMarket } from '../simulate/example-market.ts'
import { StudySpec } from '../simulate/study-spec.ts'
import {
  AgentRun,
  AgentRunBudget,
  AgentRunRecord,
  AllowedCommands,
  budget,
  CapturedItem,
  Count,
  Mode,
  Phase,
  ProposalSubject,
  Revision,
  type RunCommandName,
  RunTrial,
} from './agent-run.ts'
import { AgentRunResult } from './agent-run-result.ts'
import { HealthSubject } from './health-report.ts'
import { ProjectSubject } from './public-project-report.ts'
import {
  ResearchClarification,
  ResearchFeasibility,
  ResearchProtocol,
  ResearchProtocolDraft,
  ResearchQuestion,
  TrialKeyName,
} from './research-protocol.ts'

export * from './agent-run.ts'
export * from './agent-run-result.ts'
export * from './cited-figure.ts'
export * from './health-report.ts'
export * from './narration.ts'
export * from './proposal-review-report.ts'
export * from './public-project-report.ts'
export * from './research-protocol.ts'
export * from './research-report.ts'

const heading = { tag: 'Intelligence', family: 'Agent runs and research' } as const

const agentRuns = {
  path: '/agent-runs',
  ...heading,
  one: 'agent run',
  record: AgentRunRecord,
  cacheControl: 'private, no-store',
} as const

const moves = {
  DRAFT: ['ACTIVE', 'PAUSED', 'REVOKED'],
  ACTIVE: ['ACTIVE', 'PAUSED', 'COMPLETED', 'PARTIAL', 'ABSTAINED', 'FAILED', 'REVOKED'],
  PAUSED: ['ACTIVE', 'PAUSED', 'REVOKED'],
  COMPLETED: [],
  PARTIAL: [],
  ABSTAINED: [],
  FAILED: [],
  REVOKED: [],
} as const

const reading = {
  method: 'GET',
  ...heading,
  auth: session,
  permission: 'read',
  cacheControl: 'private, no-store',
  success: [200],
} as const

const ResearchPlanningState = named(
  'ResearchPlanningState',
  closed({
    protocolDraft: orNull(ResearchProtocolDraft),
    protocolHash: orNull(Hash),
    sealed: Type.Boolean({ description: 'True if approved and immutable.' }),
    clarifications: list(ResearchClarification, 8),
    feasibility: list(ResearchFeasibility, 4),
    revisions: list(Revision, 64),
    allowedCommands: AllowedCommands,
  }),
)

export const getResearchPlanning = operation({
  id: 'getResearchPlanning',
  path: '/agent-runs/{runId}/research-planning',
  ...reading,
  summary: 'Get research planning',
  description:
    'Protocol draft or sealed protocol, open questions, cost of each trial, and every revision. The draft is null until it exists.',
  statedErrors: [400, 401, 403, 404, 503],
  response: data(ResearchPlanningState),
  errors: ['LIQUIDITY_AGENT_RUN_UNVERIFIABLE'],
  example: { params: { runId: 'run_example' } },
})

const ResearchProgress = named(
  'ResearchProgress',
  closed({
    phase: Phase,
    capture: orNull(
      closed({ captureHash: Hash, items: Count, coveragePips: Pips, gaps: list(Gap, 64) }),
    ),
    trials: list(
      closed({
        ...RunTrial.properties,
        progressPips: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
      }),
      4,
    ),
    budget: closed({ ...budget, usedSteps: Count, usedMilliseconds: Count }),
    allowedCommands: AllowedCommands,
  }),
)

export const getResearchProgress = operation({
  id: 'getResearchProgress',
  path: '/agent-runs/{runId}/research-progress',
  ...reading,
  summary: 'Get research progress',
  description: 'Progress of the run, by trial; failed and incompatible trials stay listed.',
  statedErrors: [400, 401, 403, 404, 503],
  response: data(ResearchProgress),
  example: { params: { runId: 'run_example' } },
})

const ResearchTrialInput = named(
  'ResearchTrialInput',
  closed({
    trialKey: TrialKeyName,
    protocolHash: Hash,
    captureHash: orNull(Hash),
    spec: orNull(StudySpec),
    specHash: orNull(Hash),
    seed: Hash,
    issues: list(Type.String(), 50, {
      description: 'Reason for a missing study; empty if a study exists.',
    }),
    differsFromBaseline: list(
      closed({
        pointer: Type.String(),
        baseline: Type.Unknown({
          description: 'Value in the baseline; null if absent.',
        }),
        value: Type.Unknown(),
      }),
      16,
    ),
  }),
)

export const getResearchTrialInput = operation({
  id: 'getResearchTrialInput',
  path: '/agent-runs/{runId}/research-trials/{trialKey}',
  ...reading,
  summary: 'Get research trial input',
  description:
    'The study that a trial is: enough to run it elsewhere with POST /studies. Of a protocol that is sealed; an alternative that it has not is 404.',
  params: { trialKey: TrialKeyName },
  statedErrors: [400, 401, 403, 404, 503],
  response: data(ResearchTrialInput),
  errors: ['LIQUIDITY_AGENT_RUN_UNVERIFIABLE'],
  example: { params: { runId: 'run_example', trialKey: 'alternative-1' } },
})

export const getAgentRunResult = operation({
  id: 'getAgentRunResult',
  path: '/agent-runs/{runId}/result',
  ...reading,
  summary: 'Get agent run result',
  description:
    'Report, rebuilt for each read from the sealed capture and settled draft, for research also from the protocol and the trial receipts. If a byte is missing or different, or the rebuilt report differs, the response is 503 without any part of the report. 404 until a run ends with a result. A proposal review requires the permission to review (403) and the reviewed version of the proposal (412). Failed and incompatible trials stay listed; COMPLETED research describes modeled work only.',
  statedErrors: [400, 401, 403, 404, 503],
  response: data(AgentRunResult),
  errors: ['LIQUIDITY_AGENT_RUN_UNVERIFIABLE', 'LIQUIDITY_PRECONDITION_FAILED'],
  example: { params: { runId: 'run_example' } },
})

const AgentRunEvidence = named(
  'AgentRunEvidence',
  closed({
    ...CapturedItem.properties,
    content: Type.Unknown({ description: 'Sealed JSON; null if withheld.' }),
    withheld: orNull(
      oneOf(
        ['TOO_LARGE', 'NOT_JSON'],
        'Reason for storage as an artifact: above 256 KiB, or not a JSON document.',
      ),
    ),
    contentBytes: Count,
    inclusion: closed({
      leafIndex: Count,
      treeSize: Count,
      path: list(Hash, 16),
      captureHash: Hash,
    }),
  }),
)

export const getAgentRunEvidence = operation({
  id: 'getAgentRunEvidence',
  path: '/agent-runs/{runId}/evidence/{evidenceId}',
  ...reading,
  summary: 'Get agent run evidence',
  description:
    'One sealed item with its path to the captureHash (RFC 6962). Withheld content is stored as an artifact under its contentHash.',
  response: data(AgentRunEvidence),
  errors: ['LIQUIDITY_AGENT_RUN_UNVERIFIABLE'],
})

const ending = { reason: Reason }
const command = <const K extends RunCommandName>(kind: K, description: string) => ({
  command: Type.Literal(kind, { description }),
  expectedPhase: Phase,
})

const AgentRunCommand = named(
  'AgentRunCommand',
  Type.Union([
    closed({
      ...command(
        'APPROVE_PLAN',
        'Approval that seals the protocol; the capture starts afterwards.',
      ),
      arguments: closed({ protocolHash: Hash }),
      ...ending,
    }),
    closed({
      ...command('REVISE_PLAN', 'Another protocol in the place of the draft.'),
      arguments: closed({ protocol: ResearchProtocol }),
      ...ending,
    }),
    closed({
      ...command('ANSWER', 'Answer to an open question of the draft.'),
      arguments: closed({
        clarificationId: ResearchClarification.properties.clarificationId,
        answer: Type.String({ minLength: 1, maxLength: 200 }),
      }),
      ...ending,
    }),
    closed({ ...command('PAUSE', 'Pause; the current step runs again later.'), ...ending }),
    closed({ ...command('RESUME', 'Resume after the last settled step.'), ...ending }),
    closed({
      ...command('RETRY_STEP', 'Tries the step again that could not be settled.'),
      ...ending,
    }),
    closed({
      ...command('EXTEND_BUDGET', 'Larger budget; replaces the previous one.'),
      arguments: AgentRunBudget,
      ...ending,
    }),
    closed({ ...command('CANCEL', 'End of the run and its jobs.'), ...ending }),
  ]),
)
export type AgentRunCommand = Static<typeof AgentRunCommand>

const AgentRunCommandResult = named(
  'AgentRunCommandResult',
  closed({ run: AgentRunRecord, event: OperatingSystemEvent, allowedCommands: AllowedCommands }),
)

export const applyAgentRunCommand = operation({
  id: 'applyAgentRunCommand',
  method: 'POST',
  path: '/agent-runs/{runId}/commands',
  ...heading,
  summary: 'Apply agent run command',
  description:
    'Typed command for a run in the phase that the sender saw. A command for another phase is rejected and not stored.',
  auth: session,
  permission: 'prepare',
  idempotency: 'key-160',
  cacheControl: 'private, no-store',
  success: [200],
  body: AgentRunCommand,
  response: record(AgentRunCommandResult),
  errors: [
    'LIQUIDITY_AGENT_RUN_COMMAND',
    'LIQUIDITY_AGENT_RUN_ARGUMENTS_INVALID',
    'LIQUIDITY_AGENT_RUN_PLAN_CHANGED',
    'LIQUIDITY_AGENT_RUN_UNVERIFIABLE',
  ],
  example: {
    params: { runId: 'run_example' },
    body: {
      command: 'CANCEL',
      expectedPhase: 'AWAITING_APPROVAL',
      reason: 'Question answered elsewhere',
    },
  },
})

const sharedMembers = {
  question: Type.Optional(ResearchQuestion),
  mode: Type.Optional(Mode),
  budget: Type.Optional(AgentRunBudget),
}

const AgentRunRequest = named(
  'AgentRunRequest',
  closed({
    payload: Type.Union([
      closed(
        {
          kind: Type.Optional(
            Type.Literal('HEALTH', {
              description: 'Health of a market or a vault now; the default kind.',
            }),
          ),
          subject: HealthSubject,
          ...sharedMembers,
        },
        { examples: [{ kind: 'HEALTH', subject: { vaultId: 'vault_example' } }] },
      ),
      closed(
        {
          kind: Type.Literal('PROPOSAL_REVIEW', {
            description:
              'Review of a proposal in its current version: errors, open points, and differences between text and calls. It approves no proposal.',
          }),
          subject: ProposalSubject,
          ...sharedMembers,
        },
        {
          examples: [
            {
              kind: 'PROPOSAL_REVIEW',
              subject: {
                proposal: { id: 'proposal_example', resourceVersion: `0x${'1'.repeat(64)}` },
              },
              question: 'Which open points must we resolve before the decision?',
            },
          ],
        },
      ),
      closed(
        {
          kind: Type.Literal('PUBLIC_PROJECT', {
            description: 'Findings of one observation of a saved project, or a comparison of two.',
          }),
          subject: ProjectSubject,
          ...sharedMembers,
        },
        {
          examples: [
            {
              kind: 'PUBLIC_PROJECT',
              subject: { projectId: 'project_example', observations: [1, 2] },
            },
          ],
        },
      ),
      closed({
        kind: Type.Literal('RESEARCH', {
          description: 'Compares the candidates by a declared protocol.',
        }),
        subject: Type.Union([
          closed(
            { study: Ref },
            {
              description:
                'A study on paths with two to four arms: the first is the baseline, the others the alternatives.',
            },
          ),
          closed({ protocol: ResearchProtocol }),
        ]),
        ...sharedMembers,
      }),
    ]),
    evidenceHashes: Type.Optional(EvidenceHashes),
    reason: Reason,
  }),
)

export const startHealthAgentRun = operation({
  id: 'startHealthAgentRun',
  method: 'POST',
  path: '/agent-runs',
  ...heading,
  summary: 'Start agent run',
  description:
    'HEALTH reads the newest records of a pair or a vault, seals them, and rates them by published rules. PROPOSAL_REVIEW does the same with the current version of an open or approved proposal, and PUBLIC_PROJECT with one or two observations of a saved project. These three need no approval. RESEARCH is planned and waits until a person approves its protocol; its question names a study, and a protocol has a separate question. By default a run proceeds automatically, with at most 40 steps and one hour of work. Sentences use templates; an active LANGUAGE_MODEL provider of the organization only rewords them.',
  auth: session,
  permission: 'prepare',
  idempotency: 'key-160',
  cacheControl: 'private, no-store',
  success: [201],
  body: AgentRunRequest,
  response: record(AgentRunRecord),
  errors: ['LIQUIDITY_AGENT_RUN_SUBJECT_INVALID'],
  example: {
    body: {
      payload: {
        kind: 'RESEARCH',
        subject: {
          protocol: {
            protocolVersion: 'research-protocol-v1',
            question: 'Does a wider range lose less than a narrow one?',
            hypothesis: 'The wider range is ahead of the narrow one after a day.',
            primary: {
              metric: 'NET_VS_HOLD',
              direction: 'HIGHER',
              minimumEffect: '0',
              confidencePips: 950_000,
            },
            guardrails: [
              {
                metric: 'TIME_IN_RANGE',
                statistic: 'MEAN',
                comparator: 'GTE',
                threshold: '500000',
              },
            ],
            secondary: ['FEES', 'LVR'],
            baseline: {
              ...exampleMarket,
              flow: { kind: 'NONE' },
              arm: { position: { kind: 'TICKS', tickLower: -600, tickUpper: 600 } },
            },
            alternatives: [
              {
                label: 'Double width',
                changes: [
                  { pointer: '/arm/position/tickLower', value: -1200 },
                  { pointer: '/arm/position/tickUpper', value: 1200 },
                ],
              },
            ],
            capture: { sources: [], minimumCoveragePips: 1_000_000 },
            seed: '0x0000000000000000000000000000000000000000000000000000000000000007',
            paths: 200,
            exclusions: ['Traders who are no arbitrageurs'],
            stopping: 'FIXED',
            multiplicity: 'HOLM',
          },
        },
      },
      reason: 'Before the move of the range',
    },
  },
})

export const listAgentRuns = listOperation(agentRuns, {
  id: 'listAgentRuns',
  summary: 'List agent runs',
  description: 'Lists the agent runs of the organization, newest first.',
  query: recordQuery(moves),
})

export const getAgentRun = getOperation(agentRuns, {
  id: 'getAgentRun',
  summary: 'Get agent run',
  description: 'Returns the current version of an agent run.',
  parameter: 'runId',
  statedErrors: [],
})

export const listAgentRunEvents = operation({
  id: 'listAgentRunEvents',
  path: '/agent-runs/{runId}/events',
  ...reading,
  summary: 'List agent run events',
  description:
    'Hash chain of a run, oldest first: each event names the previous hash. The cursor is a sequence number; the page starts after it.',
  paging: paging(50, 100, null, 'SEQUENCE'),
  response: collection(OperatingSystemEvent),
})

export const agentRunFamily = declareFamily({
  module: 'intelligence/agent-runs',
  operations: [
    startHealthAgentRun,
    listAgentRuns,
    getAgentRun,
    listAgentRunEvents,
    getResearchPlanning,
    getResearchProgress,
    getResearchTrialInput,
    getAgentRunResult,
    getAgentRunEvidence,
    applyAgentRunCommand,
  ],
  type: 'AgentRun',
  prefix: 'run',
  name: 'agent run',
  plural: 'agent runs',
  payload: AgentRun,
  moves,
  refusals: { terminal: 'LIQUIDITY_AGENT_RUN_COMMAND', move: 'LIQUIDITY_AGENT_RUN_COMMAND' },
  events: [
    'agent_run.started',
    'agent_run.phase_changed',
    'agent_run.command_applied',
    'agent_run.protocol_sealed',
    'agent_run.capture_sealed',
    'agent_run.trial_settled',
    'agent_run.step_settled',
    'agent_run.result_verified',
  ],
  title: 'payload.question',
  columns: ['payload.question', 'payload.phase', 'status', 'createdAt'],
  ui: {
    page: 'research/runs',
    task: 'Agent runs',
    icon: 'flask-conical',
    summary: 'Health checks, proposal reviews and comparisons.',
    empty: 'Start a run to check a market, compare venues or review a proposal.',
    head: [
      ...(['payload.phase', 'payload.report.state', 'payload.narration.status'] as const),
      'payload.usage.steps',
    ],
    actions: {
      startHealthAgentRun: { label: 'Start run' },
      applyAgentRunCommand: { label: 'Send command', when: ['DRAFT', 'ACTIVE', 'PAUSED'] },
    },
    docs: 'research',
  },
})

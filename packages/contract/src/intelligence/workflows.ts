import Type, { type Static } from 'typebox'
import { Evidence, mutation, versioned } from '../envelope.ts'
import { declareFamily } from '../family.ts'
import { data, operation, paging, record, session } from '../operation.ts'
import { getOperation, listOperation } from '../reading.ts'
import {
  AtomicAmount,
  closed,
  Hash,
  Label,
  list,
  named,
  oneOf,
  openObject,
  orNull,
  RecordId,
  Timestamp,
} from '../scalars.ts'

export const workflowKinds = ['PROJECT_HEALTH', 'LIQUIDITY_COMPARISON', 'EXIT_SCALE'] as const
const WorkflowKind = oneOf(
  workflowKinds,
  'PROJECT_HEALTH: findings and gaps of one observation. LIQUIDITY_COMPARISON: two observations compared, from one or two projects. EXIT_SCALE: a token amount compared with pool reserves.',
)

const Version = Type.Integer({
  minimum: 1,
  maximum: 999_999_999,
  description: 'Number of the observation.',
})

const Subject = closed({ projectId: RecordId, version: Version })

export const WorkflowParameters = named(
  'WorkflowParameters',
  closed({
    baseAmount: Type.Optional(
      Type.Intersect([AtomicAmount], {
        description: 'Token atoms, above zero; required for EXIT_SCALE, rejected otherwise.',
      }),
    ),
  }),
)

export const RunWorkflow = named(
  'RunWorkflow',
  mutation(
    closed({
      workflow: WorkflowKind,
      subjects: list(Subject, 2, {
        minItems: 1,
        description:
          'Existing observations: one, or two for LIQUIDITY_COMPARISON. The service reads no new data.',
      }),
      parameters: Type.Optional(WorkflowParameters),
    }),
  ),
)

const Figure = closed({
  pointer: Type.String({
    maxLength: 200,
    description: 'JSON pointer into the analysis of the subject; empty for computed values.',
  }),
  value: Type.String({ maxLength: 200 }),
  unit: oneOf(
    ['ATOMS', 'PIPS', 'COUNT', 'TEXT', 'X36'],
    'Atoms of the token or quote asset that the text names; millionths; a number of things; a word; or a price times 10^36.',
  ),
  subject: orNull(
    Type.Integer({
      minimum: 0,
      maximum: 1,
      description: 'Index in `subjects`; null for values computed from both.',
    }),
  ),
})

const Section = closed({
  id: Type.String({ pattern: '^[a-z][a-z-]{1,39}$' }),
  title: Type.String({ maxLength: 120 }),
  findings: list(
    closed({
      code: Type.String({ pattern: '^[A-Z][A-Z0-9_]{1,59}$' }),
      text: Type.String({ maxLength: 400 }),
      figures: list(Figure, 8),
    }),
    64,
  ),
})

/** A completed research workflow that reads only pinned observations. */
export const WorkflowRun = named(
  'WorkflowRun',
  closed({
    workflow: WorkflowKind,
    subjects: list(
      closed({ id: RecordId, resourceVersion: Hash, version: Version, analysisHash: Hash }),
      2,
      { minItems: 1, description: 'Observation records in request order.' },
    ),
    parameters: WorkflowParameters,
    state: oneOf(
      ['COMPLETED', 'PARTIAL', 'ABSTAINED'],
      'PARTIAL: an observation lacks required figures. ABSTAINED: no result is possible without them.',
    ),
    reasons: list(
      oneOf(
        ['FIGURES_MISSING', 'POOLS_MISSING', 'NO_POOL', 'NO_RESERVE', 'NOT_COMPARABLE'],
        'FIGURES_MISSING, POOLS_MISSING: an observation has gaps. NO_POOL, NO_RESERVE: no reference for the measurement. NOT_COMPARABLE: the observations share no quote asset.',
      ),
      8,
    ),
    sections: list(Section, 8),
    limitations: list(Type.String({ maxLength: 200 }), 8),
    resultHash: Type.Intersect([Hash], {
      description:
        'Content hash, tag `workflow-result/v1`, of workflow, subjects, parameters, state, reasons, sections and limitations.',
    }),
    evidence: Evidence,
    executionAuthorityGranted: Type.Literal(false),
  }),
)
export type WorkflowRun = Static<typeof WorkflowRun>
export const WorkflowRunRecord = versioned('WorkflowRun', WorkflowRun)

export const WorkflowContext = named(
  'WorkflowContext',
  closed({
    role: Type.String({ maxLength: 40, description: 'Role of the actor in this organization.' }),
    mayRun: Type.Boolean({
      description: 'True if the role may prepare and the daily run quota is not used up.',
    }),
    workflows: list(
      closed({
        kind: WorkflowKind,
        title: Type.String({ maxLength: 120 }),
        parameters: openObject('JSON Schema (2020-12) of `parameters`.'),
        subjectsNeeded: Type.Integer({ minimum: 1, maximum: 2 }),
        subjects: list(closed({ projectId: RecordId, version: Version, label: Label }), 200, {
          description: 'Projects with their newest observation.',
        }),
        missing: list(oneOf(['SAVED_PROJECT', 'SECOND_OBSERVATION'], 'Missing prerequisites.'), 2),
      }),
      3,
    ),
    used: Type.Integer({ minimum: 0, description: 'Runs of the organization since midnight UTC.' }),
    limit: Type.Integer({ minimum: 1, description: 'Maximum runs per day.' }),
    resetsAt: Timestamp,
  }),
)
export type WorkflowContext = Static<typeof WorkflowContext>

const heading = { tag: 'Intelligence', family: 'Other API resources' } as const

const runs = {
  path: '/workflows/runs',
  ...heading,
  one: 'run',
  record: WorkflowRunRecord,
} as const

export const getWorkflowContext = operation({
  id: 'getWorkflowContext',
  method: 'GET',
  path: '/workflows/context',
  ...heading,
  summary: 'Get workflow context',
  description:
    '200 data WorkflowContext: available workflows, eligible observations, and remaining runs of the day.',
  auth: session,
  permission: 'read',
  success: [200],
  response: data(WorkflowContext),
})

export const listCompletedWorkflowRuns = listOperation(runs, {
  id: 'listCompletedWorkflowRuns',
  summary: 'List completed workflow runs',
  description: 'Completed workflow runs. Cursor at most 1024 characters.',
  paging: paging(20, 20, '^[A-Za-z0-9_-]+$'),
})

export const getCompletedWorkflowRun = getOperation(runs, {
  id: 'getCompletedWorkflowRun',
  summary: 'Get completed workflow run',
  description: 'Returns a completed run.',
  statedErrors: [],
})

export const runWorkflowResearch = operation({
  id: 'runWorkflowResearch',
  method: 'POST',
  path: '/workflows/run',
  ...heading,
  summary: 'Run workflow research',
  description:
    'Runs a research workflow on existing observations and stores it as a completed run: equal observations and parameters give an equal resultHash. No chain read, no recommendation.',
  auth: session,
  permission: 'prepare',
  idempotency: 'key-160',
  success: [201],
  body: RunWorkflow,
  response: record(WorkflowRunRecord),
  errors: [
    'LIQUIDITY_WORKFLOW_SUBJECT_INVALID',
    'LIQUIDITY_WORKFLOW_PARAMETERS_INVALID',
    'LIQUIDITY_WORKFLOW_LIMIT',
  ],
  example: {
    body: {
      payload: {
        workflow: 'EXIT_SCALE',
        subjects: [{ projectId: 'project_example', version: 1 }],
        parameters: { baseAmount: '1000000000000000000' },
      },
      reason: 'How large is one token relative to its pools?',
    },
  },
})

export const workflowRunFamily = declareFamily({
  module: 'intelligence/workflows',
  operations: [
    getWorkflowContext,
    listCompletedWorkflowRuns,
    getCompletedWorkflowRun,
    runWorkflowResearch,
  ],
  type: 'WorkflowRun',
  prefix: 'workflow_run',
  name: 'workflow run',
  plural: 'workflow runs',
  payload: WorkflowRun,
  moves: { COMPLETED: [], PARTIAL: [], ABSTAINED: [] },
  events: ['workflow_run.recorded'],
  title: 'payload.workflow',
  columns: ['payload.workflow', 'status', 'createdAt'],
  ui: {
    page: 'research/runs',
    task: 'Research runs',
    noun: ['research run', 'research runs'],
    icon: 'scan-eye',
    summary: 'Research reports on the observations of your projects.',
    empty: 'Follow a token first, then run research on its observations.',
    head: ['payload.state', 'payload.workflow'],
    actions: { runWorkflowResearch: { label: 'Run research' } },
    docs: 'discovery',
  },
})

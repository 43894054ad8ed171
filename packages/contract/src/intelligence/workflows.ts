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
  'PROJECT_HEALTH: what one observation says of a token, and what it leaves open. LIQUIDITY_COMPARISON: two observations beside each other, of one project or of two. EXIT_SCALE: an amount of the token beside what its pools hold.',
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
        description: 'Atoms of the token, above zero: what EXIT_SCALE needs, and no other takes.',
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
          'Observations that are there; nothing is read for it. One, or two of LIQUIDITY_COMPARISON.',
      }),
      parameters: Type.Optional(WorkflowParameters),
    }),
  ),
)

const Figure = closed({
  pointer: Type.String({
    maxLength: 200,
    description: 'JSON pointer into the analysis of the subject; empty of what was computed.',
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
      description: 'Place in `subjects`; null of what was computed of both.',
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

/** A research workflow that was run to its end; it reads pinned observations and nothing else. */
export const WorkflowRun = named(
  'WorkflowRun',
  closed({
    workflow: WorkflowKind,
    subjects: list(
      closed({ id: RecordId, resourceVersion: Hash, version: Version, analysisHash: Hash }),
      2,
      { minItems: 1, description: 'Observations by their records, as they were named.' },
    ),
    parameters: WorkflowParameters,
    state: oneOf(
      ['COMPLETED', 'PARTIAL', 'ABSTAINED'],
      'PARTIAL: figures that it needs are missing in an observation. ABSTAINED: without them there is no answer.',
    ),
    reasons: list(
      oneOf(
        ['FIGURES_MISSING', 'POOLS_MISSING', 'NO_POOL', 'NO_RESERVE', 'NOT_COMPARABLE'],
        'FIGURES_MISSING, POOLS_MISSING: an observation has gaps. NO_POOL, NO_RESERVE: there is nothing to measure by. NOT_COMPARABLE: no quote asset is common to both.',
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
    role: Type.String({ maxLength: 40, description: 'Of the actor in this organization.' }),
    mayRun: Type.Boolean({
      description: 'Whether the role may prepare, and the day has runs left.',
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
        missing: list(
          oneOf(['SAVED_PROJECT', 'SECOND_OBSERVATION'], 'What has to be there first.'),
          2,
        ),
      }),
      3,
    ),
    used: Type.Integer({ minimum: 0, description: 'Runs of the organization since midnight UTC.' }),
    limit: Type.Integer({ minimum: 1, description: 'Runs of a day.' }),
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
    '200 data WorkflowContext: which workflows there are, on which observations they can be run, and how many runs the day has left.',
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
  description: 'One completed run.',
  statedErrors: [],
})

export const runWorkflowResearch = operation({
  id: 'runWorkflowResearch',
  method: 'POST',
  path: '/workflows/run',
  ...heading,
  summary: 'Run workflow research',
  description:
    'Runs a research workflow on observations that are there and stores it as a completed run: the same observations and parameters give the same resultHash. Nothing is read from a chain, and nothing is recommended.',
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
      reason: 'How large is one token beside its pools?',
    },
  },
})

export const workflowRunFamily = declareFamily({
  room: 'intelligence/workflows',
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
    group: 'Market',
    task: 'Research runs',
    icon: 'scan-eye',
    asks: 'Research reports on the observations of your projects.',
    head: ['payload.state', 'payload.workflow'],
    actions: { runWorkflowResearch: { label: 'Run research' } },
    docs: 'discovery',
  },
})

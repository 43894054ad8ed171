import { operation, paging, session, undesigned } from '../operation.ts'
import { getOperation, listOperation } from '../reading.ts'

const heading = { tag: 'Intelligence', family: 'Other API resources' } as const

const runs = { path: '/workflows/runs', ...heading, one: 'run', record: undesigned } as const

export const getWorkflowContext = operation({
  id: 'getWorkflowContext',
  method: 'GET',
  path: '/workflows/context',
  ...heading,
  summary: 'Get workflow context',
  description: '200 data WorkflowContext.',
  auth: session,
  permission: 'read',
  success: [200],
  response: undesigned,
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
  description: 'Runs a research workflow and stores it as a completed run.',
  auth: session,
  permission: 'prepare',
  idempotency: 'key-160',
  success: [201],
  body: undesigned,
  response: undesigned,
})

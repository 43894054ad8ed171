import { operation, paging, session } from '../operation.ts'

export const getWorkflowContext = operation({
  id: 'getWorkflowContext',
  method: 'GET',
  path: '/workflows/context',
  tag: 'Intelligence',
  family: 'Other API resources',
  summary: 'Get workflow context',
  description: '200 data WorkflowContext.',
  auth: session,
  permission: 'read',
  success: [200],
})

export const listCompletedWorkflowRuns = operation({
  id: 'listCompletedWorkflowRuns',
  method: 'GET',
  path: '/workflows/runs',
  tag: 'Intelligence',
  family: 'Other API resources',
  summary: 'List completed workflow runs',
  description: 'Completed workflow runs. Cursor at most 1024 characters.',
  auth: session,
  permission: 'read',
  paging: paging(20, 20, '^[A-Za-z0-9_-]+$'),
  success: [200],
})

export const getCompletedWorkflowRun = operation({
  id: 'getCompletedWorkflowRun',
  method: 'GET',
  path: '/workflows/runs/{id}',
  tag: 'Intelligence',
  family: 'Other API resources',
  summary: 'Get completed workflow run',
  description: 'One completed run.',
  auth: session,
  permission: 'read',
  success: [200],
})

export const runWorkflowResearch = operation({
  id: 'runWorkflowResearch',
  method: 'POST',
  path: '/workflows/run',
  tag: 'Intelligence',
  family: 'Other API resources',
  summary: 'Run workflow research',
  description: 'Runs a research workflow and stores it as a completed run.',
  auth: session,
  permission: 'prepare',
  idempotency: 'key-160',
  success: [201],
})

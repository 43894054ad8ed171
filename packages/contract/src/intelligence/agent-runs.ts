import { operation, paging, session, undesigned } from '../operation.ts'
import { getOperation, listOperation } from '../reading.ts'

const heading = { tag: 'Intelligence', family: 'Agent runs and research' } as const

const agentRuns = {
  path: '/agent-runs',
  ...heading,
  one: 'agent run',
  record: undesigned,
  cacheControl: 'private, no-store',
} as const

export const getResearchPlanning = operation({
  id: 'getResearchPlanning',
  method: 'GET',
  path: '/agent-runs/{runId}/research-planning',
  ...heading,
  summary: 'Get research planning',
  description: '200 data ResearchPlanningState. runId: ^[a-zA-Z0-9][a-zA-Z0-9:_-]{2,159}$.',
  auth: session,
  permission: 'read',
  cacheControl: 'private, no-store',
  success: [200],
  statedErrors: [400, 401, 403, 404, 503],
  response: undesigned,
})

export const getResearchProgress = operation({
  id: 'getResearchProgress',
  method: 'GET',
  path: '/agent-runs/{runId}/research-progress',
  ...heading,
  summary: 'Get research progress',
  description: '200 data ResearchProgress. runId: ^[a-zA-Z0-9][a-zA-Z0-9:_-]{2,159}$.',
  auth: session,
  permission: 'read',
  cacheControl: 'private, no-store',
  success: [200],
  statedErrors: [400, 401, 403, 404, 503],
  response: undesigned,
})

export const getResearchTrialInput = operation({
  id: 'getResearchTrialInput',
  method: 'GET',
  path: '/agent-runs/{runId}/research-trials/{trialKey}',
  ...heading,
  summary: 'Get research trial input',
  description:
    '200 data ResearchTrialInput. trialKey: baseline, alternative-1, alternative-2 or alternative-3. runId: ^[a-zA-Z0-9][a-zA-Z0-9:_-]{2,159}$.',
  auth: session,
  permission: 'read',
  cacheControl: 'private, no-store',
  success: [200],
  statedErrors: [400, 401, 403, 404, 503],
  response: undesigned,
})

export const getAgentRunResult = operation({
  id: 'getAgentRunResult',
  method: 'GET',
  path: '/agent-runs/{runId}/result',
  ...heading,
  summary: 'Get agent run result',
  description:
    '200 data AgentRunResult. Verifies the saved report deterministically against its sealed capture and settled model draft, and fails closed when it is unavailable or unverifiable. Public-project results: at most two frozen observations, a comparison of saved samples only. Proposal Review needs current narrow review authority and never approves or executes. Research reports are rebuilt from the immutable protocol and completed child receipts; failed and incompatible trials stay visible; COMPLETED describes modeled work only. runId: ^[a-zA-Z0-9][a-zA-Z0-9:_-]{2,159}$.',
  auth: session,
  permission: 'read',
  cacheControl: 'private, no-store',
  success: [200],
  statedErrors: [400, 401, 403, 404, 503],
  response: undesigned,
})

export const getAgentRunEvidence = operation({
  id: 'getAgentRunEvidence',
  method: 'GET',
  path: '/agent-runs/{runId}/evidence/{evidenceId}',
  ...heading,
  summary: 'Get agent run evidence',
  description: 'One piece of evidence of a run. runId: ^[a-zA-Z0-9][a-zA-Z0-9:_-]{2,159}$.',
  auth: session,
  permission: 'read',
  cacheControl: 'private, no-store',
  success: [200],
  response: undesigned,
})

export const applyAgentRunCommand = operation({
  id: 'applyAgentRunCommand',
  method: 'POST',
  path: '/agent-runs/{runId}/commands',
  ...heading,
  summary: 'Apply agent run command',
  description: 'Applies a typed command to a run. runId: ^[a-zA-Z0-9][a-zA-Z0-9:_-]{2,159}$.',
  auth: session,
  permission: 'prepare',
  idempotency: 'key-160',
  success: [200],
  body: undesigned,
  response: undesigned,
})

export const startHealthAgentRun = operation({
  id: 'startHealthAgentRun',
  method: 'POST',
  path: '/agent-runs',
  ...heading,
  summary: 'Start health agent run',
  description: 'Starts a (health) agent run.',
  auth: session,
  permission: 'prepare',
  idempotency: 'key-160',
  success: [201],
  body: undesigned,
  response: undesigned,
})

export const listAgentRuns = listOperation(agentRuns, {
  id: 'listAgentRuns',
  summary: 'List agent runs',
  description: 'Collection of agent runs.',
})

export const getAgentRun = getOperation(agentRuns, {
  id: 'getAgentRun',
  summary: 'Get agent run',
  description: 'One run. runId: ^[a-zA-Z0-9][a-zA-Z0-9:_-]{2,159}$.',
  parameter: 'runId',
  statedErrors: [],
})

export const listAgentRunEvents = operation({
  id: 'listAgentRunEvents',
  method: 'GET',
  path: '/agent-runs/{runId}/events',
  ...heading,
  summary: 'List agent run events',
  description: 'OperatingSystemEvent records of a run. runId: ^[a-zA-Z0-9][a-zA-Z0-9:_-]{2,159}$.',
  auth: session,
  permission: 'read',
  paging: paging(50, 100),
  cacheControl: 'private, no-store',
  success: [200],
  response: undesigned,
})

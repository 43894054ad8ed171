import { anyone, operation, paging, session, undesigned } from '../operation.ts'
import { getOperation, listOperation } from '../reading.ts'

const heading = { tag: 'Intelligence', family: 'Projects and public discovery' } as const

const projects = { path: '/projects', ...heading, one: 'project', record: undesigned } as const

export const resolvePublicProject = operation({
  id: 'resolvePublicProject',
  method: 'POST',
  path: '/public/projects/resolve',
  ...heading,
  summary: 'Resolve public project',
  description:
    'Body PublicProjectResolveRequest: JSON, at most 2 KiB, extra fields refused. 200 data PublicProjectAnalysis, possibly partial with its gaps kept. Codes PUBLIC_PROJECT_INVALID_INPUT (400, 413), _BUSY (429, Retry-After), _UNAVAILABLE and _TIMEOUT (503); every error sends Cache-Control: no-store. No organization header.',
  auth: anyone,
  cacheControl: 'no-store',
  success: [200],
  statedErrors: [400, 413, 429, 503],
  body: undesigned,
  response: undesigned,
})

export const investigatePublicProjectLiquidity = operation({
  id: 'investigatePublicProjectLiquidity',
  method: 'POST',
  path: '/public/projects/investigate',
  ...heading,
  summary: 'Investigate public project liquidity',
  description:
    'Body PublicLiquidityInvestigationRequest, at most 2 KiB. 200 data PublicLiquidityInvestigation: a source-backed VIRTUAL finding on pool reserve scale, not a quote, slippage estimate or tradability claim. Codes PUBLIC_INVESTIGATION_INVALID_INPUT (also unsupported question or quote size), _BUSY, _UNAVAILABLE, _TIMEOUT. No organization header.',
  auth: anyone,
  cacheControl: 'no-store',
  success: [200],
  statedErrors: [400, 413, 429, 503],
  body: undesigned,
  response: undesigned,
})

export const listSavedProjects = listOperation(projects, {
  id: 'listSavedProjects',
  summary: 'List saved projects',
  description:
    'Saved-project bookmarks; every status has a JSON body. A bookmark grants no issuer ownership, treasury access, entitlement or publication authority.',
  paging: paging(20, 20, '^project_[0-9a-f]{32}$', 'ID'),
  statedErrors: [400, 401, 403, 404, 429, 503],
})

export const savePublicProject = operation({
  id: 'savePublicProject',
  method: 'POST',
  path: '/projects',
  ...heading,
  summary: 'Save public project',
  description: 'Saves a public project as a bookmark.',
  auth: session,
  permission: 'prepare',
  idempotency: 'key-160',
  success: [201],
  body: undesigned,
  response: undesigned,
})

export const getSavedProject = getOperation(projects, {
  id: 'getSavedProject',
  summary: 'Get saved project',
  description: 'One saved project.',
  parameter: 'projectId',
  statedErrors: [],
})

export const refreshSavedProject = operation({
  id: 'refreshSavedProject',
  method: 'POST',
  path: '/projects/{projectId}/refresh',
  ...heading,
  summary: 'Refresh saved project',
  description: 'Observes again and appends a new immutable observation version.',
  auth: session,
  permission: 'prepare',
  idempotency: 'key-160',
  success: [201],
  body: undesigned,
  response: undesigned,
})

export const listSavedProjectObservations = operation({
  id: 'listSavedProjectObservations',
  method: 'GET',
  path: '/projects/{projectId}/observations',
  ...heading,
  summary: 'List saved project observations',
  description: 'Observation versions of a saved project.',
  auth: session,
  permission: 'read',
  paging: paging(20, 20),
  success: [200],
  response: undesigned,
})

export const getSavedProjectObservation = operation({
  id: 'getSavedProjectObservation',
  method: 'GET',
  path: '/projects/{projectId}/observations/{version}',
  ...heading,
  summary: 'Get saved project observation',
  description: 'One observation version.',
  auth: session,
  permission: 'read',
  success: [200],
  response: undesigned,
})

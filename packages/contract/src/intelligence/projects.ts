import { anyone, operation, paging, session } from '../operation.ts'

export const resolvePublicProject = operation({
  id: 'resolvePublicProject',
  method: 'POST',
  path: '/public/projects/resolve',
  tag: 'Intelligence',
  family: 'Projects and public discovery',
  summary: 'Resolve public project',
  description:
    'Body PublicProjectResolveRequest: JSON, at most 2 KiB, extra fields refused. 200 data PublicProjectAnalysis, possibly partial with its gaps kept. Codes PUBLIC_PROJECT_INVALID_INPUT (400, 413), _BUSY (429, Retry-After), _UNAVAILABLE and _TIMEOUT (503); every error sends Cache-Control: no-store. No organization header.',
  auth: anyone,
  cacheControl: 'no-store',
  success: [200],
  statedErrors: [400, 413, 429, 503],
})

export const investigatePublicProjectLiquidity = operation({
  id: 'investigatePublicProjectLiquidity',
  method: 'POST',
  path: '/public/projects/investigate',
  tag: 'Intelligence',
  family: 'Projects and public discovery',
  summary: 'Investigate public project liquidity',
  description:
    'Body PublicLiquidityInvestigationRequest, at most 2 KiB. 200 data PublicLiquidityInvestigation: a source-backed VIRTUAL finding on pool reserve scale, not a quote, slippage estimate or tradability claim. Codes PUBLIC_INVESTIGATION_INVALID_INPUT (also unsupported question or quote size), _BUSY, _UNAVAILABLE, _TIMEOUT. No organization header.',
  auth: anyone,
  cacheControl: 'no-store',
  success: [200],
  statedErrors: [400, 413, 429, 503],
})

export const listSavedProjects = operation({
  id: 'listSavedProjects',
  method: 'GET',
  path: '/projects',
  tag: 'Intelligence',
  family: 'Projects and public discovery',
  summary: 'List saved projects',
  description:
    'Saved-project bookmarks; every status has a JSON body. A bookmark grants no issuer ownership, treasury access, entitlement or publication authority.',
  auth: session,
  permission: 'read',
  paging: paging(20, 20, '^project_[0-9a-f]{32}$'),
  success: [200],
  statedErrors: [400, 401, 403, 404, 429, 503],
})

export const savePublicProject = operation({
  id: 'savePublicProject',
  method: 'POST',
  path: '/projects',
  tag: 'Intelligence',
  family: 'Projects and public discovery',
  summary: 'Save public project',
  description: 'Saves a public project as a bookmark.',
  auth: session,
  permission: 'prepare',
  idempotency: 'key-160',
  success: [201],
})

export const getSavedProject = operation({
  id: 'getSavedProject',
  method: 'GET',
  path: '/projects/{projectId}',
  tag: 'Intelligence',
  family: 'Projects and public discovery',
  summary: 'Get saved project',
  description: 'One saved project.',
  auth: session,
  permission: 'read',
  success: [200],
})

export const refreshSavedProject = operation({
  id: 'refreshSavedProject',
  method: 'POST',
  path: '/projects/{projectId}/refresh',
  tag: 'Intelligence',
  family: 'Projects and public discovery',
  summary: 'Refresh saved project',
  description: 'Observes again and appends a new immutable observation version.',
  auth: session,
  permission: 'prepare',
  idempotency: 'key-160',
  success: [201],
})

export const listSavedProjectObservations = operation({
  id: 'listSavedProjectObservations',
  method: 'GET',
  path: '/projects/{projectId}/observations',
  tag: 'Intelligence',
  family: 'Projects and public discovery',
  summary: 'List saved project observations',
  description: 'Observation versions of a saved project.',
  auth: session,
  permission: 'read',
  paging: paging(20, 20),
  success: [200],
})

export const getSavedProjectObservation = operation({
  id: 'getSavedProjectObservation',
  method: 'GET',
  path: '/projects/{projectId}/observations/{version}',
  tag: 'Intelligence',
  family: 'Projects and public discovery',
  summary: 'Get saved project observation',
  description: 'One observation version.',
  auth: session,
  permission: 'read',
  success: [200],
})

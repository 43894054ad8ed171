import { operation, session, undesigned } from '../operation.ts'

const heading = { tag: 'Prove', family: 'Treasury custody and project control' } as const

export const issueProjectControlChallenge = operation({
  id: 'issueProjectControlChallenge',
  method: 'POST',
  path: '/treasury/project-control/challenges',
  ...heading,
  summary: 'Issue project control challenge',
  description:
    'Issues a nonce to be signed as proof of project control. Errors carry {error: ApiError} and Cache-Control: private, no-store.',
  auth: session,
  permission: 'treasury.write',
  idempotency: 'key-160',
  cacheControl: 'private, no-store',
  success: [201],
  statedErrors: [400, 401, 403, 404, 429, 503],
  body: undesigned,
  response: undesigned,
})

export const getProjectControlChallenge = operation({
  id: 'getProjectControlChallenge',
  method: 'GET',
  path: '/treasury/project-control/challenges/{nonce}',
  ...heading,
  summary: 'Get project control challenge',
  description:
    'One challenge by its nonce. Errors carry {error: ApiError} and Cache-Control: private, no-store.',
  auth: session,
  permission: 'read',
  cacheControl: 'private, no-store',
  success: [200],
  statedErrors: [400, 401, 403, 404, 429, 503],
  response: undesigned,
})

export const acceptProjectControlProof = operation({
  id: 'acceptProjectControlProof',
  method: 'POST',
  path: '/treasury/project-control/proofs',
  ...heading,
  summary: 'Accept project control proof',
  description:
    'Accepts a signed answer to a challenge. Errors carry {error: ApiError} and Cache-Control: private, no-store.',
  auth: session,
  permission: 'treasury.write',
  idempotency: 'key-160',
  cacheControl: 'private, no-store',
  success: [201],
  statedErrors: [400, 401, 403, 404, 429, 503],
  body: undesigned,
  response: undesigned,
})

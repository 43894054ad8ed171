import { operation, paging, session } from '../operation.ts'

export const listStrategyPackages = operation({
  id: 'listStrategyPackages',
  method: 'GET',
  path: '/strategy-packages',
  tag: 'Plan',
  family: 'Strategies and packages',
  summary: 'List strategy packages',
  description: 'Collection of StrategyPackage: {data[], meta{count, hasMore, nextCursor?}}.',
  auth: session,
  permission: 'read',
  paging: paging(50, 100),
  success: [200],
})

export const createStrategyPackageCandidate = operation({
  id: 'createStrategyPackageCandidate',
  method: 'POST',
  path: '/strategy-packages',
  tag: 'Plan',
  family: 'Strategies and packages',
  summary: 'Create strategy package candidate',
  description:
    'Input StrategyPackageCandidate; 201 record. A candidate is for the digital twin only; the server derives the content hash of the package.',
  auth: session,
  permission: 'prepare',
  idempotency: 'key-160',
  success: [201],
})

export const getStrategyPackages = operation({
  id: 'getStrategyPackages',
  method: 'GET',
  path: '/strategy-packages/{id}',
  tag: 'Plan',
  family: 'Strategies and packages',
  summary: 'Get strategy packages',
  description: 'One StrategyPackage record with its strong ETag (quoted resourceVersion).',
  auth: session,
  permission: 'read',
  success: [200],
  statedErrors: [404],
})

export const approveStrategyPackage = operation({
  id: 'approveStrategyPackage',
  method: 'POST',
  path: '/strategy-packages/{id}/approve',
  tag: 'Plan',
  family: 'Strategies and packages',
  summary: 'Approve strategy package',
  description: 'Approves a candidate (appends a version). Grants no execution authority.',
  auth: session,
  permission: 'operate',
  idempotency: 'key-160',
  precondition: 'optional',
  success: [200],
})

export const seedStrategyFromApprovedPackage = operation({
  id: 'seedStrategyFromApprovedPackage',
  method: 'POST',
  path: '/strategy-packages/{id}/seed-strategy',
  tag: 'Plan',
  family: 'Strategies and packages',
  summary: 'Seed strategy from approved package',
  description: 'Creates a strategy from an approved package.',
  auth: session,
  permission: 'prepare',
  idempotency: 'key-160',
  precondition: 'optional',
  success: [201],
})

export const revokeStrategyPackage = operation({
  id: 'revokeStrategyPackage',
  method: 'POST',
  path: '/strategy-packages/{id}/revoke',
  tag: 'Plan',
  family: 'Strategies and packages',
  summary: 'Revoke strategy package',
  description: 'Revokes a package (appends a version).',
  auth: session,
  permission: 'operate',
  idempotency: 'key-160',
  precondition: 'optional',
  success: [200],
})

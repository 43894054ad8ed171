import { operation, paging, session } from '../operation.ts'
import { Hash } from '../scalars.ts'

export const listIncentivePrograms = operation({
  id: 'listIncentivePrograms',
  method: 'GET',
  path: '/incentive-programs',
  tag: 'Operate',
  family: 'Incentive programs',
  summary: 'List incentive programs',
  description: 'Collection of IncentiveProgram: {data[], meta{count, hasMore, nextCursor?}}.',
  auth: session,
  permission: 'read',
  paging: paging(50, 100),
  success: [200],
})

export const optimizeIncentiveProgram = operation({
  id: 'optimizeIncentiveProgram',
  method: 'POST',
  path: '/incentive-programs',
  tag: 'Operate',
  family: 'Incentive programs',
  summary: 'Optimize incentive program',
  description:
    '201 data IncentiveOptimizationResult. 400 when baseline, confidence or adapter evidence fails closed. Executes nothing.',
  auth: session,
  permission: 'operate',
  idempotency: 'key-160',
  success: [201],
  statedErrors: [400],
})

export const getIncentivePrograms = operation({
  id: 'getIncentivePrograms',
  method: 'GET',
  path: '/incentive-programs/{id}',
  tag: 'Operate',
  family: 'Incentive programs',
  summary: 'Get incentive programs',
  description: 'One IncentiveProgram record with its strong ETag (quoted resourceVersion).',
  auth: session,
  permission: 'read',
  success: [200],
  statedErrors: [404],
})

export const supersedeIncentivePrograms = operation({
  id: 'supersedeIncentivePrograms',
  method: 'PATCH',
  path: '/incentive-programs/{id}',
  tag: 'Operate',
  family: 'Incentive programs',
  summary: 'Supersede incentive programs',
  description: 'Body {status: REVOKED, evidenceHashes?, reason}; no payload.',
  auth: session,
  permission: 'operate',
  idempotency: 'key-160',
  precondition: 'required',
  success: [200],
  statedErrors: [400, 409, 412, 428],
})

export const getIncentiveEvidence = operation({
  id: 'getIncentiveEvidence',
  method: 'GET',
  path: '/incentive-programs/{id}/evidence',
  tag: 'Operate',
  family: 'Incentive programs',
  summary: 'Get incentive evidence',
  description:
    'Incentive evidence view {schemaVersion: incentive-evidence-view-v1, program, events[], unboundEventCount, executionPerformed:false, executionAuthorityGranted:false}. 404 when that exact generation is unavailable.',
  auth: session,
  permission: 'read',
  query: { resourceVersion: Hash },
  success: [200],
  statedErrors: [404],
})

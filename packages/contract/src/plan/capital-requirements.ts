import { operation, paging, session } from '../operation.ts'

export const listCapitalRequirements = operation({
  id: 'listCapitalRequirements',
  method: 'GET',
  path: '/capital-requirements',
  tag: 'Plan',
  family: 'Treasury ledger and capital planning',
  summary: 'List capital requirements',
  description:
    'Collection of CapitalRequirementStudy: {data[], meta{count, hasMore, nextCursor?}}.',
  auth: session,
  permission: 'read',
  paging: paging(50, 100),
  success: [200],
})

export const createCapitalRequirements = operation({
  id: 'createCapitalRequirements',
  method: 'POST',
  path: '/capital-requirements',
  tag: 'Plan',
  family: 'Treasury ledger and capital planning',
  summary: 'Create capital requirements',
  description: 'Create capital requirements.',
  auth: session,
  permission: 'treasury.write',
  idempotency: 'key-160',
  success: [201],
})

export const getCapitalRequirements = operation({
  id: 'getCapitalRequirements',
  method: 'GET',
  path: '/capital-requirements/{id}',
  tag: 'Plan',
  family: 'Treasury ledger and capital planning',
  summary: 'Get capital requirements',
  description: 'One CapitalRequirementStudy record with its strong ETag (quoted resourceVersion).',
  auth: session,
  permission: 'read',
  success: [200],
  statedErrors: [404],
})

export const seedIssuerIntentFromCapitalStudy = operation({
  id: 'seedIssuerIntentFromCapitalStudy',
  method: 'POST',
  path: '/capital-requirements/{id}/seed-intent',
  tag: 'Plan',
  family: 'Treasury ledger and capital planning',
  summary: 'Seed issuer intent from capital study',
  description: 'Creates an issuer intent from the study.',
  auth: session,
  permission: 'treasury.write',
  idempotency: 'key-160',
  precondition: 'optional',
  success: [201],
})

export const seedLaunchPlanFromCapitalStudy = operation({
  id: 'seedLaunchPlanFromCapitalStudy',
  method: 'POST',
  path: '/capital-requirements/{id}/seed-launch-plan',
  tag: 'Plan',
  family: 'Treasury ledger and capital planning',
  summary: 'Seed launch plan from capital study',
  description: 'Creates a launch plan from the study.',
  auth: session,
  permission: 'treasury.write',
  idempotency: 'key-160',
  precondition: 'optional',
  success: [201],
})

export const reserveTreasuryFromCapitalStudy = operation({
  id: 'reserveTreasuryFromCapitalStudy',
  method: 'POST',
  path: '/capital-requirements/{id}/reservations',
  tag: 'Plan',
  family: 'Treasury ledger and capital planning',
  summary: 'Reserve treasury from capital study',
  description: 'Reserves treasury for the study: a ledger record, no movement of funds.',
  auth: session,
  permission: 'treasury.write',
  idempotency: 'key-160',
  precondition: 'optional',
  success: [201],
})

import { operation, session, undesigned } from '../operation.ts'
import { getOperation, listOperation } from '../reading.ts'

const heading = { tag: 'Plan', family: 'Treasury ledger and capital planning' } as const

const capitalRequirements = {
  path: '/capital-requirements',
  ...heading,
  one: 'CapitalRequirementStudy',
  record: undesigned,
} as const

export const listCapitalRequirements = listOperation(capitalRequirements, {
  id: 'listCapitalRequirements',
  summary: 'List capital requirements',
})

export const createCapitalRequirements = operation({
  id: 'createCapitalRequirements',
  method: 'POST',
  path: '/capital-requirements',
  ...heading,
  summary: 'Create capital requirements',
  description: 'Create capital requirements.',
  auth: session,
  permission: 'treasury.write',
  idempotency: 'key-160',
  success: [201],
  body: undesigned,
  response: undesigned,
})

export const getCapitalRequirements = getOperation(capitalRequirements, {
  id: 'getCapitalRequirements',
  summary: 'Get capital requirements',
})

export const seedIssuerIntentFromCapitalStudy = operation({
  id: 'seedIssuerIntentFromCapitalStudy',
  method: 'POST',
  path: '/capital-requirements/{id}/seed-intent',
  ...heading,
  summary: 'Seed issuer intent from capital study',
  description: 'Creates an issuer intent from the study.',
  auth: session,
  permission: 'treasury.write',
  idempotency: 'key-160',
  precondition: 'optional',
  success: [201],
  body: undesigned,
  response: undesigned,
})

export const seedLaunchPlanFromCapitalStudy = operation({
  id: 'seedLaunchPlanFromCapitalStudy',
  method: 'POST',
  path: '/capital-requirements/{id}/seed-launch-plan',
  ...heading,
  summary: 'Seed launch plan from capital study',
  description: 'Creates a launch plan from the study.',
  auth: session,
  permission: 'treasury.write',
  idempotency: 'key-160',
  precondition: 'optional',
  success: [201],
  body: undesigned,
  response: undesigned,
})

export const reserveTreasuryFromCapitalStudy = operation({
  id: 'reserveTreasuryFromCapitalStudy',
  method: 'POST',
  path: '/capital-requirements/{id}/reservations',
  ...heading,
  summary: 'Reserve treasury from capital study',
  description: 'Reserves treasury for the study: a ledger record, no movement of funds.',
  auth: session,
  permission: 'treasury.write',
  idempotency: 'key-160',
  precondition: 'optional',
  success: [201],
  body: undesigned,
  response: undesigned,
})

import { operation, session, undesigned } from '../operation.ts'
import { getOperation, listOperation } from '../reading.ts'

const heading = { tag: 'Plan', family: 'Issuer intents, launches and unlocks' } as const

const launchPlans = {
  path: '/launch-plans',
  ...heading,
  one: 'launch plan',
  many: 'launch plans',
  record: undesigned,
} as const

export const listLaunchPlans = listOperation(launchPlans, {
  id: 'listLaunchPlans',
  summary: 'List launch plans',
})

export const createLaunchPlans = operation({
  id: 'createLaunchPlans',
  method: 'POST',
  path: '/launch-plans',
  ...heading,
  summary: 'Create launch plans',
  description:
    'Creates a launch plan record from the common body {payload, status?, evidenceHashes?, reason}.',
  auth: session,
  permission: 'treasury.write',
  idempotency: 'key-160',
  success: [201],
  body: undesigned,
  response: undesigned,
})

export const getLaunchPlans = getOperation(launchPlans, {
  id: 'getLaunchPlans',
  summary: 'Get launch plans',
})

export const appendLaunchTimelineEvent = operation({
  id: 'appendLaunchTimelineEvent',
  method: 'POST',
  path: '/launch-plans/{id}/timeline-events',
  ...heading,
  summary: 'Append launch timeline event',
  description: 'Appends a timeline event to a launch plan.',
  auth: session,
  permission: 'treasury.write',
  idempotency: 'key-160',
  precondition: 'optional',
  success: [201],
  body: undesigned,
  response: undesigned,
})

export const getLaunchTimeline = operation({
  id: 'getLaunchTimeline',
  method: 'GET',
  path: '/launch-plans/{id}/timeline',
  ...heading,
  summary: 'Get launch timeline',
  description: 'The timeline of a launch plan as one document.',
  auth: session,
  permission: 'read',
  success: [200],
  response: undesigned,
})

export const completeLaunchTimelineEvent = operation({
  id: 'completeLaunchTimelineEvent',
  method: 'POST',
  path: '/launch-plans/{id}/timeline-events/{eventId}/complete',
  ...heading,
  summary: 'Complete launch timeline event',
  description: 'Marks one timeline event complete by appending evidence.',
  auth: session,
  permission: 'treasury.write',
  idempotency: 'key-160',
  precondition: 'optional',
  success: [200],
  body: undesigned,
  response: undesigned,
})

export const seedLaunchWorkspace = operation({
  id: 'seedLaunchWorkspace',
  method: 'POST',
  path: '/launch-plans/{id}/seed-workspace',
  ...heading,
  summary: 'Seed launch workspace',
  description: 'Seeds a workspace from the launch plan. Preparatory only.',
  auth: session,
  permission: 'treasury.write',
  idempotency: 'key-160',
  precondition: 'optional',
  success: [201],
  body: undesigned,
  response: undesigned,
})

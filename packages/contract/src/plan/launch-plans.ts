import { operation, paging, session } from '../operation.ts'

export const listLaunchPlans = operation({
  id: 'listLaunchPlans',
  method: 'GET',
  path: '/launch-plans',
  tag: 'Plan',
  family: 'Issuer intents, launches and unlocks',
  summary: 'List launch plans',
  description: 'Collection of launch plans: {data[], meta{count, hasMore, nextCursor?}}.',
  auth: session,
  permission: 'read',
  paging: paging(50, 100),
  success: [200],
})

export const createLaunchPlans = operation({
  id: 'createLaunchPlans',
  method: 'POST',
  path: '/launch-plans',
  tag: 'Plan',
  family: 'Issuer intents, launches and unlocks',
  summary: 'Create launch plans',
  description:
    'Creates a launch plan record from the common body {payload, status?, evidenceHashes?, reason}.',
  auth: session,
  permission: 'treasury.write',
  idempotency: 'key-160',
  success: [201],
})

export const getLaunchPlans = operation({
  id: 'getLaunchPlans',
  method: 'GET',
  path: '/launch-plans/{id}',
  tag: 'Plan',
  family: 'Issuer intents, launches and unlocks',
  summary: 'Get launch plans',
  description: 'One launch plan record with its strong ETag (quoted resourceVersion).',
  auth: session,
  permission: 'read',
  success: [200],
  statedErrors: [404],
})

export const appendLaunchTimelineEvent = operation({
  id: 'appendLaunchTimelineEvent',
  method: 'POST',
  path: '/launch-plans/{id}/timeline-events',
  tag: 'Plan',
  family: 'Issuer intents, launches and unlocks',
  summary: 'Append launch timeline event',
  description: 'Appends a timeline event to a launch plan.',
  auth: session,
  permission: 'treasury.write',
  idempotency: 'key-160',
  precondition: 'optional',
  success: [201],
})

export const getLaunchTimeline = operation({
  id: 'getLaunchTimeline',
  method: 'GET',
  path: '/launch-plans/{id}/timeline',
  tag: 'Plan',
  family: 'Issuer intents, launches and unlocks',
  summary: 'Get launch timeline',
  description: 'The timeline of a launch plan as one document.',
  auth: session,
  permission: 'read',
  success: [200],
})

export const completeLaunchTimelineEvent = operation({
  id: 'completeLaunchTimelineEvent',
  method: 'POST',
  path: '/launch-plans/{id}/timeline-events/{eventId}/complete',
  tag: 'Plan',
  family: 'Issuer intents, launches and unlocks',
  summary: 'Complete launch timeline event',
  description: 'Marks one timeline event complete by appending evidence.',
  auth: session,
  permission: 'treasury.write',
  idempotency: 'key-160',
  precondition: 'optional',
  success: [200],
})

export const seedLaunchWorkspace = operation({
  id: 'seedLaunchWorkspace',
  method: 'POST',
  path: '/launch-plans/{id}/seed-workspace',
  tag: 'Plan',
  family: 'Issuer intents, launches and unlocks',
  summary: 'Seed launch workspace',
  description: 'Seeds a workspace from the launch plan. Preparatory only.',
  auth: session,
  permission: 'treasury.write',
  idempotency: 'key-160',
  precondition: 'optional',
  success: [201],
})

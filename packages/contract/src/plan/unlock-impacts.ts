import { operation, paging, session } from '../operation.ts'

export const listUnlockImpacts = operation({
  id: 'listUnlockImpacts',
  method: 'GET',
  path: '/unlock-impacts',
  tag: 'Plan',
  family: 'Issuer intents, launches and unlocks',
  summary: 'List unlock impacts',
  description: 'Collection of unlock impacts: {data[], meta{count, hasMore, nextCursor?}}.',
  auth: session,
  permission: 'read',
  paging: paging(50, 100),
  success: [200],
})

export const createUnlockImpacts = operation({
  id: 'createUnlockImpacts',
  method: 'POST',
  path: '/unlock-impacts',
  tag: 'Plan',
  family: 'Issuer intents, launches and unlocks',
  summary: 'Create unlock impacts',
  description:
    'Creates a unlock impact record from the common body {payload, status?, evidenceHashes?, reason}.',
  auth: session,
  permission: 'treasury.write',
  idempotency: 'key-160',
  success: [201],
})

export const getUnlockImpacts = operation({
  id: 'getUnlockImpacts',
  method: 'GET',
  path: '/unlock-impacts/{id}',
  tag: 'Plan',
  family: 'Issuer intents, launches and unlocks',
  summary: 'Get unlock impacts',
  description: 'One unlock impact record with its strong ETag (quoted resourceVersion).',
  auth: session,
  permission: 'read',
  success: [200],
  statedErrors: [404],
})

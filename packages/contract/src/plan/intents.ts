import { operation, paging, session } from '../operation.ts'

export const listIntents = operation({
  id: 'listIntents',
  method: 'GET',
  path: '/intents',
  tag: 'Plan',
  family: 'Issuer intents, launches and unlocks',
  summary: 'List intents',
  description: 'Collection of IssuerIntent: {data[], meta{count, hasMore, nextCursor?}}.',
  auth: session,
  permission: 'read',
  paging: paging(50, 100),
  success: [200],
})

export const createIntents = operation({
  id: 'createIntents',
  method: 'POST',
  path: '/intents',
  tag: 'Plan',
  family: 'Issuer intents, launches and unlocks',
  summary: 'Create intents',
  description: '201 data {intent, capitalRequirement}. Common mutation body.',
  auth: session,
  permission: 'treasury.write',
  idempotency: 'key-160',
  success: [201],
})

export const getIntents = operation({
  id: 'getIntents',
  method: 'GET',
  path: '/intents/{id}',
  tag: 'Plan',
  family: 'Issuer intents, launches and unlocks',
  summary: 'Get intents',
  description: 'One IssuerIntent record with its strong ETag (quoted resourceVersion).',
  auth: session,
  permission: 'read',
  success: [200],
  statedErrors: [404],
})

export const supersedeIntents = operation({
  id: 'supersedeIntents',
  method: 'PATCH',
  path: '/intents/{id}',
  tag: 'Plan',
  family: 'Issuer intents, launches and unlocks',
  summary: 'Supersede intents',
  description: 'Recomputes the capital evidence; status DRAFT, VALIDATED, PAUSED or REVOKED. 200.',
  auth: session,
  permission: 'treasury.write',
  idempotency: 'key-160',
  precondition: 'required',
  success: [200],
  statedErrors: [400, 409, 412, 428],
})

import { operation, session, undesigned } from '../operation.ts'
import { getOperation, listOperation } from '../reading.ts'

const heading = { tag: 'Plan', family: 'Issuer intents, launches and unlocks' } as const

const intents = { path: '/intents', ...heading, one: 'IssuerIntent', record: undesigned } as const

export const listIntents = listOperation(intents, { id: 'listIntents', summary: 'List intents' })

export const createIntents = operation({
  id: 'createIntents',
  method: 'POST',
  path: '/intents',
  ...heading,
  summary: 'Create intents',
  description: '201 data {intent, capitalRequirement}. Common mutation body.',
  auth: session,
  permission: 'treasury.write',
  idempotency: 'key-160',
  success: [201],
  body: undesigned,
  response: undesigned,
})

export const getIntents = getOperation(intents, { id: 'getIntents', summary: 'Get intents' })

export const supersedeIntents = operation({
  id: 'supersedeIntents',
  method: 'PATCH',
  path: '/intents/{id}',
  ...heading,
  summary: 'Supersede intents',
  description: 'Recomputes the capital evidence; status DRAFT, VALIDATED, PAUSED or REVOKED. 200.',
  auth: session,
  permission: 'treasury.write',
  idempotency: 'key-160',
  precondition: 'required',
  success: [200],
  statedErrors: [400, 409, 412, 428],
  body: undesigned,
  response: undesigned,
})

import { operation, paging, session } from '../operation.ts'

export const listMarketMakerMandates = operation({
  id: 'listMarketMakerMandates',
  method: 'GET',
  path: '/market-maker-mandates',
  tag: 'Operate',
  family: 'Partners, consent and market makers',
  summary: 'List market maker mandates',
  description: 'Collection of market-maker mandates: {data[], meta{count, hasMore, nextCursor?}}.',
  auth: session,
  permission: 'read',
  paging: paging(50, 100),
  success: [200],
})

export const createMarketMakerMandates = operation({
  id: 'createMarketMakerMandates',
  method: 'POST',
  path: '/market-maker-mandates',
  tag: 'Operate',
  family: 'Partners, consent and market makers',
  summary: 'Create market maker mandates',
  description:
    'Creates a market-maker mandate record from the common body {payload, status?, evidenceHashes?, reason}.',
  auth: session,
  permission: 'operate',
  idempotency: 'key-160',
  success: [201],
})

export const getMarketMakerMandates = operation({
  id: 'getMarketMakerMandates',
  method: 'GET',
  path: '/market-maker-mandates/{id}',
  tag: 'Operate',
  family: 'Partners, consent and market makers',
  summary: 'Get market maker mandates',
  description: 'One market-maker mandate record with its strong ETag (quoted resourceVersion).',
  auth: session,
  permission: 'read',
  success: [200],
  statedErrors: [404],
})

export const supersedeMarketMakerMandates = operation({
  id: 'supersedeMarketMakerMandates',
  method: 'PATCH',
  path: '/market-maker-mandates/{id}',
  tag: 'Operate',
  family: 'Partners, consent and market makers',
  summary: 'Supersede market maker mandates',
  description: 'Supersede market maker mandates.',
  auth: session,
  permission: 'operate',
  idempotency: 'key-160',
  precondition: 'required',
  success: [200],
  statedErrors: [400, 409, 412, 428],
})

export const listMarketMakerEvidence = operation({
  id: 'listMarketMakerEvidence',
  method: 'GET',
  path: '/market-maker-mandates/{id}/observations',
  tag: 'Operate',
  family: 'Partners, consent and market makers',
  summary: 'List market maker evidence',
  description: 'List market maker evidence.',
  auth: session,
  permission: 'read',
  paging: paging(50, 100),
  success: [200],
})

export const ingestMarketMakerEvidence = operation({
  id: 'ingestMarketMakerEvidence',
  method: 'POST',
  path: '/market-maker-mandates/{id}/observations',
  tag: 'Operate',
  family: 'Partners, consent and market makers',
  summary: 'Ingest market maker evidence',
  description: 'Adds observed evidence to a mandate.',
  auth: session,
  permission: 'operate',
  idempotency: 'key-160',
  success: [201],
})

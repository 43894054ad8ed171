import { operation, paging, session, undesigned } from '../operation.ts'
import { getOperation, listOperation } from '../reading.ts'

const heading = { tag: 'Operate', family: 'Partners, consent and market makers' } as const

const marketMakerMandates = {
  path: '/market-maker-mandates',
  ...heading,
  one: 'market-maker mandate',
  many: 'market-maker mandates',
  record: undesigned,
} as const

export const listMarketMakerMandates = listOperation(marketMakerMandates, {
  id: 'listMarketMakerMandates',
  summary: 'List market maker mandates',
})

export const createMarketMakerMandates = operation({
  id: 'createMarketMakerMandates',
  method: 'POST',
  path: '/market-maker-mandates',
  ...heading,
  summary: 'Create market maker mandates',
  description:
    'Creates a market-maker mandate record from the common body {payload, status?, evidenceHashes?, reason}.',
  auth: session,
  permission: 'operate',
  idempotency: 'key-160',
  success: [201],
  body: undesigned,
  response: undesigned,
})

export const getMarketMakerMandates = getOperation(marketMakerMandates, {
  id: 'getMarketMakerMandates',
  summary: 'Get market maker mandates',
})

export const supersedeMarketMakerMandates = operation({
  id: 'supersedeMarketMakerMandates',
  method: 'PATCH',
  path: '/market-maker-mandates/{id}',
  ...heading,
  summary: 'Supersede market maker mandates',
  description: 'Supersede market maker mandates.',
  auth: session,
  permission: 'operate',
  idempotency: 'key-160',
  precondition: 'required',
  success: [200],
  statedErrors: [400, 409, 412, 428],
  body: undesigned,
  response: undesigned,
})

export const listMarketMakerEvidence = operation({
  id: 'listMarketMakerEvidence',
  method: 'GET',
  path: '/market-maker-mandates/{id}/observations',
  ...heading,
  summary: 'List market maker evidence',
  description: 'List market maker evidence.',
  auth: session,
  permission: 'read',
  paging: paging(50, 100),
  success: [200],
  response: undesigned,
})

export const ingestMarketMakerEvidence = operation({
  id: 'ingestMarketMakerEvidence',
  method: 'POST',
  path: '/market-maker-mandates/{id}/observations',
  ...heading,
  summary: 'Ingest market maker evidence',
  description: 'Adds observed evidence to a mandate.',
  auth: session,
  permission: 'operate',
  idempotency: 'key-160',
  success: [201],
  body: undesigned,
  response: undesigned,
})

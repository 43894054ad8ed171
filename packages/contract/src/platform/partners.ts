import { operation, session, undesigned } from '../operation.ts'
import { getOperation, listOperation } from '../reading.ts'

const heading = { tag: 'Platform', family: 'Partners, consent and market makers' } as const

const partners = {
  path: '/partners',
  ...heading,
  one: 'PartnerTenant',
  record: undesigned,
} as const

export const listPartners = listOperation(partners, {
  id: 'listPartners',
  summary: 'List partners',
  cacheControl: 'private, no-store',
})

export const createVerifiedPartnerTenant = operation({
  id: 'createVerifiedPartnerTenant',
  method: 'POST',
  path: '/partners',
  ...heading,
  summary: 'Create verified partner tenant',
  description:
    'Body {payload: PartnerTenantCreate, evidenceHashes?, reason}; no status. 409 when the host is already bound.',
  auth: session,
  permission: 'partners.manage',
  idempotency: 'key-160',
  success: [201],
  statedErrors: [409],
  body: undesigned,
  response: undesigned,
})

export const getPartners = getOperation(partners, { id: 'getPartners', summary: 'Get partners' })

export const updatePartnerConfiguration = operation({
  id: 'updatePartnerConfiguration',
  method: 'PATCH',
  path: '/partners/{id}',
  ...heading,
  summary: 'Update partner configuration',
  description: 'Same body as the create: payload required, no status.',
  auth: session,
  permission: 'partners.manage',
  idempotency: 'key-160',
  precondition: 'required',
  success: [200],
  statedErrors: [400, 409, 412, 428],
  body: undesigned,
  response: undesigned,
})

export const revokePartnerTenant = operation({
  id: 'revokePartnerTenant',
  method: 'POST',
  path: '/partners/{id}/revoke',
  ...heading,
  summary: 'Revoke partner tenant',
  description: 'Revokes the tenant (appends a version).',
  auth: session,
  permission: 'partners.manage',
  idempotency: 'key-160',
  precondition: 'optional',
  success: [200],
  body: undesigned,
  response: undesigned,
})

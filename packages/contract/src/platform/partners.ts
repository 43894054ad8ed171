import { operation, paging, session } from '../operation.ts'

export const listPartners = operation({
  id: 'listPartners',
  method: 'GET',
  path: '/partners',
  tag: 'Platform',
  family: 'Partners, consent and market makers',
  summary: 'List partners',
  description: 'Collection of PartnerTenant: {data[], meta{count, hasMore, nextCursor?}}.',
  auth: session,
  permission: 'read',
  paging: paging(50, 100),
  cacheControl: 'private, no-store',
  success: [200],
})

export const createVerifiedPartnerTenant = operation({
  id: 'createVerifiedPartnerTenant',
  method: 'POST',
  path: '/partners',
  tag: 'Platform',
  family: 'Partners, consent and market makers',
  summary: 'Create verified partner tenant',
  description:
    'Body {payload: PartnerTenantCreate, evidenceHashes?, reason}; no status. 409 when the host is already bound.',
  auth: session,
  permission: 'partners.manage',
  idempotency: 'key-160',
  success: [201],
  statedErrors: [409],
})

export const getPartners = operation({
  id: 'getPartners',
  method: 'GET',
  path: '/partners/{id}',
  tag: 'Platform',
  family: 'Partners, consent and market makers',
  summary: 'Get partners',
  description: 'One PartnerTenant record with its strong ETag (quoted resourceVersion).',
  auth: session,
  permission: 'read',
  success: [200],
  statedErrors: [404],
})

export const updatePartnerConfiguration = operation({
  id: 'updatePartnerConfiguration',
  method: 'PATCH',
  path: '/partners/{id}',
  tag: 'Platform',
  family: 'Partners, consent and market makers',
  summary: 'Update partner configuration',
  description: 'Same body as the create: payload required, no status.',
  auth: session,
  permission: 'partners.manage',
  idempotency: 'key-160',
  precondition: 'required',
  success: [200],
  statedErrors: [400, 409, 412, 428],
})

export const revokePartnerTenant = operation({
  id: 'revokePartnerTenant',
  method: 'POST',
  path: '/partners/{id}/revoke',
  tag: 'Platform',
  family: 'Partners, consent and market makers',
  summary: 'Revoke partner tenant',
  description: 'Revokes the tenant (appends a version).',
  auth: session,
  permission: 'partners.manage',
  idempotency: 'key-160',
  precondition: 'optional',
  success: [200],
})

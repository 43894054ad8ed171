import { anyone, operation, paging, scoped, session } from '../operation.ts'

export const listPassports = operation({
  id: 'listPassports',
  method: 'GET',
  path: '/passports',
  tag: 'Prove',
  family: 'Proof, vaults, receipts and passports',
  summary: 'List passports',
  description: 'Collection of LiquidityPassport: {data[], meta{count, hasMore, nextCursor?}}.',
  auth: scoped('proof:read'),
  permission: 'read',
  paging: paging(50, 100),
  success: [200],
})

export const publishLiquidityPassport = operation({
  id: 'publishLiquidityPassport',
  method: 'POST',
  path: '/passports',
  tag: 'Prove',
  family: 'Proof, vaults, receipts and passports',
  summary: 'Publish liquidity passport',
  description:
    'Body {payload, reason} only (status and evidenceHashes refused; extra properties refused at every level); payload fields in the specification. Claims are recomputed from current evidence. 201 data {passport, reportJob, signedFormatsReady[], artifactState:PENDING_IMMUTABLE_OBJECT_REGISTRATION, executionAuthorityGranted:false}. 409 when a claim, freshness window, provider generation or source binding differs; 412 when the superseded generation changed.',
  auth: session,
  permission: 'publish',
  idempotency: 'key-160',
  precondition: 'optional',
  success: [201],
  statedErrors: [409, 412],
})

export const getPassports = operation({
  id: 'getPassports',
  method: 'GET',
  path: '/passports/{id}',
  tag: 'Prove',
  family: 'Proof, vaults, receipts and passports',
  summary: 'Get passports',
  description: 'One LiquidityPassport record with its strong ETag (quoted resourceVersion).',
  auth: scoped('proof:read'),
  permission: 'read',
  success: [200],
  statedErrors: [404],
})

export const revokeLiquidityPassport = operation({
  id: 'revokeLiquidityPassport',
  method: 'POST',
  path: '/passports/{id}/revoke',
  tag: 'Prove',
  family: 'Proof, vaults, receipts and passports',
  summary: 'Revoke liquidity passport',
  description: 'Revoke liquidity passport.',
  auth: session,
  permission: 'publish',
  idempotency: 'key-160',
  precondition: 'optional',
  success: [200],
})

export const getPublicLiquidityPassport = operation({
  id: 'getPublicLiquidityPassport',
  method: 'GET',
  path: '/public/passports/{slug}',
  tag: 'Prove',
  family: 'Proof, vaults, receipts and passports',
  summary: 'Get public liquidity passport',
  description: 'Public view of a published passport, honouring its disclosure flags.',
  auth: anyone,
  success: [200],
})

export const downloadPublicLiquidityPassport = operation({
  id: 'downloadPublicLiquidityPassport',
  method: 'GET',
  path: '/public/passports/{slug}/formats/{format}',
  tag: 'Prove',
  family: 'Proof, vaults, receipts and passports',
  summary: 'Download public liquidity passport',
  description: 'Download of one rendered, signed format.',
  auth: anyone,
  success: [200],
})

export const downloadLiquidityPassportVerificationBundle = operation({
  id: 'downloadLiquidityPassportVerificationBundle',
  method: 'GET',
  path: '/public/passports/{slug}/verification-bundle',
  tag: 'Prove',
  family: 'Proof, vaults, receipts and passports',
  summary: 'Download liquidity passport verification bundle',
  description: 'Everything needed to verify the passport offline.',
  auth: anyone,
  success: [200],
})

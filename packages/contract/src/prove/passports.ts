import { anyone, operation, scoped, session, undesigned } from '../operation.ts'
import { getOperation, listOperation } from '../reading.ts'

const heading = { tag: 'Prove', family: 'Proof, vaults, receipts and passports' } as const

const passports = {
  path: '/passports',
  ...heading,
  one: 'LiquidityPassport',
  record: undesigned,
  auth: scoped('proof:read'),
} as const

export const listPassports = listOperation(passports, {
  id: 'listPassports',
  summary: 'List passports',
})

export const publishLiquidityPassport = operation({
  id: 'publishLiquidityPassport',
  method: 'POST',
  path: '/passports',
  ...heading,
  summary: 'Publish liquidity passport',
  description:
    'Body {payload, reason} only (status and evidenceHashes refused; extra properties refused at every level); payload fields in the specification. Claims are recomputed from current evidence. 201 data {passport, reportJob, signedFormatsReady[], artifactState:PENDING_IMMUTABLE_OBJECT_REGISTRATION, executionAuthorityGranted:false}. 409 when a claim, freshness window, provider generation or source binding differs; 412 when the superseded generation changed.',
  auth: session,
  permission: 'publish',
  idempotency: 'key-160',
  precondition: 'optional',
  success: [201],
  statedErrors: [409, 412],
  body: undesigned,
  response: undesigned,
})

export const getPassports = getOperation(passports, {
  id: 'getPassports',
  summary: 'Get passports',
})

export const revokeLiquidityPassport = operation({
  id: 'revokeLiquidityPassport',
  method: 'POST',
  path: '/passports/{id}/revoke',
  ...heading,
  summary: 'Revoke liquidity passport',
  description: 'Revoke liquidity passport.',
  auth: session,
  permission: 'publish',
  idempotency: 'key-160',
  precondition: 'optional',
  success: [200],
  body: undesigned,
  response: undesigned,
})

export const getPublicLiquidityPassport = operation({
  id: 'getPublicLiquidityPassport',
  method: 'GET',
  path: '/public/passports/{slug}',
  ...heading,
  summary: 'Get public liquidity passport',
  description: 'Public view of a published passport, honouring its disclosure flags.',
  auth: anyone,
  success: [200],
  response: undesigned,
})

export const downloadPublicLiquidityPassport = operation({
  id: 'downloadPublicLiquidityPassport',
  method: 'GET',
  path: '/public/passports/{slug}/formats/{format}',
  ...heading,
  summary: 'Download public liquidity passport',
  description: 'Download of one rendered, signed format.',
  auth: anyone,
  success: [200],
  response: undesigned,
})

export const downloadLiquidityPassportVerificationBundle = operation({
  id: 'downloadLiquidityPassportVerificationBundle',
  method: 'GET',
  path: '/public/passports/{slug}/verification-bundle',
  ...heading,
  summary: 'Download liquidity passport verification bundle',
  description: 'Everything needed to verify the passport offline.',
  auth: anyone,
  success: [200],
  response: undesigned,
})

import { anyone, operation, undesigned } from '../operation.ts'

const heading = { tag: 'Platform', family: 'Other API resources' } as const

export const getVerifiedHostBrand = operation({
  id: 'getVerifiedHostBrand',
  method: 'GET',
  path: '/public/brands/current',
  ...heading,
  summary: 'Get verified host brand',
  description: 'Brand of the verified host the request arrived on.',
  auth: anyone,
  success: [200],
  response: undesigned,
})

export const getVerifiedPartnerBrandLogo = operation({
  id: 'getVerifiedPartnerBrandLogo',
  method: 'GET',
  path: '/public/partner-brand/logo/{contentHash}',
  ...heading,
  summary: 'Get verified partner brand logo',
  description: 'Logo bytes by content hash, only for a verified partner brand.',
  auth: anyone,
  cacheControl: 'public, max-age=31536000, immutable',
  success: [200],
  response: undesigned,
})

import { anyone, operation } from '../operation.ts'

export const getVerifiedHostBrand = operation({
  id: 'getVerifiedHostBrand',
  method: 'GET',
  path: '/public/brands/current',
  tag: 'Platform',
  family: 'Other API resources',
  summary: 'Get verified host brand',
  description: 'Brand of the verified host the request arrived on.',
  auth: anyone,
  success: [200],
})

export const getVerifiedPartnerBrandLogo = operation({
  id: 'getVerifiedPartnerBrandLogo',
  method: 'GET',
  path: '/public/partner-brand/logo/{contentHash}',
  tag: 'Platform',
  family: 'Other API resources',
  summary: 'Get verified partner brand logo',
  description: 'Logo bytes by content hash, only for a verified partner brand.',
  auth: anyone,
  cacheControl: 'public, max-age=31536000, immutable',
  success: [200],
})

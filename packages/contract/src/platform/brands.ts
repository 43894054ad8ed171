import Type from 'typebox'
import { declareFamily } from '../family.ts'
import { anyone, bytes, data, operation } from '../operation.ts'
import { closed, Hash, named, orNull, RecordId } from '../scalars.ts'

const heading = { tag: 'Platform', family: 'Other API resources' } as const

export const HostBrand = named(
  'HostBrand',
  closed({
    brand: orNull(
      closed({
        partnerId: RecordId,
        name: Type.String({ maxLength: 80, description: 'Brand name on the page.' }),
        accentColor: Type.String({
          pattern: '^#[0-9a-f]{6}$',
          description: '# and six hex digits of sRGB.',
        }),
        logoContentHash: orNull(Hash),
        configurationArtifactHash: Hash,
      }),
    ),
  }),
)

export const getVerifiedHostBrand = operation({
  id: 'getVerifiedHostBrand',
  method: 'GET',
  path: '/public/brands/current',
  ...heading,
  summary: 'Get verified host brand',
  description:
    'Brand of the verified host the request arrived on: that of the ACTIVE partner of exactly this host, else null. A forwarded host counts from configured proxies only.',
  auth: anyone,
  cacheControl: 'public, max-age=60',
  success: [200],
  response: data(HostBrand),
  example: {},
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
  params: { contentHash: Hash },
  success: [200],
  response: bytes('image/png', 'image/webp'),
  errors: ['LIQUIDITY_PARTNER_LOGO_UNAVAILABLE'],
  example: { params: { contentHash: `0x${'11'.repeat(32)}` } },
})

export const brandFamily = declareFamily({
  module: 'platform/partners',
  operations: [getVerifiedHostBrand, getVerifiedPartnerBrandLogo],
})

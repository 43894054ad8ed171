import Type, { type Static } from 'typebox'
import { Ref, versioned } from '../envelope.ts'
import { closed, Hash, list, named, oneOf, orNull, Reason } from '../scalars.ts'
import { ConsentScope } from './consent-scopes.ts'
import { PartnerHost } from './partner-domain.ts'

const name = (description: string) => Type.String({ minLength: 1, maxLength: 80, description })

const AccentColor = Type.String({
  pattern: '^#[0-9a-f]{6}$',
  description:
    'Brand color, # and six lower-case hex digits of sRGB. Requires a contrast of 3:1 on white and on #121212.',
  examples: ['#0f7b6c'],
})

export const PartnerLogo = Type.Union([
  closed({
    mediaType: oneOf(
      ['image/png', 'image/webp'],
      'Logo format. Vector images can contain programs and are rejected.',
    ),
    base64: Type.String({
      minLength: 4,
      maxLength: 349_528,
      pattern: '^[A-Za-z0-9+/]+={0,2}$',
      description: 'Maximum 256 KiB and 1024 pixels per side; stored re-encoded.',
    }),
  }),
  closed({ logoContentHash: Hash }),
])
export type PartnerLogo = Static<typeof PartnerLogo>

const sharedMembers = {
  host: PartnerHost,
  domainChallenge: Ref,
  displayName: name('Display name of the partner.'),
  supportEmail: Type.String({
    minLength: 3,
    maxLength: 254,
    pattern: '^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$',
    description: 'Support contact for issuers.',
    examples: ['support@partner.example'],
  }),
  offers: list(ConsentScope, 8, {
    minItems: 1,
    uniqueItems: true,
    description: 'Scopes that issuers can grant to this partner.',
  }),
  consentText: Type.String({
    minLength: 50,
    maxLength: 4000,
    description: "Partner's text that an issuer agrees to; consents bind its hash.",
  }),
  dataRetentionDays: Type.Integer({
    minimum: 1,
    maximum: 3650,
    description: 'Days for which the partner retains shared data after a consent ends.',
  }),
}
const legalName = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'Name of the legal person that receives consents.',
})
const privacyUrl = Type.String({
  maxLength: 2048,
  pattern: '^https://[^\\s#]+$',
  description: 'Privacy policy of the partner.',
})

export const PartnerTenantCreate = named(
  'PartnerTenantCreate',
  closed({
    ...sharedMembers,
    legalName: Type.Optional(legalName),
    privacyUrl: Type.Optional(privacyUrl),
    brand: closed({
      name: name('Brand name on pages of the host.'),
      accentColor: AccentColor,
      logo: Type.Optional(PartnerLogo),
    }),
  }),
)
export type PartnerTenantCreate = Static<typeof PartnerTenantCreate>

export const PartnerTenant = named(
  'PartnerTenant',
  closed({
    ...sharedMembers,
    legalName: orNull(legalName),
    privacyUrl: orNull(privacyUrl),
    brand: closed({
      name: name('Brand name on pages of the host.'),
      accentColor: AccentColor,
      contrast: closed({
        onWhiteX100: Type.Integer({
          minimum: 100,
          maximum: 2100,
          description: 'Contrast on a white page times 100, rounded down (WCAG 2.2).',
        }),
        onDarkX100: Type.Integer({
          minimum: 100,
          maximum: 2100,
          description: 'On a page of #121212 times 100, rounded down.',
        }),
      }),
      logo: orNull(
        closed({
          contentHash: Hash,
          mediaType: oneOf(['image/png', 'image/webp'], 'Media type of the displayed bytes.'),
          width: Type.Integer({ minimum: 1, maximum: 1024, description: 'Pixels.' }),
          height: Type.Integer({ minimum: 1, maximum: 1024, description: 'Pixels.' }),
          byteLength: Type.Integer({ minimum: 1 }),
        }),
      ),
    }),
    consentTextHash: Hash,
    configurationArtifactHash: Hash,
  }),
)
export type PartnerTenant = Static<typeof PartnerTenant>
export const PartnerTenantRecord = versioned('PartnerTenant', PartnerTenant)

export const PartnerCommand = named(
  'PartnerCommand',
  closed({ reason: Reason, resourceVersion: Type.Optional(Hash) }),
)

import Type, { type Static } from 'typebox'
import { declareFamily } from '../family.ts'
import { anyone, data, operation } from '../operation.ts'
import {
  AtomicAmount,
  closed,
  Hash,
  list,
  named,
  oneOf,
  openObject,
  orNull,
  Timestamp,
} from '../scalars.ts'

const heading = { tag: 'Platform', family: 'Other API resources' } as const

const Code = (description: string) =>
  Type.String({ pattern: '^[a-z0-9][a-z0-9._-]{0,63}$', description })
const Title = Type.String({ minLength: 1, maxLength: 120 })
const Words = Type.String({ minLength: 1, maxLength: 400 })

const version = Code('Version of the file, in the words of whoever runs this deployment.')
const validUntil = Type.Intersect([Timestamp], {
  description: 'From this time on nothing of the file is shown.',
})

const Plan = closed({
  planId: Code('What names the plan; unique in the catalogue.'),
  name: Title,
  summary: Words,
  price: orNull(
    closed({
      minor: AtomicAmount,
      currency: Type.String({
        pattern: '^[A-Z]{3}$',
        description: 'ISO 4217 code; `minor` counts its smallest unit.',
        examples: ['EUR'],
      }),
      per: oneOf(['MONTH', 'YEAR'], 'What the price is paid for.'),
    }),
  ),
  includes: list(Title, 12, { description: 'What the plan includes, in words.' }),
})

/** What the file that PLANS_FILE names holds. */
export const PlansFile = closed({
  version,
  validUntil,
  plans: list(Plan, 12, { minItems: 1 }),
})
export type PlansFile = Static<typeof PlansFile>

const state = oneOf(
  ['NOT_CONFIGURED', 'PREVIEW'],
  'NOT_CONFIGURED: this deployment has no file, none that is what was pinned, or one that has run out.',
)

export const WorkspacePlanCatalog = named(
  'WorkspacePlanCatalog',
  closed({
    state,
    version: orNull(version),
    validUntil: orNull(validUntil),
    plans: list(Plan, 12, { description: 'In the order of the file; empty unless PREVIEW.' }),
    checkoutAvailable: Type.Literal(false, { description: 'Nothing can be bought here.' }),
  }),
)
export type WorkspacePlanCatalog = Static<typeof WorkspacePlanCatalog>

const offering = {
  offeringId: Code('What names the offering.'),
  title: Title,
  description: Words,
  requirement: openObject('JSON Schema (2020-12) of what a buyer would send.'),
  deliverable: closed({
    mediaType: Type.String({
      pattern: '^[a-z0-9.+-]+/[a-z0-9.+-]+$',
      maxLength: 100,
      description: 'Media type of what would be delivered.',
    }),
    schemaHash: Hash,
  }),
  price: closed({
    amount: AtomicAmount,
    assetKey: Type.String({
      pattern: '^eip155:[1-9][0-9]{0,15}/(slip44:[0-9]{1,9}|erc20:0x[0-9a-fA-F]{40})$',
      description: 'CAIP-19 key of the asset that `amount` is in atoms of.',
    }),
    decimals: Type.Integer({ minimum: 0, maximum: 255, description: 'Of the asset.' }),
  }),
  slaSeconds: Type.Integer({
    minimum: 1,
    maximum: 31_536_000,
    description: 'Within what a delivery would be made.',
  }),
}

/** What the file that ACP_OFFERING_FILE names holds. */
export const AcpOfferingFile = closed({
  catalogVersion: version,
  validUntil,
  offering: closed(offering),
})
export type AcpOfferingFile = Static<typeof AcpOfferingFile>

export const AcpOfferingPreview = named(
  'AcpOfferingPreview',
  closed({
    state,
    catalogVersion: orNull(version),
    validUntil: orNull(validUntil),
    offering: orNull(
      closed({
        ...offering,
        previewHash: Type.Intersect([Hash], {
          description:
            'Content hash, tag `acp-offering-preview`, of the offering without this member.',
        }),
      }),
    ),
    signature: Type.Null({ description: 'A preview is not signed: it binds nobody.' }),
    acceptsJobs: Type.Literal(false, { description: 'No job can be ordered here.' }),
    executionAuthorityGranted: Type.Literal(false),
  }),
)
export type AcpOfferingPreview = Static<typeof AcpOfferingPreview>

export const listWorkspacePlans = operation({
  id: 'listWorkspacePlans',
  method: 'GET',
  path: '/public/plans',
  ...heading,
  summary: 'List workspace plans',
  description:
    'The plans that whoever runs this deployment offers, from a file of theirs whose bytes are pinned. NOT_CONFIGURED without plans or version where it is missing, altered or expired.',
  auth: anyone,
  cacheControl: 'no-store',
  success: [200],
  response: data(WorkspacePlanCatalog),
  errors: ['PUBLIC_PLANS_BUSY'],
})

export const getPublicAcpOffering = operation({
  id: 'getPublicAcpOffering',
  method: 'GET',
  path: '/public/acp/offering',
  ...heading,
  summary: 'Get public acp offering',
  description:
    'What an agent of this deployment would offer to others, as a preview: nothing can be ordered, and nothing is signed. NOT_CONFIGURED has offering, catalogVersion and validUntil null.',
  auth: anyone,
  cacheControl: 'no-store',
  success: [200],
  response: data(AcpOfferingPreview),
  errors: ['PUBLIC_ACP_OFFERING_BUSY'],
})

export const offersFamily = declareFamily({
  room: 'platform/offers',
  operations: [listWorkspacePlans, getPublicAcpOffering],
})

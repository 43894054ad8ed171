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

const version = Code('Version label of the file, set by the operator.')
const validUntil = Type.Intersect([Timestamp], {
  description: 'Expiry time of the file; afterwards its content is hidden.',
})

const Plan = closed({
  planId: Code('Plan identifier; unique in the catalog.'),
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
      per: oneOf(['MONTH', 'YEAR'], 'Billing period of the price.'),
    }),
  ),
  includes: list(Title, 12, { description: 'Description of the features in the plan.' }),
})

/** Content of the PLANS_FILE file. */
export const PlansFile = closed({
  version,
  validUntil,
  plans: list(Plan, 12, { minItems: 1 }),
})
export type PlansFile = Static<typeof PlansFile>

const state = oneOf(
  ['NOT_CONFIGURED', 'PREVIEW'],
  'NOT_CONFIGURED: the file is missing, differs from the pinned hash, or has expired.',
)

export const WorkspacePlanCatalog = named(
  'WorkspacePlanCatalog',
  closed({
    state,
    version: orNull(version),
    validUntil: orNull(validUntil),
    plans: list(Plan, 12, { description: 'Plans in file order; empty unless PREVIEW.' }),
    checkoutAvailable: Type.Literal(false, {
      description: 'Always false: this API sells no plans.',
    }),
  }),
)
export type WorkspacePlanCatalog = Static<typeof WorkspacePlanCatalog>

const offering = {
  offeringId: Code('Offering identifier.'),
  title: Title,
  description: Words,
  requirement: openObject("JSON Schema (2020-12) of the buyer's request."),
  deliverable: closed({
    mediaType: Type.String({
      pattern: '^[a-z0-9.+-]+/[a-z0-9.+-]+$',
      maxLength: 100,
      description: 'Media type of the deliverable.',
    }),
    schemaHash: Hash,
  }),
  price: closed({
    amount: AtomicAmount,
    assetKey: Type.String({
      pattern: '^eip155:[1-9][0-9]{0,15}/(slip44:[0-9]{1,9}|erc20:0x[0-9a-fA-F]{40})$',
      description: 'CAIP-19 key of the asset that `amount` is in atoms of.',
    }),
    decimals: Type.Integer({ minimum: 0, maximum: 255, description: 'Decimals of the asset.' }),
  }),
  slaSeconds: Type.Integer({
    minimum: 1,
    maximum: 31_536_000,
    description: 'Delivery time limit, in seconds.',
  }),
}

/** Content of the ACP_OFFERING_FILE file. */
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
            'Content hash, tag `acp-offering-preview`, of the offering without this field.',
        }),
      }),
    ),
    signature: Type.Null({ description: 'Preview without signature; not binding.' }),
    acceptsJobs: Type.Literal(false, { description: 'Always false: jobs cannot be ordered here.' }),
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
    'Plans of the operator, from a file with pinned bytes. NOT_CONFIGURED, without plans or version, if the file is missing, altered or expired.',
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
    'Preview of the offering that an agent of this deployment would publish; unsigned, and not open for orders. NOT_CONFIGURED has offering, catalogVersion and validUntil null.',
  auth: anyone,
  cacheControl: 'no-store',
  success: [200],
  response: data(AcpOfferingPreview),
  errors: ['PUBLIC_ACP_OFFERING_BUSY'],
})

export const offersFamily = declareFamily({
  module: 'platform/offers',
  operations: [listWorkspacePlans, getPublicAcpOffering],
})

import Type from 'typebox'
import { declareFamily } from '../family.ts'
import { anyone, data, operation, raw } from '../operation.ts'
import { ProofLogHead } from '../prove/proof.ts'
import { closed, Hash, list, named, oneOf, openObject, orNull, Timestamp } from '../scalars.ts'

export const DependencyState = named(
  'DependencyState',
  closed({
    name: Type.String({ examples: ['database'] }),
    state: oneOf(['UP', 'DEGRADED', 'DOWN'], 'State of the dependency, as seen by this node.'),
    lagSeconds: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Age of the oldest waiting work.' }),
    ),
    waiting: Type.Optional(Type.Integer({ minimum: 0, description: 'Items that wait.' })),
  }),
)

export const ServiceStatus = named(
  'ServiceStatus',
  closed({
    service: Type.Literal('liquidity-os'),
    version: Type.String({ description: 'Release of the service.' }),
    apiVersion: Type.Literal('2.0.0'),
    contractHash: Hash,
    state: oneOf(['UP', 'DEGRADED'], 'DEGRADED when a dependency is not up.'),
    startedAt: Timestamp,
    uptimeSeconds: Type.Integer({ minimum: 0 }),
    dependencies: list(DependencyState, 16),
    freshness: list(
      closed({
        task: Type.String({ examples: ['VENUE_INDEX'] }),
        late: Type.Integer({
          minimum: 0,
          description: 'True if more than two intervals passed without a success.',
        }),
        overdue: Type.Integer({ minimum: 0, description: 'More than six.' }),
        blocked: Type.Integer({ minimum: 0, description: 'The last run failed.' }),
        worstLagSeconds: Type.Integer({
          minimum: 0,
          description: 'Seconds since the last success.',
        }),
      }),
      16,
      { description: 'Schedules by task, over all organizations.' },
    ),
    operations: closed({
      declared: Type.Integer(),
      available: Type.Integer({ description: 'Operations that this release serves.' }),
    }),
    proofLog: orNull(ProofLogHead),
  }),
)

const heading = { tag: 'Platform', family: 'Platform, credentials and webhooks' } as const

export const getOperatingSystemOpenApi = operation({
  id: 'getOperatingSystemOpenApi',
  method: 'GET',
  path: '/openapi.json',
  ...heading,
  summary: 'Read the OpenAPI document',
  description:
    'The OpenAPI 3.1 contract, version 2.0.0: 238 operations on 189 paths. Not wrapped in {data}.',
  auth: anyone,
  success: [200],
  response: raw(openObject('OpenAPI 3.1 document.')),
  cacheControl: 'public, max-age=60',
})

export const getOperatingSystemStatus = operation({
  id: 'getOperatingSystemStatus',
  method: 'GET',
  path: '/status',
  ...heading,
  summary: 'Read the state of the service',
  description: 'Public, so no tenant data in it.',
  auth: anyone,
  success: [200],
  response: data(ServiceStatus),
})

export const getBesideOpenApi = operation({
  id: 'getBesideOpenApi',
  isExtension: true,
  method: 'GET',
  path: '/openapi-beside.json',
  ...heading,
  summary: 'Read the OpenAPI document of the extensions',
  description:
    'OpenAPI 3.1 of the extensions: operations under the same base path and guards as the 238 specified operations. Not wrapped in {data}.',
  auth: anyone,
  success: [200],
  response: raw(openObject('OpenAPI 3.1 document.')),
  cacheControl: 'public, max-age=60',
})

export const serviceFamily = declareFamily({
  module: 'platform/service',
  operations: [getOperatingSystemOpenApi, getBesideOpenApi, getOperatingSystemStatus],
})

import Type from 'typebox'
import { anyone, operation, undesigned } from '../operation.ts'

const heading = { tag: 'Intelligence', family: 'Other API resources' } as const

export const searchDiscoveredProjects = operation({
  id: 'searchDiscoveredProjects',
  method: 'GET',
  path: '/public/discovery/search',
  ...heading,
  summary: 'Search discovered projects',
  description:
    '200 data MarketDiscoverySearch. Failures may be a workflow request error, a workflow rate-limit error, {error: ApiError}, or plain text or HTML; ours are always the envelope.',
  auth: anyone,
  query: {
    q: Type.String({ minLength: 2, maxLength: 200 }),
    page: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 1 })),
  },
  success: [200],
  response: undesigned,
})

export const getDiscoveredProjectMarket = operation({
  id: 'getDiscoveredProjectMarket',
  method: 'GET',
  path: '/public/discovery/market/{id}',
  ...heading,
  summary: 'Get discovered project market',
  description:
    'id: integer 1 to 9007199254740991. 200 data MarketDiscoveryEvidence. Failures may be a workflow request error, a workflow rate-limit error, {error: ApiError}, or plain text or HTML; ours are always the envelope.',
  auth: anyone,
  success: [200],
  response: undesigned,
})

export const getMarketDiscoveryCapabilities = operation({
  id: 'getMarketDiscoveryCapabilities',
  method: 'GET',
  path: '/public/discovery/capabilities',
  ...heading,
  summary: 'Get market discovery capabilities',
  description:
    '200 data MarketDiscoveryCapabilities. Failures may be a workflow request error, a workflow rate-limit error, {error: ApiError}, or plain text or HTML; ours are always the envelope.',
  auth: anyone,
  cacheControl: 'no-store',
  success: [200],
  response: undesigned,
})

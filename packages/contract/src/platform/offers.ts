import { anyone, operation, undesigned } from '../operation.ts'

const heading = { tag: 'Platform', family: 'Other API resources' } as const

export const listWorkspacePlans = operation({
  id: 'listWorkspacePlans',
  method: 'GET',
  path: '/public/plans',
  ...heading,
  summary: 'List workspace plans',
  description:
    'No parameters. 200 data WorkspacePlanCatalog: NOT_CONFIGURED without plans or version when configuration is missing or expired; PREVIEW needs an unexpired timestamp, a version and 1 to 12 unique plans. 429 PUBLIC_PLANS_BUSY with Retry-After.',
  auth: anyone,
  cacheControl: 'no-store',
  success: [200],
  statedErrors: [429],
  response: undesigned,
})

export const getPublicAcpOffering = operation({
  id: 'getPublicAcpOffering',
  method: 'GET',
  path: '/public/acp/offering',
  ...heading,
  summary: 'Get public acp offering',
  description:
    '200 data AcpOfferingPreview; NOT_CONFIGURED has offering, catalogVersion and validUntil null. 429 PUBLIC_ACP_OFFERING_BUSY with Retry-After and no-store.',
  auth: anyone,
  cacheControl: 'no-store',
  success: [200],
  statedErrors: [429],
  response: undesigned,
})

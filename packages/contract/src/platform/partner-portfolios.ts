import { operation, session, undesigned } from '../operation.ts'

const heading = { tag: 'Platform', family: 'Partners, consent and market makers' } as const

export const getPartnerPortfolio = operation({
  id: 'getPartnerPortfolio',
  method: 'GET',
  path: '/partner-portfolios/{partnerId}',
  ...heading,
  summary: 'Get partner portfolio',
  description: 'The portfolio a partner may see under current consents.',
  auth: session,
  permission: 'read',
  success: [200],
  response: undesigned,
})

export const preparePartnerProposal = operation({
  id: 'preparePartnerProposal',
  method: 'POST',
  path: '/partner-portfolios/{partnerId}/proposal-preparations',
  ...heading,
  summary: 'Prepare partner proposal',
  description:
    'A partner prepares a proposal for the issuer, who imports or declines it; grants no authority.',
  auth: session,
  permission: 'partners.manage',
  idempotency: 'key-160',
  success: [201],
  body: undesigned,
  response: undesigned,
})

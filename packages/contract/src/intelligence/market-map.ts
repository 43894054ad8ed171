import { operation, session } from '../operation.ts'

export const getUnifiedLiquidityMap = operation({
  id: 'getUnifiedLiquidityMap',
  method: 'GET',
  path: '/market-map',
  tag: 'Intelligence',
  family: 'Market quality, attribution and alerts',
  summary: 'Get unified liquidity map',
  description: 'Get unified liquidity map.',
  auth: session,
  permission: 'read',
  success: [200],
})

import Type from 'typebox'
import { declareFamily } from '../family.ts'
import { collection, operation, session } from '../operation.ts'
import { ChainId, closed, named } from '../scalars.ts'

export const ChainOffer = named(
  'ChainOffer',
  closed({
    chainId: ChainId,
    name: Type.String({ maxLength: 60, description: 'Name of the chain.' }),
    endpoint: Type.String({
      format: 'uri',
      maxLength: 2000,
      description: 'RPC URL that contains no key.',
      examples: ['https://ethereum-rpc.publicnode.com'],
    }),
  }),
)

export const listChainOffers = operation({
  id: 'listChainOffers',
  isExtension: true,
  method: 'GET',
  path: '/chain-offers',
  tag: 'Platform',
  family: 'Platform, credentials and webhooks',
  summary: 'List chain offers',
  description:
    'Chains that the operator suggests for an RPC provider, in the order of the setting CHAIN_OFFERS. Empty without the setting.',
  auth: session,
  permission: 'read',
  cacheControl: 'private, no-store',
  success: [200],
  response: collection(ChainOffer),
})

export const chainOfferFamily = declareFamily({
  module: 'platform/chain-offers',
  operations: [listChainOffers],
})

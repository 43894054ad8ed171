import Type, { type Static } from 'typebox'
import { declareFamily } from '../family.ts'
import { collection, operation, session } from '../operation.ts'
import { Address, closed, named, oneOf } from '../scalars.ts'

export const addressLabelSources = ['WALLET', 'VAULT', 'MAKER', 'VENUE', 'ADAPTER'] as const

export const AddressLabel = named(
  'AddressLabel',
  closed({
    address: Address,
    name: Type.String({ maxLength: 160, description: 'Name that the organization declared.' }),
    source: oneOf(
      addressLabelSources,
      'WALLET: holding of the treasury. VAULT: Safe with a vault. MAKER: wallet of a mandate. VENUE: market of a venue. ADAPTER: known contract of the signed release.',
    ),
  }),
)
export type AddressLabel = Static<typeof AddressLabel>

export const listAddressLabels = operation({
  id: 'listAddressLabels',
  isExtension: true,
  method: 'GET',
  path: '/address-labels',
  tag: 'Platform',
  family: 'Platform, credentials and webhooks',
  summary: 'List names of addresses',
  description:
    'Names of addresses from current records, on all chains, in the order of the query. An address without a name is absent. An address has one name: a vault precedes a wallet, a market maker, a venue and an adapter.',
  auth: session,
  permission: 'read',
  query: {
    addresses: Type.String({
      pattern: '^0x[0-9a-fA-F]{40}(,0x[0-9a-fA-F]{40}){0,99}$',
      maxLength: 4300,
      description: 'At most 100 addresses, comma-separated.',
      examples: ['0x92560C178cE069CC014138eD3C2F5221Ba71f58a'],
    }),
  },
  cacheControl: 'private, no-store',
  success: [200],
  response: collection(AddressLabel),
})

export const addressLabelFamily = declareFamily({
  module: 'platform/address-labels',
  operations: [listAddressLabels],
})

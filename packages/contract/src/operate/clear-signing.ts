import Type, { type Static } from 'typebox'
import { anyone, data, operation } from '../operation.ts'
import {
  Address,
  ChainId,
  closed,
  Hash,
  list,
  mapOf,
  named,
  openObject,
  orNull,
} from '../scalars.ts'

const Field = closed({
  path: Type.String({
    description:
      'Path of the argument; `[]` is every item of a list. `@.value` is the coin that the call sends.',
  }),
  label: Type.String(),
  format: Type.String({ description: 'raw, amount, tokenAmount, addressName or date.' }),
  params: Type.Optional(openObject('Parameters of the format, such as `tokenPath`.')),
})

export const ClearSigningFile = named(
  'ClearSigningFile',
  closed(
    {
      context: closed({
        $id: Type.String({
          description: 'Adapters of the release that bind the contracts, joined by `+`.',
        }),
        contract: closed({
          abi: list(openObject('ABI of a function.'), 64),
          deployments: list(closed({ chainId: ChainId, address: Address }), 256),
        }),
      }),
      metadata: closed({ owner: Type.String() }),
      display: closed({
        formats: mapOf(
          closed({ intent: Type.String(), fields: list(Field, 256) }),
          'Fields of each function, by signature with parameter names.',
        ),
      }),
    },
    { description: 'Descriptor of ERC-7730, version 1, for contracts with the same adapters.' },
  ),
)
export type ClearSigningFile = Static<typeof ClearSigningFile>

export const readClearSigning = operation({
  id: 'readClearSigning',
  isExtension: true,
  method: 'GET',
  path: '/public/clear-signing',
  tag: 'Operate',
  family: 'Proposal review and safe evidence',
  summary: 'List clear-signing descriptors',
  description:
    'ERC-7730 files for the contracts of the trusted adapter release, generated from it. Wallets show the arguments of a call with them. Empty without a valid release.',
  auth: anyone,
  cacheControl: 'public, max-age=60',
  success: [200],
  response: data(
    named(
      'ClearSigning',
      closed({ releaseHash: orNull(Hash), files: list(ClearSigningFile, 256) }),
    ),
  ),
})

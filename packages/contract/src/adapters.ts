import Type, { type Static } from 'typebox'
import cow from './adapters/cow.json' with { type: 'json' }
import safe from './adapters/safe.json' with { type: 'json' }
import tokens from './adapters/tokens.json' with { type: 'json' }
import uniswapV2 from './adapters/uniswap-v2.json' with { type: 'json' }
import uniswapV3 from './adapters/uniswap-v3.json' with { type: 'json' }
import universalRouter from './adapters/universal-router.json' with { type: 'json' }
import { Address, ChainId, closed, Hash, list, named, oneOf, orNull } from './scalars.ts'
import { SignedTime } from './signed-scalars.ts'

const path = (description: string) => Type.String({ maxLength: 120, description })
const Path = Type.Optional(path('Path of the argument that plays this part.'))

/** Meaning of a function, which selects the rules for its amounts and recipients. */
export const adapterFunctionKinds = [
  ...(['SWAP', 'ADD', 'REMOVE', 'COLLECT', 'BURN', 'TRANSFER', 'APPROVE'] as const),
  ...(['WRAP', 'UNWRAP', 'ORDER', 'MULTICALL', 'ROUTER', 'BATCH'] as const),
] as const
export type AdapterFunctionKind = (typeof adapterFunctionKinds)[number]
const Kind = oneOf(adapterFunctionKinds, 'Meaning of the function.')

const AdapterAmount = closed({
  token: path(
    'Path of the token argument; `$target` is the called contract, `$pair` the v2 pair of the function, `$position.token0` and `$position.token1` are read from the position.',
  ),
  amount: Path,
  minimum: Path,
})
const Amounts = Type.Optional(list(AdapterAmount, 8))

const AdapterRoles = closed({
  amountIn: Path,
  amountOutMinimum: Path,
  tokenIn: Path,
  tokenOut: Path,
  recipient: Path,
  spender: Path,
  deadline: Path,
  amountsIn: Amounts,
  amountsOut: Amounts,
  owner: Path,
  payee: Path,
  positionId: Path,
  liquidity: Path,
  tickLower: Path,
  tickUpper: Path,
  calls: Path,
})

/** Command of a router that executes a list of commands. */
const AdapterCommand = closed({
  command: Type.String({ pattern: '^0x[0-9a-f]{2}$' }),
  signature: Type.String({ maxLength: 1000 }),
  kind: Kind,
  roles: AdapterRoles,
})

export const AdapterFunction = named(
  'AdapterFunction',
  closed({
    selector: Type.String({ pattern: '^0x[0-9a-f]{8}$' }),
    signature: Type.String({ maxLength: 1000 }),
    kind: Type.Optional(Kind),
    roles: AdapterRoles,
    commands: Type.Optional(list(AdapterCommand, 32)),
  }),
)
export type AdapterFunction = Static<typeof AdapterFunction>

export const adapterCodeEvidence = [
  ...(['TEMPLATE', 'PUBLISHED_HASH', 'OBSERVED', 'ADDRESS_ONLY'] as const),
] as const

/** A published build with its immutables set to zero. */
export const AdapterTemplate = named(
  'AdapterTemplate',
  closed({
    hash: Hash,
    bytes: Type.Integer({ minimum: 1, maximum: 65_535, description: 'Length of the code.' }),
    immutables: list(Type.Integer({ minimum: 0, maximum: 65_535 }), 256, {
      description: 'Offsets of the 32-byte immutables.',
    }),
    source: Type.String({ maxLength: 200, description: 'Package, version and file.' }),
  }),
)
export type AdapterTemplate = Static<typeof AdapterTemplate>

export const AdapterContract = named(
  'AdapterContract',
  closed({
    chainId: ChainId,
    address: Address,
    runtimeCodeHash: Type.Optional(Hash),
    code: Type.Optional(
      closed({
        evidence: oneOf(
          adapterCodeEvidence,
          'TEMPLATE: hash of a template of the adapter. PUBLISHED_HASH, OBSERVED: hash of the runtime code. ADDRESS_ONLY: code unknown.',
        ),
        hash: orNull(Hash),
        source: Type.String({ maxLength: 300 }),
      }),
    ),
  }),
)
export type AdapterContract = Static<typeof AdapterContract>

export const Adapter = named(
  'Adapter',
  closed({
    adapterId: Type.String({ maxLength: 80 }),
    name: Type.String({ maxLength: 120 }),
    senderAlias: Type.Optional(Address),
    contracts: list(AdapterContract, 256),
    templates: Type.Optional(list(AdapterTemplate, 16)),
    functions: list(AdapterFunction, 64),
  }),
)
export type Adapter = Static<typeof Adapter>

/** Bundled adapters, signed with a build. */
export const ReleaseManifest = named(
  'ReleaseManifest',
  closed({
    releaseVersion: Type.String({ minLength: 1, maxLength: 80 }),
    adapters: list(Adapter, 256),
    issuedAt: SignedTime,
    expiresAt: SignedTime,
    signature: Type.String({
      maxLength: 100,
      description:
        'Ed25519 over `release-manifest/v1` and the canonical JSON of everything else, base64.',
    }),
  }),
)
export type ReleaseManifest = Static<typeof ReleaseManifest>

const packs = [uniswapV3, uniswapV2, universalRouter, cow, tokens, safe]

/** The adapters of all packs. A test checks the packs against their schema. */
export const adapters = packs.flatMap((pack) => pack.adapters as readonly Adapter[])

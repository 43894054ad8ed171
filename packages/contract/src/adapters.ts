import Type, { type Static } from 'typebox'
import registry from './adapters.json' with { type: 'json' }
import { Address, ChainId, closed, Hash, list, named } from './scalars.ts'
import { SignedTime } from './signed-scalars.ts'

const Path = Type.Optional(
  Type.String({ maxLength: 120, description: 'Path of the argument that plays this part.' }),
)

export const AdapterFunction = named(
  'AdapterFunction',
  closed({
    selector: Type.String({ pattern: '^0x[0-9a-f]{8}$' }),
    signature: Type.String({ maxLength: 1000 }),
    roles: closed({
      amountIn: Path,
      amountOutMinimum: Path,
      tokenIn: Path,
      tokenOut: Path,
      recipient: Path,
      spender: Path,
      deadline: Path,
    }),
  }),
)
export type AdapterFunction = Static<typeof AdapterFunction>

export const Adapter = named(
  'Adapter',
  closed({
    adapterId: Type.String({ maxLength: 80 }),
    name: Type.String({ maxLength: 120 }),
    contracts: list(closed({ chainId: ChainId, address: Address, runtimeCodeHash: Hash }), 256),
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

export const adapters: readonly Adapter[] = registry.adapters

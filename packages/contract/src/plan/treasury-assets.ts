import Type, { type Static } from 'typebox'
import { Actor, SourceRef } from '../envelope.ts'
import { chainErrors } from '../errors.ts'
import { declareFamily } from '../family.ts'
import { collection, operation, paging, record, session } from '../operation.ts'
import {
  closed,
  Hash,
  list,
  named,
  oneOf,
  orNull,
  Reason,
  RecordId,
  Timestamp,
} from '../scalars.ts'
import { TreasuryGap } from './treasury-computation.ts'
import { AssetKey, TreasuryTier } from './treasury-terms.ts'

export const declarableClasses = ['STABLE', 'CRYPTO_MAJOR', 'CRYPTO_OTHER', 'OWN_TOKEN'] as const

const DeclaredClass = oneOf(
  declarableClasses,
  'Class of the token. STABLE: T1. CRYPTO_MAJOR: T2. CRYPTO_OTHER: T3. OWN_TOKEN: T4, in no total of money.',
)
export type DeclaredClass = Static<typeof DeclaredClass>

const Own = closed({
  basis: oneOf(
    ['PROJECT_CONTROL', 'LAUNCH_PLAN', 'PASSPORT', 'DECLARED'],
    'Evidence for the own token. PROJECT_CONTROL: an active control proof names it. LAUNCH_PLAN: a launch plan that is not retired. PASSPORT: an active passport. DECLARED: a member declared it.',
  ),
  source: Type.Optional(SourceRef),
})

const PendingAssetClass = named(
  'PendingAssetClass',
  closed({
    class: DeclaredClass,
    requestedBy: Actor,
    requestedAt: Timestamp,
    effectiveAt: orNull(
      Type.String({
        format: 'date-time',
        description:
          'Effective time without a second OWNER, unless another has joined by then; null with other OWNERs.',
      }),
    ),
    expiresAt: Timestamp,
  }),
)
export type PendingAssetClass = Static<typeof PendingAssetClass>

const known = {
  assetKey: AssetKey,
  symbol: orNull(
    Type.String({
      maxLength: 32,
      description: 'Symbol that the token reports; null if it is unsafe text or unreadable.',
    }),
  ),
  decimals: orNull(
    Type.Integer({
      minimum: 0,
      maximum: 255,
      description: 'Decimals that the token reports; null if no chain was read.',
    }),
  ),
}

/** The class of one token, as the organization declared it. */
export const TreasuryAsset = named(
  'TreasuryAsset',
  closed({
    ...known,
    class: orNull(DeclaredClass),
    own: orNull(Own),
    pending: orNull(PendingAssetClass),
  }),
)
export type TreasuryAsset = Static<typeof TreasuryAsset>

export const TreasuryAssetView = named(
  'TreasuryAssetView',
  closed({
    id: RecordId,
    resourceVersion: Hash,
    ...known,
    class: orNull(DeclaredClass),
    own: orNull(Own),
    pending: orNull(PendingAssetClass),
  }),
)
export type TreasuryAssetView = Static<typeof TreasuryAssetView>

export const TreasuryAssetRow = named(
  'TreasuryAssetRow',
  closed({
    standing: oneOf(
      ['DECLARED', 'BOUND', 'UNDECLARED'],
      'DECLARED: a record states its class. BOUND: a control proof, a launch plan or a passport makes it the own token, regardless of records. UNDECLARED: possibly the own token, not yet decided.',
    ),
    ...known,
    class: DeclaredClass,
    tier: TreasuryTier,
    own: orNull(Own),
    record: orNull(
      closed(
        { id: RecordId, resourceVersion: Hash },
        { description: 'Record of the token; null if none exists.' },
      ),
    ),
    pending: orNull(PendingAssetClass),
    gaps: list(TreasuryGap, 1),
  }),
)
export type TreasuryAssetRow = Static<typeof TreasuryAssetRow>

const heading = { tag: 'Plan', family: 'Treasury ledger and capital planning' } as const
const written = {
  ...heading,
  isExtension: true,
  auth: session,
  permission: 'treasury.write',
  idempotency: 'key-160',
  cacheControl: 'private, no-store',
} as const
const change = {
  ...written,
  precondition: 'required',
  params: { id: RecordId },
  success: [200],
  response: record(TreasuryAssetView),
} as const

export const listTreasuryAssets = operation({
  id: 'listTreasuryAssets',
  isExtension: true,
  method: 'GET',
  path: '/treasury/assets',
  ...heading,
  summary: 'List the tokens of the treasury',
  description:
    'Declared tokens, tokens that a record makes the own token, and undeclared tokens that may be the own token, in the order of asset keys. Bound and undeclared tokens are derived at each read.',
  auth: session,
  permission: 'read',
  cacheControl: 'private, no-store',
  paging: paging(50, 100),
  success: [200],
  response: collection(TreasuryAssetRow),
})

export const createTreasuryAssets = operation({
  ...written,
  id: 'createTreasuryAssets',
  method: 'POST',
  path: '/treasury/assets',
  summary: 'Declare the class of a token',
  description:
    'Requires a recent sign-in. The service reads symbol and decimals from the chain. For an undeclared token each class except OWN_TOKEN needs an OWNER, and waits: with other OWNERs for a confirmation within 7 days, without other OWNERs for 72 hours. Until then totals in money exclude the token. Coins, wrapped coins and money have a known class and are rejected.',
  success: [201],
  body: closed({ assetKey: AssetKey, class: DeclaredClass, reason: Reason }),
  response: record(TreasuryAssetView),
  errors: [
    ...chainErrors,
    'LIQUIDITY_CHAIN_REORGED',
    'LIQUIDITY_CHAIN_STATE_UNAVAILABLE',
    'LIQUIDITY_CHAIN_PROVIDERS_DISAGREE',
    'LIQUIDITY_PROVIDER_UNKNOWN',
    'LIQUIDITY_TREASURY_ASSET_INVALID',
    'LIQUIDITY_TREASURY_ASSET_DECLARED',
    'LIQUIDITY_TREASURY_OWN_TOKEN_BOUND',
    'LIQUIDITY_STUDIO_REAUTHENTICATION_REQUIRED',
  ],
  example: {
    body: {
      assetKey: 'eip155:31337/erc20:0x5fbdb2315678afecb367f032d93f642f64180aa3',
      class: 'OWN_TOKEN',
      reason: 'Our token before its launch',
    },
  },
})

export const changeTreasuryAsset = operation({
  ...change,
  id: 'changeTreasuryAsset',
  method: 'PATCH',
  path: '/treasury/assets/{id}',
  summary: 'Change the declared class of a token',
  description:
    'Requires a recent sign-in. Removal of the class OWN_TOKEN needs an OWNER and waits as in POST /treasury/assets. Another change takes effect at once and withdraws a waiting change. Every member gets an email when a change waits, takes effect or ends.',
  body: closed({ class: DeclaredClass, reason: Reason }),
  errors: ['LIQUIDITY_TREASURY_OWN_TOKEN_BOUND', 'LIQUIDITY_STUDIO_REAUTHENTICATION_REQUIRED'],
  example: { body: { class: 'CRYPTO_OTHER', reason: 'The token of another project' } },
})

export const confirmTreasuryAsset = operation({
  ...change,
  id: 'confirmTreasuryAsset',
  method: 'POST',
  path: '/treasury/assets/{id}/confirm',
  summary: 'Confirm a pending class of a token',
  description:
    'Requires an OWNER other than the requester, and a recent sign-in. It takes effect at once.',
  body: closed({ reason: Reason }),
  errors: [
    'LIQUIDITY_TREASURY_ASSET_NOTHING_PENDING',
    'LIQUIDITY_TREASURY_ASSET_SECOND_OWNER_REQUIRED',
    'LIQUIDITY_TREASURY_OWN_TOKEN_BOUND',
    'LIQUIDITY_STUDIO_REAUTHENTICATION_REQUIRED',
  ],
  example: { body: { reason: 'Agreed in the board meeting' } },
})

export const treasuryAssetsFamily = declareFamily({
  module: 'plan/treasury-assets',
  operations: [listTreasuryAssets, createTreasuryAssets, changeTreasuryAsset, confirmTreasuryAsset],
  type: 'TreasuryAsset',
  prefix: 'treasury_asset',
  name: 'treasury asset',
  plural: 'treasury assets',
  payload: TreasuryAsset,
  moves: { ACTIVE: ['ACTIVE'] },
  events: [
    'treasury.asset.declared',
    'treasury.asset.changed',
    'treasury.asset.loosening_requested',
    'treasury.asset.loosened',
    'treasury.asset.loosening_withdrawn',
    'treasury.asset.loosening_expired',
  ],
  title: 'payload.symbol',
  columns: ['payload.symbol', 'payload.assetKey', 'payload.class', 'createdAt'],
})

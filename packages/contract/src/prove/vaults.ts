import Type, { type Static } from 'typebox'
import { Block, OperatingSystemJob, Ref, versioned } from '../envelope.ts'
import { chainErrors } from '../errors.ts'
import { declareFamily, recordQuery } from '../family.ts'
import { Pair } from '../intelligence/venues.ts'
import { data, operation, record, scoped, session } from '../operation.ts'
import { getOperation, listOperation } from '../reading.ts'
import {
  Address,
  AtomicAmount,
  BlockNumber,
  ChainId,
  closed,
  Hash,
  list,
  named,
  oneOf,
  orNull,
  Reason,
  RecordId,
} from '../scalars.ts'

const heading = { tag: 'Prove', family: 'Proof, vaults, receipts and passports' } as const

export const SafeControl = named(
  'SafeControl',
  closed({
    version: Type.String({ maxLength: 40, description: 'Version reported by the Safe.' }),
    codeHash: Hash,
    singleton: Address,
    singletonCodeHash: Hash,
    owners: list(Address, 1000, { description: 'Ascending.' }),
    ownersWithCode: list(Address, 1000, {
      description: 'Owners that are contracts; their controllers are not resolved here.',
    }),
    threshold: Type.Integer({ minimum: 1, description: 'Required number of owner signatures.' }),
    modules: list(Address, 1000, {
      description:
        "Contracts that can move the Safe's assets without its owners, in the order of the Safe's list.",
    }),
    guard: orNull(Address),
    moduleGuard: orNull(Address),
    fallbackHandler: orNull(Address),
    nonce: AtomicAmount,
  }),
)
export type SafeControl = Static<typeof SafeControl>

const controlRoles = ['MODULE', 'GUARD', 'MODULE_GUARD', 'FALLBACK_HANDLER'] as const
export const DeclaredControl = named(
  'DeclaredControl',
  closed({
    role: oneOf(controlRoles, 'Role of the contract in the Safe.'),
    address: Address,
    codeHash: Hash,
    note: Type.String({
      minLength: 1,
      maxLength: 300,
      description: 'Purpose and reviewer of the contract.',
    }),
  }),
)
export type DeclaredControl = Static<typeof DeclaredControl>

const AttachedContract = closed({
  role: oneOf(controlRoles, 'Role in the Safe.'),
  address: Address,
  codeHash: Hash,
  name: orNull(Type.String({ maxLength: 80, description: 'The published build that it is.' })),
})

export const vaultCheckCodes = [
  ...(['SINGLETON', 'PROXY', 'THRESHOLD', 'OWNERS', 'MODULES', 'GUARD', 'MODULE_GUARD'] as const),
  ...(['FALLBACK_HANDLER', 'CONTROL_PROOF', 'FRESH'] as const),
] as const

const VaultCheck = named(
  'VaultCheck',
  closed({
    code: oneOf(vaultCheckCodes, 'Check at the block of the snapshot.'),
    ok: Type.Boolean(),
    observed: Type.String({ maxLength: 1000 }),
    expected: Type.String({ maxLength: 400 }),
  }),
)

export const QualifiedVault = named(
  'QualifiedVault',
  closed({
    chainId: ChainId,
    safeAddress: Address,
    pair: Pair,
    ledgerEntries: list(Ref, 100, {
      description: 'Ledger holdings in this Safe for liquidity in this pair.',
    }),
    venues: list(Ref, 100, { description: 'Validated venues of the pair.' }),
    control: SafeControl,
    attached: list(AttachedContract, 1000),
    declared: list(DeclaredControl, 32, {
      description:
        'Contracts that the organization has declared to know, each with the hash of its code: other code under the same address is not declared.',
    }),
    controlEpoch: AtomicAmount,
    epochFrom: Block,
    qualification: oneOf(
      ['QUALIFIED', 'UNQUALIFIED', 'STALE'],
      'STALE: the snapshot is older than 3,600 s. UNQUALIFIED: a check fails.',
    ),
    checks: list(VaultCheck, 16),
    policy: orNull(Ref),
    score: orNull(Ref),
    passport: orNull(Ref),
    claimBlockers: list(Type.String({ maxLength: 80 }), 16, {
      description:
        'Blockers of a passport publication, as of the snapshot; GET /vaults/{id}/passport-claims computes current claims and other missing data.',
    }),
    snapshot: Block,
    receipts: closed({
      fromBlock: BlockNumber,
      through: closed({ number: BlockNumber, hash: Hash }),
      count: Type.Integer({ minimum: 0, description: 'Number of receipts of this vault.' }),
      isWhole: Type.Boolean({
        description:
          'True if all blocks up to the snapshot were read; otherwise the next run continues.',
      }),
    }),
    finality: closed({
      rule: Type.String({ maxLength: 40, description: 'TAG, or DEPTH with the number of blocks.' }),
      providers: Type.Integer({
        minimum: 1,
        description: 'Number of providers with the same block hash.',
      }),
      limitations: list(Type.String({ maxLength: 80 }), 16),
    }),
  }),
)
export type QualifiedVault = Static<typeof QualifiedVault>
export const QualifiedVaultRecord = versioned('QualifiedVault', QualifiedVault)

const states = ['ACTIVE', 'PARTIAL', 'PAUSED', 'RETIRED'] as const
const moves = {
  ACTIVE: states,
  PARTIAL: states,
  PAUSED: states,
  RETIRED: ['ACTIVE', 'PARTIAL', 'PAUSED'],
} as const

const vaults = {
  path: '/vaults',
  ...heading,
  one: 'vault',
  record: QualifiedVaultRecord,
  auth: scoped('vaults:read'),
} as const

export const listQualifiedVaultsV2 = listOperation(vaults, {
  id: 'listQualifiedVaultsV2',
  summary: 'List qualified vaults',
  description:
    'Safes with liquidity, and their control. Vaults are not created by users: a vault appears when an active ledger holding for a liquidity program or backstop lies in a Safe, and a validated venue of that chain trades its asset. Status ACTIVE: qualified. PARTIAL: not qualified. PAUSED: not read for an hour. RETIRED: no longer named by a holding or venue.',
  query: recordQuery(moves),
})

export const getQualifiedVaultV2 = getOperation(vaults, {
  id: 'getQualifiedVaultV2',
  summary: 'Get qualified vault',
  description: 'One qualified vault with its strong ETag (quoted resourceVersion).',
})

/** Maximum assets of `readVaultSafe`. */
export const maxSafeAssets = 40

export const VaultSafe = named(
  'VaultSafe',
  closed({
    block: Block,
    owners: list(Address, 1000, {
      description:
        'In the order of the Safe: a call that removes or replaces an owner names the owner before it.',
    }),
    threshold: Type.Integer({ minimum: 1, description: 'Required number of owner signatures.' }),
    balances: list(
      closed({
        asset: Type.String({
          pattern: '^(native|0x[0-9a-fA-F]{40})$',
          description: 'Address of the token, or `native` for the coin of the chain.',
        }),
        amount: AtomicAmount,
      }),
      maxSafeAssets + 3,
      { description: 'Both tokens of the vault, the coin, and the requested tokens that respond.' },
    ),
  }),
)
export type VaultSafe = Static<typeof VaultSafe>

export const readVaultSafe = operation({
  id: 'readVaultSafe',
  isExtension: true,
  method: 'GET',
  path: '/vaults/{id}/safe',
  ...heading,
  summary: 'Read the Safe of a vault now',
  description:
    'Owners, threshold and balances at the finalized block, for the preparation of a proposal. All providers of the chain must agree. Stores no record.',
  auth: session,
  permission: 'read',
  query: {
    assets: Type.Optional(
      Type.String({
        pattern: '^0x[0-9a-fA-F]{40}(,0x[0-9a-fA-F]{40}){0,39}$',
        maxLength: 1720,
        description: `Further tokens by address, at most ${maxSafeAssets}, comma-separated.`,
        examples: ['0x92560C178cE069CC014138eD3C2F5221Ba71f58a'],
      }),
    ),
  },
  cacheControl: 'private, no-store',
  success: [200],
  response: data(VaultSafe),
  errors: [
    ...chainErrors,
    'LIQUIDITY_CHAIN_REORGED',
    'LIQUIDITY_CHAIN_STATE_UNAVAILABLE',
    'LIQUIDITY_CHAIN_PROVIDERS_DISAGREE',
    'LIQUIDITY_PROVIDER_UNKNOWN',
    'LIQUIDITY_PROPOSAL_VAULT_UNQUALIFIED',
  ],
})

export const observeVaults = operation({
  id: 'observeVaults',
  isExtension: true,
  method: 'POST',
  path: '/vault-observations',
  ...heading,
  summary: 'Read the vaults of a holding now',
  description:
    'Queues the scheduled job at once: reads the Safe of a holding at the finalized block, creates or updates its vaults, and creates receipts of its executions.',
  auth: session,
  permission: 'prepare',
  idempotency: 'key-160',
  success: [201],
  body: named(
    'VaultObservationRequest',
    closed({ payload: closed({ entryId: RecordId }), reason: Reason }),
  ),
  response: data(OperatingSystemJob),
  errors: [
    'LIQUIDITY_SOURCE_UNAVAILABLE',
    'LIQUIDITY_VAULT_HOLDING_UNSUITABLE',
    'LIQUIDITY_VAULT_OBSERVATION_RUNNING',
  ],
  example: {
    body: { payload: { entryId: 'treasury_entry_example' }, reason: 'After the owners changed' },
  },
})

export const declareVaultControl = operation({
  id: 'declareVaultControl',
  isExtension: true,
  method: 'POST',
  path: '/vaults/{id}/control-declarations',
  ...heading,
  summary: 'Declare the allowed modules, guards and handlers of a vault',
  description:
    'Replaces the whole list. A contract counts as declared if its address, its role and its code hash match; the checks run again at once. Needs a recent sign-in.',
  auth: session,
  permission: 'operate',
  idempotency: 'key-160',
  precondition: 'required',
  success: [200],
  body: named(
    'VaultControlDeclaration',
    closed({ payload: closed({ declared: list(DeclaredControl, 32) }), reason: Reason }),
  ),
  response: record(QualifiedVaultRecord),
  errors: [
    'LIQUIDITY_VAULT_RETIRED',
    'LIQUIDITY_VAULT_DECLARATION_DUPLICATE',
    'LIQUIDITY_STUDIO_REAUTHENTICATION_REQUIRED',
  ],
  example: {
    body: {
      payload: {
        declared: [
          {
            role: 'MODULE',
            address: '0x92560C178cE069CC014138eD3C2F5221Ba71f58a',
            codeHash: `0x${'6'.repeat(64)}`,
            note: 'Spending limits, audited in March',
          },
        ],
      },
      reason: 'Reviewed by the desk',
    },
  },
})

export const vaultFamily = declareFamily({
  module: 'prove/vaults',
  operations: [
    listQualifiedVaultsV2,
    getQualifiedVaultV2,
    readVaultSafe,
    observeVaults,
    declareVaultControl,
  ],
  type: 'QualifiedVault',
  prefix: 'vault',
  name: 'vault',
  plural: 'vaults',
  payload: QualifiedVault,
  moves,
  refusals: { terminal: 'LIQUIDITY_VAULT_RETIRED' },
  events: [
    ...(['vault.snapshot', 'vault.control_changed', 'vault.disqualified'] as const),
    ...([
      'vault.stale',
      'vault.retired',
      'vault.control_declared',
      'vault.observation_queued',
    ] as const),
  ],
  title: 'payload.safeAddress',
  columns: [
    ...(['payload.safeAddress', 'payload.pair', 'payload.qualification'] as const),
    ...(['payload.controlEpoch', 'status', 'createdAt'] as const),
  ],
  ui: {
    page: 'proposals/vaults',
    task: 'Vaults',
    icon: 'vault',
    summary: 'Safes that hold liquidity, with owners and modules.',
    empty: 'Add a Safe as a treasury entry to read its vaults.',
    head: ['payload.qualification', 'payload.controlEpoch', 'payload.control.threshold'],
    actions: {
      observeVaults: { label: 'Refresh vaults' },
      declareVaultControl: { label: 'Declare contracts' },
    },
    docs: 'vaults',
  },
})

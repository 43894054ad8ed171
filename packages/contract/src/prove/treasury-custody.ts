import Type, { type Static } from 'typebox'
import { versioned } from '../envelope.ts'
import { chainErrors } from '../errors.ts'
import { declareFamily, recordQuery } from '../family.ts'
import { operation, paging, record, session } from '../operation.ts'
import { getOperation, listOperation } from '../reading.ts'
import { BlockNumber, ChainId, closed, Hash, named, Reason, Timestamp } from '../scalars.ts'
import { CustodyReceipt } from './custody-receipt.ts'
import { CustodySignature, CustodyStatement } from './custody-statement.ts'

export * from './custody-receipt.ts'
export * from './custody-statement.ts'

/** Signed custody evidence as submitted, its verification, and the reason for its lapse, if any. */
export const TreasuryCustodyEvidence = named(
  'TreasuryCustodyEvidence',
  closed({
    statement: CustodyStatement,
    signature: CustodySignature,
    receipt: CustodyReceipt,
    lapse: Type.Optional(
      closed(
        {
          at: Timestamp,
          block: Type.Optional(
            closed(
              { chainId: ChainId, number: BlockNumber, hash: Hash },
              {
                description:
                  'Block of the chain evidence; absent for a custodian, with the provider as source.',
              },
            ),
          ),
          detail: Type.String({ maxLength: 500 }),
        },
        {
          description:
            'Cause of an early end: the chain state at the daily repeated read of the authority, or an inactive custodian provider, or a removed key.',
        },
      ),
    ),
  }),
)
export type TreasuryCustodyEvidence = Static<typeof TreasuryCustodyEvidence>
export const TreasuryCustodyEvidenceRecord = versioned(
  'TreasuryCustodyEvidence',
  TreasuryCustodyEvidence,
)

export const SignedTreasuryEvidence = named(
  'SignedTreasuryEvidence',
  closed({ statement: CustodyStatement, signature: CustodySignature, reason: Reason }),
)

export const TreasuryEvidenceWrite = named(
  'TreasuryEvidenceWrite',
  closed({ evidence: TreasuryCustodyEvidenceRecord, receipt: CustodyReceipt }),
)

const heading = { tag: 'Prove', family: 'Treasury custody and project control' } as const

const custodyEvidence = {
  path: '/treasury/custody-evidence',
  ...heading,
  one: 'custody evidence',
  record: TreasuryCustodyEvidenceRecord,
  cacheControl: 'private, no-store',
  statedErrors: [400, 401, 403, 404, 429, 503],
  note: 'Errors carry {error: ApiError} and Cache-Control: private, no-store.',
} as const

const moves = { ACTIVE: ['EXPIRED', 'REVOKED'], EXPIRED: [], REVOKED: [] } as const

export const listTreasuryCustodyEvidence = listOperation(custodyEvidence, {
  id: 'listTreasuryCustodyEvidence',
  summary: 'List treasury custody evidence',
  description:
    'Lists the custody evidence of the organization (TreasuryEvidenceList), newest first. The cursor is the id of the last record.',
  paging: paging(20, 20, '^[a-zA-Z0-9][a-zA-Z0-9:_-]{2,159}$', 'ID'),
  query: recordQuery(moves),
})

export const admitTreasuryCustodyEvidence = operation({
  id: 'admitTreasuryCustodyEvidence',
  method: 'POST',
  path: '/treasury/custody-evidence',
  ...heading,
  summary: 'Admit treasury custody evidence',
  description:
    'Verifies a signed statement on chain and stores it with a signed receipt: the authority at the finalized head, the holdings at the block of the statement, exactly. 201 new or 200 replay of the same evidence identity, data TreasuryEvidenceWrite, with ETag "0x<64 lowercase hex>". 409 if the identity already binds other signed content; 412 if the current authority changed or expired. Recent authentication and independent verification required; callers cannot supply verification receipts. Errors carry {error: ApiError} and Cache-Control: private, no-store.',
  auth: session,
  permission: 'treasury.write',
  idempotency: 'key-160',
  cacheControl: 'private, no-store',
  success: [200, 201],
  statedErrors: [400, 401, 403, 404, 409, 412, 429, 503],
  body: SignedTreasuryEvidence,
  response: record(TreasuryEvidenceWrite),
  errors: [
    'LIQUIDITY_STUDIO_REAUTHENTICATION_REQUIRED',
    'LIQUIDITY_CUSTODY_STATEMENT_INVALID',
    'LIQUIDITY_CUSTODY_EVIDENCE_ID_BOUND',
    'LIQUIDITY_CUSTODY_NONCE_USED',
    'LIQUIDITY_CUSTODY_AUTHORITY_CHANGED',
    'LIQUIDITY_CUSTODY_SIGNATURE_INVALID',
    'LIQUIDITY_CUSTODY_CONTROL_UNPROVEN',
    'LIQUIDITY_CUSTODY_BLOCK_NOT_FINAL',
    'LIQUIDITY_CUSTODY_BLOCK_TOO_OLD',
    'LIQUIDITY_CUSTODY_HOLDING_MISMATCH',
    'LIQUIDITY_TREASURY_CONTAINER_IS_PROTOCOL',
    'LIQUIDITY_TREASURY_ASSET_UNREADABLE',
    'LIQUIDITY_PROVIDER_UNKNOWN',
    ...chainErrors,
    'LIQUIDITY_CHAIN_REORGED',
    'LIQUIDITY_CHAIN_STATE_UNAVAILABLE',
    'LIQUIDITY_CHAIN_PROVIDERS_DISAGREE',
  ],
  example: {
    body: {
      statement: {
        statementVersion: 'treasury-custody-statement-v1',
        evidenceId: 'audit-2026:reserve',
        organizationHash: `0x${'1'.repeat(64)}`,
        chainId: 0,
        container: `custodian:example-custodian:0x${'2'.repeat(64)}`,
        controller: 'example-custodian',
        relation: 'CUSTODIAN',
        holdings: [{ assetKey: 'iso4217:USD', quantity: '125000000' }],
        purpose: 'Reserve at month end',
        issuedAt: '2026-01-05T12:00:00Z',
        expiresAt: '2026-02-04T12:00:00Z',
        nonce: `0x${'3'.repeat(64)}`,
      },
      signature: {
        scheme: 'ED25519',
        signature: `${'A'.repeat(86)}==`,
        providerId: 'example-custodian',
      },
      reason: 'Custodian statement',
    },
  },
})

export const getTreasuryCustodyEvidence = getOperation(custodyEvidence, {
  id: 'getTreasuryCustodyEvidence',
  summary: 'Get treasury custody evidence',
  description:
    'One custody evidence record, by its id or by the evidenceId of its statement. History never establishes current spendability.',
  parameter: 'evidenceId',
})

export const treasuryCustodyFamily = declareFamily({
  module: 'prove/treasury-custody',
  operations: [
    listTreasuryCustodyEvidence,
    admitTreasuryCustodyEvidence,
    getTreasuryCustodyEvidence,
  ],
  type: 'TreasuryCustodyEvidence',
  prefix: 'custody_evidence',
  name: 'custody evidence record',
  plural: 'custody evidence',
  payload: TreasuryCustodyEvidence,
  moves,
  events: [
    'treasury.custody.admitted',
    'treasury.custody.expired',
    'treasury.custody.authority_changed',
  ],
  title: 'payload.statement.evidenceId',
  columns: [
    'payload.statement.evidenceId',
    'payload.statement.container',
    'payload.receipt.assurance',
    'payload.statement.expiresAt',
    'status',
    'createdAt',
  ],
  ui: {
    page: 'treasury/wallets',
    task: 'Custody',
    icon: 'shield-check',
    summary: 'Custodian statements with their evidence level.',
    empty: 'Add a statement of a custodian or of the owners of a Safe.',
    head: ['payload.receipt.assurance', 'payload.statement.expiresAt'],
    actions: {
      admitTreasuryCustodyEvidence: { label: 'Add statement' },
    },
    docs: 'books',
  },
})

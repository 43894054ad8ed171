import Type, { type Static } from 'typebox'
import { Block, Ref, SourceRef, versioned } from '../envelope.ts'
import { declareFamily, recordQueryOf } from '../family.ts'
import { DecodedCall, PolicyRuleResult } from '../operate/policy-rules.ts'
import { scoped } from '../operation.ts'
import { getOperation, listOperation } from '../reading.ts'
import {
  Address,
  AtomicAmount,
  closed,
  Hash,
  list,
  named,
  oneOf,
  orNull,
  RecordId,
  SignedAmount,
} from '../scalars.ts'

const heading = { tag: 'Prove', family: 'Proof, vaults, receipts and passports' } as const

const Asset = Type.String({
  pattern: '^(native|0x[0-9a-fA-F]{40})$',
  description: 'A token by its address, or `native` for the coin of the chain.',
})

const Transfer = closed({ asset: Asset, from: Address, to: Address, amount: AtomicAmount })

export const ExecutionReceipt = named(
  'ExecutionReceipt',
  closed({
    vault: Ref,
    safeAddress: Address,
    via: oneOf(['SAFE', 'MODULE'], 'SAFE: owners signed. MODULE: a module acted without them.'),
    safeTxHash: orNull(Hash),
    nonce: orNull(AtomicAmount),
    module: orNull(Address),
    transactionHash: Hash,
    block: Block,
    logIndex: Type.Integer({ minimum: 0 }),
    outcome: oneOf(['SUCCESS', 'FAILURE'], 'Outcome logged by the Safe.'),
    executor: Address,
    signers: orNull(list(Address, 1000)),
    signersResolved: Type.Boolean(),
    calls: orNull(list(DecodedCall, 256)),
    effects: closed({
      transfers: list(Transfer, 1000, {
        description: 'Transfer logs of the transaction into and out of the Safe, in their order.',
      }),
      net: list(closed({ asset: Asset, delta: SignedAmount }), 256),
    }),
    gas: closed({ used: AtomicAmount, effectivePriceWei: AtomicAmount, payer: Address }),
    proposal: orNull(SourceRef),
    leg: orNull(closed({ planId: RecordId, legIndex: Type.Integer({ minimum: 0 }) })),
    policyInForce: orNull(Ref),
    verdict: oneOf(
      ['COMPLIANT', 'VIOLATING', 'INDETERMINATE', 'NO_POLICY'],
      'Compliance with the policy in force at the block.',
    ),
    rules: list(PolicyRuleResult, 16),
    reconciliation: oneOf(
      ['MATCHED', 'UNREGISTERED', 'UNEXPECTED_EFFECT'],
      'UNREGISTERED: no packet that was reviewed here has its hash.',
    ),
    gaps: list(
      closed({ code: Type.String({ maxLength: 80 }), detail: Type.String({ maxLength: 500 }) }),
      32,
    ),
  }),
)
export type ExecutionReceipt = Static<typeof ExecutionReceipt>
export const ExecutionReceiptRecord = versioned('ExecutionReceipt', ExecutionReceipt)

// Re-evaluated if a plan leg later references the transaction.
const moves = { COMPLETED: ['COMPLETED'], PARTIAL: ['PARTIAL'] } as const

const receipts = {
  path: '/receipts',
  ...heading,
  one: 'receipt',
  record: ExecutionReceiptRecord,
  auth: scoped('receipts:read'),
} as const

export const listExecutionReceiptsV2 = listOperation(receipts, {
  id: 'listExecutionReceiptsV2',
  summary: 'List execution receipts',
  description:
    'Execution receipts of vaults, one for each execution that a Safe logged in a finalized block. PARTIAL if calls, signers or effects could not be resolved: they are null, and `gaps` gives the reason.',
  query: recordQueryOf(moves, 'the vault'),
})

export const getExecutionReceiptV2 = getOperation(receipts, {
  id: 'getExecutionReceiptV2',
  summary: 'Get execution receipt',
  description: 'One execution receipt with its strong ETag (quoted resourceVersion).',
})

export const receiptFamily = declareFamily({
  module: 'prove/vaults',
  operations: [listExecutionReceiptsV2, getExecutionReceiptV2],
  type: 'ExecutionReceipt',
  prefix: 'receipt',
  name: 'receipt',
  plural: 'receipts',
  payload: ExecutionReceipt,
  moves,
  events: ['receipt.recorded', 'receipt.judged', 'receipt.violating'],
  title: 'payload.transactionHash',
  columns: [
    ...(['payload.outcome', 'payload.via', 'payload.reconciliation', 'payload.verdict'] as const),
    ...(['payload.transactionHash', 'status', 'createdAt'] as const),
  ],
  subject: 'payload.vault.id',
  ui: {
    page: 'proposals/vaults',
    task: 'Receipts',
    icon: 'receipt',
    summary: 'Vault transactions matched with approved proposals.',
    empty: 'The service adds receipts when a vault executes a transaction.',
    head: ['payload.outcome', 'payload.reconciliation', 'payload.verdict'],
    docs: 'vaults',
  },
})

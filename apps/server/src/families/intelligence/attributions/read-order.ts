import type { contract, FieldErrors } from '@liquidity-os/contract'
import { type Address, type Hex, isAddressEqual } from 'viem'
import { Failure } from '../../../failure.ts'
import { tokenAbi } from '../../../integrations/chain/abis.ts'
import { CallRevertedError } from '../../../integrations/chain/chain-error.ts'
import { readContract } from '../../../integrations/chain/contract-call.ts'
import { readAtBlock } from '../../../integrations/chain/finalized.ts'
import type { Header } from '../../../integrations/chain/header.ts'
import type { Receipt } from '../../../integrations/chain/receipts.ts'
import { type ChainView, reorganized } from './chain-view.ts'
import { type FillLeg, tradedLegs, type UnresolvedReason } from './fill-legs.ts'
import { netTransfers, wrapsOrUnwraps } from './wallet.ts'

type Input = contract.AttributionInput
type Code = ConstructorParameters<typeof Failure>[0]

/** One transaction of an order with its trades. */
export interface ReadFill {
  readonly receipt: Receipt
  readonly block: Header
  readonly venueId: string | null
  readonly traded:
    | { readonly branches: readonly (readonly FillLeg[])[] }
    | { readonly reason: UnresolvedReason | 'TRANSACTION_REVERTED' }
}

const refuse = (code: Code, fieldErrors: FieldErrors) => new Failure(code, { fieldErrors })

/** Rejects a contradictory request. @throws Failure 422 LIQUIDITY_ATTRIBUTION_INPUT_INVALID */
export function requireSoundInput(input: Input): void {
  const { pair, fills, intended, decision, nativePriceX18 } = input
  const faults: FieldErrors = {}
  if (isAddressEqual(pair.base as Address, pair.quote as Address)) {
    faults['payload.pair.quote'] = ['must differ from the base']
  }
  if (BigInt(intended.base) === 0n) faults['payload.intended.base'] = ['must be above zero']
  if (decision.priceX18 !== undefined && BigInt(decision.priceX18) === 0n) {
    faults['payload.decision.priceX18'] = ['must be above zero']
  }
  if (nativePriceX18 !== undefined && BigInt(nativePriceX18) === 0n) {
    faults['payload.nativePriceX18'] = ['must be above zero']
  }
  if (decision.block && decision.block.chainId !== pair.chainId) {
    faults['payload.decision.block.chainId'] = [`must be ${pair.chainId}, the chain of the pair`]
  }
  const seen = new Set<string>()
  for (const [index, { txHash }] of fills.entries()) {
    if (seen.has(txHash)) faults[`payload.fills.${index}.txHash`] = ['must be unique']
    seen.add(txHash)
  }
  if (Object.keys(faults).length > 0) {
    throw refuse('LIQUIDITY_ATTRIBUTION_INPUT_INVALID', faults)
  }
}

/**
 * @throws Failure 422 LIQUIDITY_ATTRIBUTION_INPUT_INVALID if the tokens differ from those on chain
 */
export async function requireTokens(view: ChainView, { pair }: Input): Promise<void> {
  const faults: FieldErrors = {}
  for (const side of ['base', 'quote'] as const) {
    const declared = side === 'base' ? pair.baseDecimals : pair.quoteDecimals
    const decimals = await decimalsOf(view, pair[side] as Address)
    if (decimals === declared) continue
    faults[`payload.pair.${side}Decimals`] = [
      decimals === null
        ? `must be a token, got ${pair[side]}`
        : `must be ${decimals}, got ${declared}`,
    ]
  }
  if (Object.keys(faults).length > 0) {
    throw refuse('LIQUIDITY_ATTRIBUTION_INPUT_INVALID', faults)
  }
}

async function decimalsOf(view: ChainView, address: Address): Promise<number | null> {
  try {
    return await readAtBlock(view.clients[0], view.head, (pin) =>
      readContract(view.clients[0], pin, { address, abi: tokenAbi, functionName: 'decimals' }),
    )
  } catch (error) {
    if (error instanceof CallRevertedError) return null
    throw error
  }
}

/**
 * Reads the transactions of an order, in chain order.
 *
 * @throws Failure 409 LIQUIDITY_ATTRIBUTION_NOT_FINAL for a transaction outside finalized blocks
 * @throws Failure 422 for a transaction of another sender or without a trade of the pair
 */
export async function readFills(view: ChainView, input: Input): Promise<ReadFill[]> {
  const waiting: FieldErrors = {}
  const receipts = await Promise.all(
    input.fills.map(async ({ txHash }, index) => {
      const receipt = await view.receipt(txHash as Hex)
      if (receipt && receipt.blockNumber <= view.head.number) return receipt
      waiting[`payload.fills.${index}.txHash`] = [
        receipt
          ? `must be in a finalized block: it is in ${receipt.blockNumber}, the last finalized block is ${view.head.number}`
          : 'must be in a block that the providers know',
      ]
      return null
    }),
  )
  if (Object.keys(waiting).length > 0) {
    throw refuse('LIQUIDITY_ATTRIBUTION_NOT_FINAL', waiting)
  }
  const fills = await Promise.all(
    receipts.flatMap((receipt, index) => (receipt ? [readFill(view, input, receipt, index)] : [])),
  )
  return fills.sort(
    (a, b) =>
      a.receipt.blockNumber - b.receipt.blockNumber ||
      a.receipt.transactionIndex - b.receipt.transactionIndex,
  )
}

async function readFill(
  view: ChainView,
  input: Input,
  receipt: Receipt,
  index: number,
): Promise<ReadFill> {
  const block = await view.header(receipt.blockNumber)
  if (block.hash !== receipt.blockHash) throw reorganized(block)
  const path = `payload.fills.${index}`
  const venueId = input.fills[index]?.venueId ?? null
  const known = { receipt, block, venueId }
  if (!receipt.isSuccessful) {
    requireTrader(isAddressEqual(receipt.from, input.trader as Address), path, input)
    return { ...known, traded: { reason: 'TRANSACTION_REVERTED' } }
  }
  const traded = await tradedLegs(view, receipt, input)
  if ('refused' in traded) {
    throw refuse('LIQUIDITY_ATTRIBUTION_PAIR_NOT_IN_TRANSACTION', {
      [`${path}.txHash`]: [traded.refused],
    })
  }
  requireTrader(isTraders(receipt, input), path, input)
  return { ...known, traded }
}

function requireTrader(isTheirs: boolean, path: string, { trader, side }: Input): void {
  if (isTheirs) return
  throw refuse('LIQUIDITY_ATTRIBUTION_TRADER_MISMATCH', {
    [`${path}.txHash`]: [
      `${side === 'BUY' ? 'must bring base to' : 'must take base from'} ${trader}`,
    ],
  })
}

/**
 * True if base moved in the direction of the order, as the token itself or, wrapped, by its sender.
 */
function isTraders(receipt: Receipt, { pair, side, trader }: Input): boolean {
  const wallet = trader as Address
  const base = pair.base as Address
  const net = netTransfers(receipt, base, wallet)
  if (side === 'BUY' ? net > 0n : net < 0n) return true
  return wrapsOrUnwraps(receipt, base) && isAddressEqual(receipt.from, wallet)
}

/** @throws Failure 422 LIQUIDITY_ATTRIBUTION_DECISION_AFTER_FILL, or _INPUT_INVALID for a block of no chain */
export async function requireOrderInTime(
  view: ChainView,
  input: Input,
  first: Header,
): Promise<void> {
  const { decision, arrivalBlock } = input
  const late = (path: string, message: string) =>
    refuse('LIQUIDITY_ATTRIBUTION_DECISION_AFTER_FILL', { [path]: [message] })
  const filled = new Date(first.timestamp * 1000).toISOString()
  if (Date.parse(decision.at) > first.timestamp * 1000) {
    throw late('payload.decision.at', `must not be after the first fill at ${filled}`)
  }
  if (decision.block && decision.block.number >= first.number) {
    throw late(
      'payload.decision.block.number',
      `must be before the first fill in block ${first.number}`,
    )
  }
  if (arrivalBlock !== undefined && (arrivalBlock > first.number || arrivalBlock === 0)) {
    throw late(
      'payload.arrivalBlock',
      `must be from 1 to ${first.number}, the block of the first fill`,
    )
  }
  if (!decision.block) return
  const { hash, timestamp } = await view.header(decision.block.number)
  const minedAt = new Date(timestamp * 1000).toISOString()
  const faults: FieldErrors = {}
  const note = (member: 'hash' | 'timestamp', found: string) => {
    faults[`payload.decision.block.${member}`] = [`must be ${found}, the value on chain`]
  }
  if (hash !== decision.block.hash) note('hash', hash)
  if (Date.parse(decision.block.timestamp) !== timestamp * 1000) note('timestamp', minedAt)
  if (Object.keys(faults).length > 0) throw refuse('LIQUIDITY_ATTRIBUTION_INPUT_INVALID', faults)
}

import type { contract } from '@liquidity-os/contract'
import type { Rat } from '@liquidity-os/engine/arithmetic'
import { type FillCosts, shareProRata } from '@liquidity-os/engine/attribution'
import { H, sha256Hex } from '@liquidity-os/evidence'
import type { Address } from 'viem'
import type { Header } from '../../../integrations/chain/header.ts'
import type { Receipt } from '../../../integrations/chain/receipts.ts'
import type { Attribution } from './attribute.ts'
import type { FoundSandwich, PlacedSwap } from './block-sandwiches.ts'
import { amountsOf, gasOnly, pipsOf } from './cost-record.ts'
import type { FillLeg } from './fill-legs.ts'
import type { Mark, Markout } from './mark.ts'
import {
  type AnsweredFill,
  gasQuoteOf,
  sideOf,
  sizeOf,
  tokensOf,
  type UnpricedFill,
  weiInQuote,
} from './price-fill.ts'
import { priceX18 } from './prices.ts'

type FillRecord = contract.ExecutionAttribution['fills'][number]
type SandwichRecord = contract.ExecutionAttribution['sandwiches'][number]

export const shownPrice = (price: Rat | null) => price && priceX18(price)

/** A header in record form. */
export function blockRecord(chainId: number, { number, hash, timestamp }: Header) {
  return { chainId, number, hash, timestamp: new Date(timestamp * 1000).toISOString() }
}

/** A fill with a computed cost. */
export function answeredRecord(
  { order, view }: Attribution,
  fill: AnsweredFill & { marks: readonly Mark[] },
  venues: ReadonlyMap<string, string>,
): FillRecord {
  const { answer, task, branches } = fill
  const { costs } = answer
  const arrival = branches.length === 1 ? (task.arrivalPrices[0] ?? null) : null
  const reasons = reasonsOf(fill)
  return {
    ...common(fill.fill.receipt, blockRecord(view.chainId, fill.fill.block)),
    outcome: reasons.length === 0 ? 'RESOLVED' : 'PARTIAL',
    reasons,
    legs: legRecords(fill.branches, venues, (leg) => preStateRecord(fill, leg, view.chainId)),
    ...sizeText(order.input.side, branches),
    wallet: task.wallet && {
      base: task.wallet.base.toString(),
      quote: task.wallet.quote.toString(),
    },
    arrivalPriceX18: shownPrice(arrival),
    beforePriceX18: priceX18(answer.before),
    metPriceX18: priceX18(answer.atFill),
    afterPriceX18: priceX18(answer.after),
    totals: totalsOf(costs),
    components: amountsOf(costs),
    componentsPips: pipsOf(costs, costs.totals[0] ?? 0n),
    residualCauses: costs.residualParts.map(({ cause, amount }) => ({
      cause,
      amount: amount.toString(),
    })),
    marks: fill.marks.map((mark) => ({
      seconds: mark.seconds,
      block: mark.block && blockRecord(view.chainId, mark.block),
      priceX18: shownPrice(mark.price),
      permanentPips: smallPips(mark.permanentPips),
      temporaryPips: smallPips(mark.temporaryPips),
      ...(mark.markout === undefined ? {} : { reference: markoutRecord(mark.markout) }),
    })),
  }
}

/** Null without a markout, or if it exceeds the range of pips in the record. */
function markoutRecord(
  markout: Markout | null,
): Exclude<FillRecord['marks'][number]['reference'], undefined> {
  const markoutPips = markout && smallPips(markout.pips)
  if (!markout || markoutPips === null) return null
  const { at, priceX36, errorPips } = markout.point
  const time = new Date(at * 1000).toISOString()
  return { at: time, priceX36: `${priceX36}`, errorPips, markoutPips }
}

function totalsOf({ totals }: FillCosts): NonNullable<FillRecord['totals']> {
  const [t0, t1, t2, t3, t4, t5, t6, t7, t8] = totals.map((total) => total?.toString() ?? null)
  const stated = { t0, t1, t2, t3, t4, t5, t6, t7, t8 }
  // A fill has nine totals.
  return stated as NonNullable<FillRecord['totals']>
}

/** Reasons for missing data of a fill. */
export function reasonsOf({ answer, task, reasons }: AnsweredFill): string[] {
  return [
    ...(answer.reason ? [answer.reason] : []),
    ...reasons,
    ...(task.decisionPrice === null ? ['DECISION_PRICE_MISSING'] : []),
    ...(answer.costs.gas === null ? ['NATIVE_PRICE_MISSING'] : []),
  ]
}

/** A transaction whose cost is unknown, or only its gas. */
export function unpricedRecord(
  attribution: Attribution,
  { fill, branches, reason }: UnpricedFill,
  venues: ReadonlyMap<string, string>,
): FillRecord {
  const { order, view } = attribution
  const isReverted = reason === 'TRANSACTION_REVERTED'
  const costs = isReverted ? gasOnly(revertedGas(attribution, fill.receipt)) : null
  return {
    ...common(fill.receipt, blockRecord(view.chainId, fill.block)),
    outcome: isReverted ? 'REVERTED' : 'UNRESOLVED',
    reasons: [reason, ...(costs && costs.gas === null ? ['NATIVE_PRICE_MISSING'] : [])],
    legs: legRecords(branches, venues, () => null),
    ...sizeText(order.input.side, branches),
    wallet: null,
    arrivalPriceX18: null,
    beforePriceX18: null,
    metPriceX18: null,
    afterPriceX18: null,
    totals: costs && totalsOf(costs),
    components: costs && amountsOf(costs),
    componentsPips: null,
    residualCauses: [],
    marks: [],
  }
}

/** Gas of a reverted transaction in quote, at the arrival price if the base is the native asset. */
export function revertedGas({ order, arrivalPrice }: Attribution, receipt: Receipt): bigint | null {
  return gasQuoteOf(order.nativePrice, receipt, arrivalPrice)
}

function common(receipt: Receipt, block: FillRecord['block']) {
  return {
    txHash: receipt.transactionHash,
    block,
    transactionIndex: receipt.transactionIndex,
    gas: {
      gasUsed: receipt.gasUsed.toString(),
      effectiveGasPrice: receipt.effectiveGasPrice.toString(),
      l1Fee: receipt.l1Fee.toString(),
      paidBy: receipt.from,
    },
  }
}

function sizeText(side: 'BUY' | 'SELL', branches: readonly (readonly FillLeg[])[]) {
  const { base, quote } = sizeOf(side, branches)
  return { base: base.toString(), quote: quote.toString() }
}

function legRecords(
  branches: readonly (readonly FillLeg[])[],
  venues: ReadonlyMap<string, string>,
  preStateOf: (leg: FillLeg) => FillRecord['legs'][number]['preState'],
): FillRecord['legs'] {
  return branches
    .flatMap((route, branch) => route.map((leg) => ({ leg, branch })))
    .sort((a, b) => a.leg.logIndex - b.leg.logIndex)
    .map(({ leg, branch }) => ({
      branch,
      pool: leg.terms.address,
      kind: leg.terms.kind,
      feePips: leg.terms.feePips,
      venueId: venues.get(leg.terms.address) ?? null,
      tokenIn: leg.tokenIn,
      tokenOut: leg.tokenOut,
      amountIn: leg.amountIn.toString(),
      amountOut: leg.amountOut.toString(),
      logIndex: leg.logIndex,
      preState: preStateOf(leg),
    }))
}

function preStateRecord({ answer, preStates }: AnsweredFill, { pool }: FillLeg, chainId: number) {
  const [bytes, state] = [answer.starts.get(pool), preStates.get(pool)]
  if (!bytes || !state) throw new Error(`Data of the pool ${pool} of a fill is missing.`)
  return {
    source: state.source,
    at: state.at && blockRecord(chainId, state.at),
    snapshotHash: H('market-state/v1', JSON.parse(new TextDecoder().decode(bytes))),
    artifactHash: `0x${sha256Hex(bytes)}`,
  }
}

/** Pips within the range of the record, or null. */
const smallPips = (pips: bigint | null) =>
  pips === null || pips > 1_000_000_000n || pips < -1_000_000_000n ? null : Number(pips)

/** A sandwich. Its profit is shared among the victims in proportion to their input. */
export function sandwichRecord(
  { order }: Attribution,
  sandwich: FoundSandwich,
  before: Rat,
): SandwichRecord {
  const { front, back, victims, profit, kept, gasWei, terms } = sandwich
  const tokens = tokensOf(sandwich)
  const profitQuote = quoteOf(order.input, before, [
    [tokens.profit, profit],
    [tokens.kept, kept],
  ])
  const gasQuote = weiInQuote(order.nativePrice, gasWei, before)
  const paid = victims.map(({ amountIn }) => amountIn)
  const [shares, keptShares] = [shareProRata(profit, paid), shareProRata(kept, paid)]
  const own = new Set<string>(order.own.receipts.map(({ transactionHash }) => transactionHash))
  return {
    pool: terms.address,
    blockNumber: sandwich.blockNumber,
    confidence: sandwich.confidence,
    front: swapRecord(front),
    back: swapRecord(back),
    victims: victims.map((victim, index) => ({
      txHash: victim.transactionHash,
      logIndex: victim.position,
      amountIn: victim.amountIn.toString(),
      profitShare: (shares[index] ?? 0n).toString(),
      keptShare: (keptShares[index] ?? 0n).toString(),
      isOwn: own.has(victim.transactionHash),
    })),
    profitToken: tokens.profit,
    profit: profit.toString(),
    keptToken: tokens.kept,
    kept: kept.toString(),
    gasWei: gasWei.toString(),
    profitQuote: profitQuote?.toString() ?? null,
    profitAfterGasQuote:
      profitQuote === null || gasQuote === null ? null : (profitQuote - gasQuote).toString(),
  }
}

/**
 * Total in quote atoms. Each base amount converts at a price and rounds toward zero. Null if
 * another token moved.
 */
function quoteOf(
  input: Attribution['order']['input'],
  price: Rat,
  amounts: readonly (readonly [token: Address, amount: bigint])[],
): bigint | null {
  const worths = amounts.map(([token, amount]) => {
    if (amount === 0n) return 0n
    const side = sideOf(input, token)
    if (side === null) return null
    return side === 'quote' ? amount : (amount * price.num) / price.den
  })
  return worths.reduce<bigint | null>(
    (sum, worth) => (sum === null || worth === null ? null : sum + worth),
    0n,
  )
}

const swapRecord = ({ transactionHash, position, sender, amountIn, amountOut }: PlacedSwap) => ({
  txHash: transactionHash,
  logIndex: position,
  sender,
  amountIn: amountIn.toString(),
  amountOut: amountOut.toString(),
})

import {
  type CpmmState,
  createCpmmPair,
  type Dir,
  FEE_DENOMINATOR,
  getAmountIn,
  getAmountOut,
  type Market,
  type PoolMarket,
  PoolRevertError,
  type StableState,
  swapExactIn,
  swapExactOut,
} from '@liquidity-os/engine/amm'
import { answerStableCall, type StableCall } from '@liquidity-os/engine/parity'
import {
  asNode,
  isStableDocument,
  ReplayInputError,
  readClmmState,
  readPairFee,
  readReserve,
  readStableRecording,
} from '@liquidity-os/engine/replay'
import { asList, asObject, text, whole } from './json-input.ts'
import { KindTally, type RecordingResult } from './result.ts'
import { readJson } from './start.ts'

/** A pool state with quotes that deployed contracts answered at the same block. */
export interface QuoteRecording {
  readonly kind: 'QUOTES'
  readonly name: string
  readonly file: string
}

/** Reason for rejecting an unknown market; the remaining files continue. */
const unknownState =
  'unknown market in the state; known: UNISWAP_V3 (sqrtPriceX96 and ticks), UNISWAP_V2 (reserve0 and reserve1) and STABLESWAP (balances and A)'

type JsonObject = Readonly<Record<string, unknown>>

/** Given side per quoting function: exact input or exact output. */
const FUNCTIONS: Readonly<Record<string, 'IN' | 'OUT'>> = {
  quoteExactInputSingle: 'IN',
  quoteExactOutputSingle: 'OUT',
  getAmountsOut: 'IN',
  getAmountOut: 'IN',
  getAmountsIn: 'OUT',
  getAmountIn: 'OUT',
}

/**
 * Computes recorded quotes from the recorded state. Rejects unknown markets and functions row by
 * row, with their names.
 *
 * @throws ReplayInputError with file and path of a missing or malformed value
 */
export async function replayQuotes(recording: QuoteRecording) {
  const { file } = recording
  const content = await readJson(file)
  const document = asObject(file, '$', content)
  const tally = new KindTally()
  const market = isStableDocument(content)
    ? checkStable(content, file, tally)
    : checkPool(document, file, tally)
  const result: RecordingResult = {
    name: recording.name,
    market: market?.kind ?? 'UNKNOWN',
    fee: describeFee(market),
    kinds: tally.kinds,
    modes: {},
    refusals: tally.refusals,
    firstDifference: tally.firstDifference,
    endState: null,
    notes: market === null ? [unknownState] : describeStable(market),
  }
  const events = Object.values(tally.kinds).reduce((sum, { total }) => sum + total, 0)
  return { result, events }
}

/** A v3 pool or a v2 pair, which answer through a quoter or a router. */
function checkPool(document: JsonObject, file: string, tally: KindTally): PoolMarket | null {
  const state = asObject(file, 'state', document.state)
  const quotes = asList(file, 'quotes', document.quotes)
  const market = readMarket(document, state, file)
  quotes.forEach((item, index) => {
    const at = `quotes[${index}]`
    const quote = asObject(file, at, item)
    const name = typeof quote.function === 'string' ? quote.function : 'without a function'
    const known = FUNCTIONS[name]
    if (market === null) tally.refused('quotes', `MARKET_NOT_SUPPORTED ${name}`)
    else if (known === undefined) tally.refused('quotes', `FUNCTION_NOT_SUPPORTED ${name}`)
    else
      checkQuote(market, known, quote, readDirection(state, quote, file, at), { file, at }, tally)
  })
  return market
}

/** A StableSwap pool that computes its own quotes: swaps, mints and withdrawals. */
function checkStable(document: unknown, file: string, tally: KindTally): StableState {
  const { state, rows } = readStableRecording(document, file)
  for (const row of rows) {
    const kind = row.function === 'get_dy' ? 'quotes' : row.function.replaceAll('_', ' ')
    if (row.call === null) {
      tally.refused('quotes', `FUNCTION_NOT_SUPPORTED ${row.function}`)
      continue
    }
    const recorded = row.answer === null ? 'revert' : `${row.answer}`
    const computed = answerStable(state, row.call)
    if (computed === recorded) {
      tally.exact(kind)
      continue
    }
    const fields = [{ field: 'value', recorded, computed }]
    tally.different(kind, { subject: `${row.subject} (${row.at})`, file, line: null, fields })
  }
  return state
}

function answerStable(state: StableState, call: StableCall): string {
  try {
    return `${answerStableCall(state, call)}`
  } catch (error) {
    if (error instanceof PoolRevertError) return 'revert'
    throw error
  }
}

function describeStable(market: Market | null): string[] {
  const note = 'every quote uses the recorded state'
  return market?.kind === 'STABLESWAP'
    ? [note, `computed with the build ${market.variant}`]
    : [note]
}

/** The market of a quote file; null if the engine does not support its type. */
function readMarket(document: JsonObject, state: JsonObject, file: string): PoolMarket | null {
  if (state.scalars !== undefined || state.sqrtPriceX96 !== undefined) {
    return readClmmState(document, file).state
  }
  // A pair with a curve for stable coins has reserves too, and another formula.
  const isPair = state.reserves_token0 !== undefined && state.fee_numer !== undefined
  if (!isPair || state.stable === true) return null
  const node = asNode(file, 'state.', state)
  const reserve0 = readReserve(node, 'reserves_token0')
  const reserve1 = readReserve(node, 'reserves_token1')
  const pair = createCpmmPair({ fee: readPairFee(node) })
  return { ...pair, reserve0, reserve1, balance0: reserve0, balance1: reserve1 }
}

function describeFee(market: Market | null): string | null {
  if (market === null) return null
  switch (market.kind) {
    case 'UNISWAP_V3':
      return `${market.feePips} pips`
    case 'UNISWAP_V2':
      return `${market.fee.numerator}/${market.fee.denominator}`
    case 'STABLESWAP':
      return `${market.feeX10}/${FEE_DENOMINATOR}`
    case 'ORDER_BOOK':
      return `${market.takerFeePips} pips`
  }
}

/** A direction is written `FROM->TO` with the symbols or the addresses of the tokens. */
function readDirection(state: JsonObject, quote: JsonObject, file: string, at: string): Dir {
  const direction = text(file, at, quote, 'direction')
  const names = ['token0', 'token1'].map((name) => {
    const token = asObject(file, `state.${name}`, state[name])
    return [token.symbol, token.address].map((value) => String(value).toLowerCase())
  })
  const ends = direction.split('->').map((end) => end.trim().toLowerCase())
  const [from, to] = ends.map((end) => names.findIndex((aliases) => aliases.includes(end)))
  if (ends.length === 2 && from !== undefined && to !== undefined && from + to === 1) {
    return { from, to }
  }
  throw new ReplayInputError({
    file,
    column: `${at}.direction`,
    expected: `FROM->TO with ${names.map(([symbol]) => symbol).join(' and ')}`,
    found: JSON.stringify(direction),
  })
}

function checkQuote(
  market: PoolMarket,
  side: 'IN' | 'OUT',
  quote: JsonObject,
  direction: Dir,
  place: { file: string; at: string },
  tally: KindTally,
): void {
  const { file, at } = place
  const amount = whole(file, at, quote, 'amount')
  if (amount < 0n) {
    const expected = 'an amount in atomic units'
    throw new ReplayInputError({ file, column: `${at}.amount`, expected, found: `${amount}` })
  }
  const recorded = quote.reverted === true ? 'revert' : `${whole(file, at, quote, 'value')}`
  const computed = answer(market, side, direction, amount)
  if (computed === recorded) {
    tally.exact('quotes')
    return
  }
  const subject = `${text(file, at, quote, 'function')} of ${amount}, ${quote.direction}`
  const fields = [{ field: 'value', recorded, computed }]
  tally.different('quotes', { subject: `${subject} (${at})`, file, line: null, fields })
}

function answer(market: PoolMarket, side: 'IN' | 'OUT', direction: Dir, amount: bigint): string {
  try {
    if (market.kind === 'UNISWAP_V2') return answerPair(market, side, direction, amount)
    // The pool rejects a zero amount; the quoter rejects amounts beyond int256.
    if (amount === 0n || amount >= 1n << 255n) return 'revert'
    return side === 'IN'
      ? `${swapExactIn(market, direction, amount).amountOut}`
      : `${swapExactOut(market, direction, amount).amountIn}`
  } catch (error) {
    if (error instanceof PoolRevertError) return 'revert'
    throw error
  }
}

/** The library's formula: unlike the pair itself it answers zero for a dust input. */
function answerPair(market: CpmmState, side: 'IN' | 'OUT', { from }: Dir, amount: bigint): string {
  const { reserve0, reserve1, fee } = market
  const [reserveIn, reserveOut] = from === 0 ? [reserve0, reserve1] : [reserve1, reserve0]
  const formula = side === 'IN' ? getAmountOut : getAmountIn
  return `${formula(amount, reserveIn, reserveOut, fee)}`
}

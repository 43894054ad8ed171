import type { StableCall, StableRecording } from '../../parity/recorded-stable.ts'
import {
  asNode,
  failJson,
  type JsonNode,
  pick,
  readBigint,
  readInteger,
  readList,
} from './json-fields.ts'
import { readStableState } from './stable-state.ts'
import { parseWhole } from './whole-number.ts'

/** One recorded question of a file, whether or not the engine knows its function. */
export interface StableRow {
  /** Path within the document. */
  readonly at: string
  /** As the file names it, for messages. */
  readonly subject: string
  /** Null for a function that StableSwap pools do not have. */
  readonly call: StableCall | null
  readonly function: string
  /** null when the pool reverted. */
  readonly answer: bigint | null
}

/**
 * Reads a file with a StableSwap pool and its recorded call results. It has `state`, and rows in
 * `quotes` and `liquidity`. A row has `function`, `direction` (`DAI->USDC`) or `i` and `j`,
 * `amount`, and `value` or `reverted: true`. Alternatively it has `key`
 * (`calc_token_amount|deposit|i=0|1000`) and `value`.
 *
 * @param document parsed JSON
 * @throws ReplayInputError with the path of a missing or malformed field
 */
export function readStableRecording(
  document: unknown,
  file: string,
): Omit<StableRecording, 'calls'> & { readonly rows: readonly StableRow[] } {
  const root = asNode(file, '', document)
  const node = asNode(file, 'state.', pick(root, 'state') ?? document)
  const state = readStableState(document, file)
  const coins = readList(node, 'tokens').map((token) =>
    [pick(token, 'symbol'), pick(token, 'address')].map((name) => String(name).toLowerCase()),
  )
  const rows = (['quotes', 'liquidity'] as const).flatMap((list) =>
    readList(root, list).map((row, index) =>
      readRow(row, `${list}[${index}]`, { coins, count: state.balances.length }),
    ),
  )
  return { state, rows, ...readPlace(node) }
}

function readPlace(node: JsonNode) {
  const number = (...names: [string, ...string[]]) =>
    pick(node, ...names) === undefined ? null : readInteger(node, ...names)
  const pool = pick(node, 'address', 'pool')
  return {
    chainId: number('chain_id', 'chainId'),
    pool: typeof pool === 'string' ? pool : null,
    block: number('block', 'block_number', 'blockNumber'),
  }
}

interface Coins {
  /** Names per coin in lower case; can be empty. */
  readonly coins: readonly (readonly string[])[]
  readonly count: number
}

function readRow(row: JsonNode, at: string, coins: Coins): StableRow {
  const reverted = pick(row, 'reverted') === true
  const answer = reverted ? null : readBigint(row, 'value')
  const key = pick(row, 'key')
  const parts =
    typeof key === 'string'
      ? key.split('|').filter((part) => !/^0x[0-9a-f]{40}$/i.test(part))
      : partsOf(row)
  const name = parts[0] ?? ''
  const call = readCall(parts, row, coins)
  return { at, subject: parts.join(' '), function: name, call, answer }
}

/** The parts a key would have, from the members of a row. */
function partsOf(row: JsonNode): string[] {
  const name = pick(row, 'function')
  if (typeof name !== 'string') return failJson(row.file, `${row.path}function`, 'a string', name)
  const direction = pick(row, 'direction')
  const [i, j] = [pick(row, 'i', 'coin'), pick(row, 'j')]
  const kind = pick(row, 'kind')
  const amount = pick(row, 'amount', 'liquidity', 'dx')
  return [
    name,
    ...(kind === undefined ? [] : [String(kind)]),
    ...(direction === undefined ? [] : [String(direction)]),
    ...(i === undefined ? [] : [`i=${i}`]),
    ...(j === undefined ? [] : [`j=${j}`]),
    ...(amount === undefined ? [] : [String(amount)]),
  ]
}

function readCall(parts: readonly string[], row: JsonNode, coins: Coins): StableCall | null {
  const amount = () => {
    const text = parts.at(-1) ?? ''
    const whole = parseWhole(text)
    if (whole !== null && whole >= 0n) return whole
    return failJson(row.file, `${row.path}amount`, 'a whole number', text)
  }
  switch (parts[0]) {
    case 'get_dy': {
      const { from, to } = readDirection(parts, row, coins)
      return { function: 'get_dy', from, to, amount: amount() }
    }
    case 'calc_token_amount': {
      // Amounts of several coins at once are another question than the one of a single coin.
      if (pick(row, 'amounts') !== undefined) return null
      const coin = readIndex('i', parts, row, coins)
      const given = amount()
      const amounts = Array.from({ length: coins.count }, (_, at) => (at === coin ? given : 0n))
      const kind = parts.some((part) => /^withdraw/i.test(part)) ? 'WITHDRAWAL' : 'DEPOSIT'
      return { function: 'calc_token_amount', amounts, kind }
    }
    case 'calc_withdraw_one_coin': {
      const coin = readIndex('i', parts, row, coins)
      return { function: 'calc_withdraw_one_coin', liquidity: amount(), coin }
    }
    case 'get_virtual_price':
      return { function: 'get_virtual_price' }
    default:
      return null
  }
}

function readDirection(
  parts: readonly string[],
  row: JsonNode,
  coins: Coins,
): { from: number; to: number } {
  const direction = parts.find((part) => part.includes('->'))
  if (direction === undefined) {
    return { from: readIndex('i', parts, row, coins), to: readIndex('j', parts, row, coins) }
  }
  const ends = direction.split('->').map((end) => end.trim().toLowerCase())
  const [from, to] = ends.map((end) => coins.coins.findIndex((names) => names.includes(end)))
  const isKnown = ends.length === 2 && from !== undefined && to !== undefined
  if (isKnown && from >= 0 && to >= 0 && from !== to) return { from, to }
  const symbols = coins.coins.map(([symbol]) => symbol).join(', ')
  return failJson(row.file, `${row.path}direction`, `FROM->TO of the coins ${symbols}`, direction)
}

function readIndex(
  name: 'i' | 'j',
  parts: readonly string[],
  row: JsonNode,
  { count }: Coins,
): number {
  const text = parts.find((part) => part.startsWith(`${name}=`))?.slice(2) ?? ''
  const index = /^[0-9]+$/.test(text) ? Number(text) : -1
  if (index >= 0 && index < count) return index
  return failJson(row.file, `${row.path}${name}`, `a coin in 0..${count - 1}`, text)
}

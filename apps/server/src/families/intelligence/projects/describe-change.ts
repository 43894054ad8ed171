import type { contract } from '@liquidity-os/contract'
import { decimalText } from '../../../reports/cell-text.ts'
import {
  amountText,
  nameOfPool,
  namesIn,
  type Pool,
  priceText,
  shortAddress,
} from '../../../reports/token/token-words.ts'
import { textAfterLast } from '../../../texts.ts'
import type { Reading } from './drawn.ts'

type Change = contract.ProjectChange

/** A figure that differs between two readings. */
export interface DescribedChange {
  readonly what: string
  readonly before: string
  readonly after: string
  readonly share: string
  readonly material: boolean
}

const figures: Readonly<Record<string, string>> = {
  name: 'token name',
  symbol: 'token symbol',
  decimals: 'token decimals',
  totalSupply: 'total supply',
  codeHash: 'token code',
  proxy: 'proxy type',
  implementation: 'implementation contract',
  admin: 'proxy admin',
  owner: 'owner',
  ownerKind: 'owner type',
  mint: 'mint function in code',
  pause: 'pause function in code',
}

/** Display labels of chain codes. */
const codes: Readonly<Record<string, string>> = {
  NONE: 'none',
  ABSENT: 'not in code',
  SELECTOR: 'in code',
  EOA: 'single key',
  EIP7702: 'key with code',
  SAFE: 'a Safe',
  CONTRACT: 'a contract',
}

/** Name and values of a change, in the units of the newest reading. */
export function describeChange(
  change: Change,
  newest: Reading,
  before: Reading | undefined,
): DescribedChange {
  const [, group, ...rest] = change.pointer.split('/')
  const { material } = change
  const share = shareText(change)
  if (group === 'pools') {
    const [address = '', name] = rest
    const find = (reading: Reading | undefined) =>
      reading?.analysis.pools.find((one) => one.address === address)
    const pool = find(newest) ?? find(before)
    if (!pool || name === undefined) {
      const what = pool ? nameOfPool(pool) : `pool ${shortAddress(address)}`
      return {
        what,
        before: presence(change.before),
        after: presence(change.after),
        share,
        material,
      }
    }
    const { label, print } = figureOfPool(name, pool, newest)
    return {
      what: `${label}, ${nameOfPool(pool)}`,
      before: print(change.before),
      after: print(change.after),
      share,
      material,
    }
  }
  const name = textAfterLast(change.pointer, '/')
  const { symbol, decimals } = newest.analysis.token
  const print = (value: string | null) =>
    value === null
      ? 'unknown'
      : name === 'totalSupply'
        ? amountText(value, decimals.value, symbol.value ?? 'token')
        : /^0x/.test(value)
          ? shortAddress(value)
          : (codes[value] ?? value)
  const what =
    group === 'listings'
      ? `listed by ${name.replaceAll('~1', '/').replaceAll('~0', '~')}`
      : (figures[name] ?? name)
  return { what, before: print(change.before), after: print(change.after), share, material }
}

const presence = (value: string | null) => (value === null ? 'absent' : 'there')

/** Label of the reserve. For a v3 pool it is the payout of the active range. */
const reserveWords: Readonly<Record<Pool['kind'], string>> = {
  UNISWAP_V2: 'in reserve',
  UNISWAP_V3: 'in range',
}

function figureOfPool(name: string, pool: Pool, newest: Reading) {
  const { base, quote } = namesIn(newest.analysis, pool)
  const baseDecimals = newest.analysis.token.decimals.value
  const quoteDecimals = pool.quote.decimals
  const known = (format: (value: string) => string) => (value: string | null) =>
    value === null ? 'unknown' : format(value)
  if (name === 'midX36') {
    const print = known(
      (value) => priceText(value, newest.analysis, pool) ?? 'in atoms; see the record',
    )
    return { label: `price in ${quote}`, print }
  }
  const isBase = name.endsWith('Base')
  const symbol = isBase ? base : quote
  const decimals = isBase ? baseDecimals : quoteDecimals
  return {
    label: `${symbol} ${name.startsWith('held') ? 'held' : reserveWords[pool.kind]}`,
    print: known((value) => amountText(value, decimals, symbol)),
  }
}

function shareText({ kind, deltaPips }: Change): string {
  if (deltaPips !== null) {
    const pips = BigInt(deltaPips)
    const text = decimalText(pips < 0n ? -pips : pips, 4)
    return pips === 0n ? '< 0.0001 %' : `${pips < 0n ? '−' : '+'}${text} %`
  }
  return {
    ADDED: 'new',
    REMOVED: 'gone',
    CHANGED: 'changed',
    KNOWN: 'now known',
    UNKNOWN: 'not read',
  }[kind]
}

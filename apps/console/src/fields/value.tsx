import { Fragment, useContext } from 'react'
import { RecordNamesContext, useRecord, useSymbols } from '../api/queries.ts'
import { recordTarget } from '../declared/pages.ts'
import type { Definitions } from '../declared/schema.ts'
import { resolve } from '../declared/schema.ts'
import type { Schema } from '../declared/types.ts'
import { PageLink } from '../ui/page-link.tsx'
import { Copied, Time } from '../ui/parts.tsx'
import { isKnownState, State } from '../ui/state.tsx'
import styles from '../ui/ui.module.css'
import { meaningOf, readableText, wordOf } from './meaning.ts'
import {
  durationOf,
  exactDecimal,
  percentOf,
  shortAddress,
  shortDecimal,
  shortHash,
  shortPercent,
} from './numbers.ts'
import { symbolOf } from './symbols.ts'
import { useTitle } from './title.ts'
import { type Asset, nativeCoin, useUnits } from './units.tsx'

/**
 * An amount of a token with six significant digits. The tooltip and the clipboard contain all
 * digits.
 */
export function Amount({ atoms, asset }: { atoms: string; asset: Asset | null }) {
  if (!/^-?\d+$/.test(atoms)) return <Text text={atoms} />
  if (asset === null) {
    return (
      <span className={styles.amount} title="In smallest units. The record names no token.">
        {exactDecimal(BigInt(atoms), 0)} <span className={styles.unit}>smallest units</span>
      </span>
    )
  }
  const value = BigInt(atoms)
  return (
    <span
      className={styles.amount}
      title={`${exactDecimal(value, asset.decimals)} ${asset.symbol}`}
    >
      {shortDecimal(value, asset.decimals)} <span className={styles.unit}>{asset.symbol}</span>
    </span>
  )
}

/** A price with `scale` more decimals than its two tokens imply. */
export function Price({ price, scale }: { price: string; scale: number }) {
  const { base, quote, own } = useUnits()
  const priced = own === undefined ? base : own
  if (!priced || !quote || !/^-?\d+$/.test(price)) return <span className="mono">{price}</span>
  const decimals = scale + quote.decimals - priced.decimals
  return (
    <span className={styles.amount} title={exactDecimal(BigInt(price), decimals)}>
      {shortDecimal(BigInt(price), decimals)}{' '}
      <span className={styles.unit}>
        {quote.symbol} per {priced.symbol}
      </span>
    </span>
  )
}

/** Members without a unit. */
const decimalsOf = { count: 0, thousandths: 3, factor: 18 } as const

/**
 * Converts a fixed-point number with 96 binary digits to 36 decimal digits, rounded toward zero.
 */
const decimalOf96 = (price: string): string =>
  /^-?\d+$/.test(price) ? `${(BigInt(price) * 10n ** 36n) / (1n << 96n)}` : price

export function AddressText({
  address,
  chainId,
}: {
  address: string
  chainId?: string | undefined
}) {
  const name = symbolOf(useSymbols(), address, chainId)
  // The short address of a shared symbol follows anyway.
  const symbol = name?.split(' ')[0]
  return (
    <span>
      {symbol ? `${symbol} ` : ''}
      <Copied text={address} shown={shortAddress(address)} label="Address" />
    </span>
  )
}

/** `ENS/WETH` for `chainId|base|quote`, with short addresses of unknown tokens; null for other texts. */
export function pairName(text: string, symbols: ReadonlyMap<string, string>): string | null {
  const [, chainId, base, quote] =
    /^(\d+)\|(0x[0-9a-fA-F]{40})\|(0x[0-9a-fA-F]{40})$/.exec(text) ?? []
  if (!base || !quote) return null
  const name = (address: string) => symbolOf(symbols, address, chainId) ?? shortAddress(address)
  return `${name(base)}/${name(quote)}`
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** The name of a record, as a link to it. */
export function RecordLink({ id }: { id: string }) {
  const { entry, item } = useRecord(id)
  const hasNames = useContext(RecordNamesContext)
  const titleOf = useTitle()
  if (!entry) return <Copied text={id} shown={id.length > 24 ? shortHash(id) : id} label="Id" />
  return (
    <PageLink to={recordTarget(entry, id)}>
      {item
        ? titleOf(entry, item)
        : hasNames
          ? `${entry.one} …${id.slice(-6)}`
          : capitalized(entry.one)}
    </PageLink>
  )
}

const nothing = <span className={styles.absent}>—</span>

/** One scalar of a record, formatted by its schema and name; null for objects and lists. */
export function Value({
  name,
  value,
  schema,
  defs,
  isCompact = false,
}: {
  name: string
  value: unknown
  schema: Schema | undefined
  defs: Definitions
  isCompact?: boolean
}) {
  const { base, quote, own, coin } = useUnits()
  const { schema: found, name: published } = resolve(schema, defs)
  if (value === null || value === undefined) return nothing
  if (typeof value === 'object')
    return <Inside name={name} value={value} schema={found} defs={defs} />
  const meaning = meaningOf(name, found, published)
  const text = String(value)
  switch (meaning) {
    case 'share':
      return /^-?\d+$/.test(text) ? (
        <span className={styles.amount} title={percentOf(BigInt(text))}>
          {shortPercent(BigInt(text))}
        </span>
      ) : (
        text
      )
    case 'price':
      return <Price price={text} scale={18} />
    case 'priceX36':
      return <Price price={text} scale={36} />
    case 'priceX96':
      return <Price price={decimalOf96(text)} scale={36} />
    case 'thousandths':
    case 'factor':
    case 'count':
      return /^-?\d+$/.test(text) ? (
        <span className={styles.amount}>{exactDecimal(BigInt(text), decimalsOf[meaning])}</span>
      ) : (
        text
      )
    case 'base':
      return <Amount atoms={text} asset={base} />
    case 'quote':
      return <Amount atoms={text} asset={quote} />
    case 'gas':
      return <Amount atoms={text} asset={coin ?? nativeCoin} />
    case 'atoms':
      return <Amount atoms={text} asset={own ?? null} />
    case 'difference':
      return <Amount atoms={text} asset={own === undefined ? quote : own} />
    case 'time':
      return <Time at={text} isAge={isCompact} />
    case 'duration':
      return typeof value === 'number' ? durationOf(value) : text
    case 'hash':
      return <Copied text={text} shown={shortHash(text)} label="Hash" />
    case 'address':
      return <AddressText address={text} />
    case 'record':
      return <RecordLink id={text} />
    case 'block':
      return <>#{exactDecimal(BigInt(text), 0)}</>
    case 'chain':
      return <>{chainName(text)}</>
    case 'flag':
      return <>{value === true ? 'yes' : 'no'}</>
    case 'number':
      return typeof value === 'number' && Number.isInteger(value) && Math.abs(value) >= 10_000
        ? exactDecimal(BigInt(value), 0)
        : text
    case 'word':
      return isKnownState(text) && /status|state|severity/i.test(name) ? (
        <State of={text} />
      ) : (
        wordOf(text)
      )
    default:
      return isCompact ? <CompactText text={text} name={name} /> : <Text text={text} name={name} />
  }
}

const chains: Readonly<Record<string, string>> = {
  1: 'Ethereum',
  10: 'OP Mainnet',
  100: 'Gnosis',
  137: 'Polygon',
  8453: 'Base',
  42161: 'Arbitrum One',
  31337: 'Local chain',
}

/** Name of a chain by its id. */
export const chainName = (chainId: string) => chains[chainId] ?? `chain ${chainId}`

/** A prefix that names the kind, and 32 hex digits. */
const isRecordId = (value: unknown): value is string =>
  typeof value === 'string' && /^[a-z_]+_[0-9a-f]{32}$/.test(value)

/** A known token by its symbol alone; other texts in full. */
function CompactText({ text, name }: { text: string; name: string }) {
  const symbols = useSymbols()
  const [, chain, token] = /^eip155:(\d+)\/erc20:(0x[0-9a-f]{40})$/.exec(text) ?? []
  const symbol = chain && token ? symbolOf(symbols, token, chain) : undefined
  if (symbol && chain) return <span title={`${token} on ${chainName(chain)}`}>{symbol}</span>
  return <Text text={/^iso4217:[A-Z]{3}$/.test(text) ? text.slice(8) : text} name={name} />
}

/** An asset key, an account or an address as text, with the symbol of a known token. */
export const AccountText = ({ text }: { text: string }) => <Text text={text} />

function Text({ text, name = '' }: { text: string; name?: string }) {
  const symbols = useSymbols()
  if (/^0x[0-9a-fA-F]{64}$/.test(text))
    return <Copied text={text} shown={shortHash(text)} label="Hash" />
  if (/^0x[0-9a-fA-F]{40}$/.test(text)) return <AddressText address={text} />
  if (isRecordId(text)) return <RecordLink id={text} />
  const [, chain, token] = /^eip155:(\d+)\/erc20:(0x[0-9a-f]{40})$/.exec(text) ?? []
  if (chain && token)
    return (
      <span>
        <AddressText address={token} chainId={chain} /> on {chainName(chain)}
      </span>
    )
  const [, accountChain, holder] = /^eip155:(\d+):(0x[0-9a-fA-F]{40})$/.exec(text) ?? []
  if (accountChain && holder)
    return (
      <span>
        <AddressText address={holder} chainId={accountChain} /> on {chainName(accountChain)}
      </span>
    )
  const pair = pairName(text, symbols)
  if (pair !== null) return <>{pair}</>
  const [, account, hash] = /^(custodian:[^:\s]+):(0x[0-9a-f]{64})$/.exec(text) ?? []
  if (account && hash)
    return <Copied text={text} shown={`${account}:${shortHash(hash)}`} label="Account" />
  if (/^https?:\/\/\S+$/.test(text)) return <span className="mono">{text}</span>
  return <>{readableText(text, name)}</>
}

function Inside({
  name,
  value,
  schema,
  defs,
}: {
  name: string
  value: object
  schema: Schema
  defs: Definitions
}) {
  const { base, quote } = useUnits()
  const symbols = useSymbols()
  if (Array.isArray(value)) {
    if (value.length === 0) return nothing
    if (value.every((one) => typeof one !== 'object') && value.length <= 4)
      return (
        <>
          {value.map((one, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the order of a sealed list never changes
            <Fragment key={index}>
              {index > 0 ? ', ' : ''}
              <Value name={name} value={one} schema={schema.items} defs={defs} />
            </Fragment>
          ))}
        </>
      )
    return (
      <>
        {value.length} {value.length === 1 ? 'entry' : 'entries'}
      </>
    )
  }
  const members = value as Record<string, unknown>
  if ('baseDecimals' in members) {
    const { chainId } = members
    const named = (address: unknown) =>
      symbolOf(symbols, String(address), typeof chainId === 'number' ? chainId : undefined) ??
      shortAddress(String(address))
    return (
      <>
        {named(members.base)} / {named(members.quote)}
      </>
    )
  }
  if (isRecordId(members.id)) return <RecordLink id={members.id} />
  if (typeof members.number === 'number' && 'hash' in members) return <Block block={members} />
  if ('from' in members && 'to' in members) {
    return (
      <>
        <Value name="from" value={members.from} schema={schema.properties?.from} defs={defs} /> –{' '}
        <Value name="to" value={members.to} schema={schema.properties?.to} defs={defs} />
      </>
    )
  }
  const { base: ofBase = members.token, quote: ofQuote } = members
  if (typeof ofBase === 'string' && typeof ofQuote === 'string' && /^-?\d+$/.test(ofBase)) {
    return (
      <>
        <Amount atoms={ofBase} asset={base} /> and <Amount atoms={ofQuote} asset={quote} />
      </>
    )
  }
  const count = Object.keys(members).length
  return (
    <>
      {count} {count === 1 ? 'field' : 'fields'}
    </>
  )
}

function Block({ block }: { block: Record<string, unknown> }) {
  const time = typeof block.timestamp === 'string' ? block.timestamp : null
  return (
    <span
      className={styles.amount}
      title={time ? `${time}, ${String(block.hash)}` : String(block.hash)}
    >
      #{exactDecimal(BigInt(block.number as number), 0)}
    </span>
  )
}

import type { Schema } from '../declared/types.ts'

/** Semantic type of a member, which decides its display and input. */
export type Meaning =
  | 'share'
  | 'price'
  | 'priceX36'
  | 'priceX96'
  | 'rootPrice'
  | 'thousandths'
  | 'count'
  | 'base'
  | 'quote'
  | 'gas'
  | 'atoms'
  | 'factor'
  | 'difference'
  | 'time'
  | 'duration'
  | 'hash'
  | 'address'
  | 'record'
  | 'block'
  | 'chain'
  | 'word'
  | 'flag'
  | 'number'
  | 'text'
  | 'object'
  | 'list'

const byName: Readonly<Record<string, Meaning>> = {
  Pips: 'share',
  PriceX18: 'price',
  Timestamp: 'time',
  SignedTime: 'time',
  SignedHash: 'hash',
  SignedAddress: 'address',
  Hash: 'hash',
  Address: 'address',
  RecordId: 'record',
  BlockNumber: 'block',
  ChainId: 'chain',
  RecordStatus: 'word',
}

const amountNames: ReadonlySet<string> = new Set(['AtomicAmount', 'SignedAmount', 'SignedQuantity'])

/**
 * Reads the unit from the schema name or the end of the member name. Examples: `feePips`, `midX18`,
 * `volumeQuote`, `cadenceSeconds`.
 *
 * @param key name of the member
 * @param name published name of its schema, if any
 */
export function meaningOf(key: string, schema: Schema, name: string | null): Meaning {
  const known = name ? byName[name] : undefined
  if (known) return known
  if (schema.format === 'date-time') return 'time'
  if (/Pips$|^pips$/.test(key)) return 'share'
  if (key === 'scaleX18') return 'factor'
  if (/X18$/.test(key)) return 'price'
  if (/X36$/.test(key)) return 'priceX36'
  if (/X3$/.test(key)) return 'thousandths'
  if (/(?<!sqrt)PriceX96$/.test(key)) return 'priceX96'
  if (/X(36|96|128)$/.test(key)) return 'rootPrice'
  if (/Seconds$|^seconds$/.test(key) && schema.type !== 'array') return 'duration'
  if (/(^e|E)poch$|(^n|N)once$/.test(key) && schema.type === 'string') return 'text'
  const isAmount =
    amountNames.has(name ?? '') || (name !== 'AssetKey' && /\(0\|-?/.test(schema.pattern ?? ''))
  if (isAmount && isCountName(key)) return 'count'
  // Auction ticks are price steps.
  if (isAmount && key === 'tickSpacing') return 'priceX96'
  if (/Atoms$/.test(key) || (isAmount && isLadderName(key))) return 'difference'
  if (isAmount || schema.type === 'string') {
    if (/Base$|^base$|(^t|T)okens?$/.test(key) && isAmount) return 'base'
    if (/Quote(Per[A-Z]\w*)?$|^quote$/.test(key) && isAmount) return 'quote'
    // Proceeds of a sale, and bids in it.
    if (/([rR]aised|Proceeds|[bB]udget|^cap)$/.test(key) && isAmount) return 'quote'
    if (/Wei$/.test(key)) return 'gas'
    // Policy limits per action and per day are in the quote token of the vault.
    if (/^maximum(AmountPerTransaction|DailyTurnover)$/.test(key)) return 'quote'
    if (name === 'SignedAmount') return 'difference'
    if (isAmount) return 'atoms'
  }
  if (schema.enum || schema.const !== undefined) return schema.type === 'boolean' ? 'flag' : 'word'
  if (schema.type === 'boolean') return 'flag'
  if (schema.type === 'integer' || schema.type === 'number') return 'number'
  if (schema.type === 'array') return 'list'
  if (schema.type === 'object' || schema.properties || schema.additionalProperties) return 'object'
  return 'text'
}

/** True if an integer is not a token amount, for example a unit of pools, gas or solvers. */
const isCountName = (key: string) => /(^l|L)iquidity$|^gas(Used)?$|E12$/.test(key)

/** Due amounts, by certainty. */
const isLadderName = (key: string) => /^(committed|expected|uncertain)$/.test(key)

const words: Readonly<Record<string, string>> = {
  tvl: 'TVL',
  id: 'ID',
  ids: 'IDs',
  kpi: 'KPI',
  kpis: 'KPIs',
  tx: 'transaction',
  url: 'URL',
  lvr: 'LVR',
  pnl: 'PnL',
  vwap: 'VWAP',
  rpc: 'RPC',
  api: 'API',
  ok: 'OK',
}

const unitLabels: Readonly<Record<string, string>> = {
  PIPS: 'Pips',
  COUNT: 'Count',
  QUOTE: 'Quote',
  QUOTE_ATOMS: 'Quote',
  ATOMS: 'Atoms',
  DAYS: 'Count',
  DAYS_X3: 'X3',
  MONTHS_X3: 'X3',
  MULTIPLE_X3: 'X3',
  SECONDS: 'Seconds',
  X3: 'X3',
  PRICE_X18: 'X18',
  PRICE_X36: 'X36',
  X18: 'X18',
  X36: 'X36',
}

/**
 * Unit of values inside a member that do not state their unit. `componentsPips` sets it for all its
 * members. `metric: 'UPTIME_PIPS'` and `unit: 'PIPS'` set it for sibling values. `constraint:
 * 'limits.perOptionPips'` sets it for its change.
 *
 * @param given unit from the enclosing members
 * @returns the name suffix of the unit, such as `Pips`; empty if unknown
 */
export function unitWithin(value: object, given: string): string {
  const { unit, metric, name, constraint } = value as Record<string, unknown>
  const side = /[bB]ase$/.test(String(name))
    ? 'Base'
    : /[qQ]uote$/.test(String(name))
      ? 'Quote'
      : null
  if (unit === 'ATOMS' && side) return side
  if (typeof constraint === 'string') {
    return /(Pips|Quote)$/.exec(constraint)?.[1] ?? /\.(base|quote)$/.exec(constraint)?.[1] ?? given
  }
  if (typeof unit === 'string') return unitLabels[unit] ?? given
  if (metric === 'TIME_IN_RANGE') return 'Pips'
  const end = typeof metric === 'string' ? /_(PIPS|QUOTE|X3)$/.exec(metric)?.[1] : undefined
  return end ? (unitLabels[end] ?? given) : given
}

/** Display name of a value, with the unit of its parent if its name has no unit. */
export const figureName = (key: string, unit: string): string =>
  unit !== '' &&
  /^(threshold|value|observed|difference|from|to|by|predicted|realised|mean|low|high|p05|p95|standardError|minimumEffect)$/.test(
    key,
  )
    ? `${key}${unit.charAt(0).toUpperCase()}${unit.slice(1)}`
    : key

/** Members with the same meaning in every family, and an established term. */
const memberLabels: Readonly<Record<string, string>> = {
  assetKey: 'Asset',
  arms: 'Candidates',
  armId: 'Candidate',
  cadenceSeconds: 'Interval',
  depthSharePips: 'Depth share',
  divergenceLoss: 'Impermanent loss',
  es95: 'CVaR, 95 %',
  es99: 'CVaR, 99 %',
  exposureDrift: 'Inventory effect',
  netVsHold: 'P&L vs initial capital',
  timeInRangePips: 'Time in range',
  tvlQuote: 'TVL',
  volume24hQuote: '24 h volume',
  waterfallHolder: 'P&L breakdown: vs HODL',
  waterfallMaker: 'P&L breakdown: vs rebalancing',
}

/** Readable name of a member, without the unit, because the figure shows it. */
export function labelOf(key: string): string {
  if (Object.hasOwn(memberLabels, key)) return String(memberLabels[key])
  const bare =
    key.length > 6 || /[a-z](Pips|X3|X18|X36|Quote|Base|At)$/.test(key)
      ? key.replace(
          /(?<=[a-z0-9])(Pips|X3|X18|X36|X96|Quote(?=Per[A-Z]|$)|Seconds|Wei)(?=$|Per[A-Z])/,
          '',
        )
      : key
  const parts = bare
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .split(' ')
  const text = parts.map((part) => words[part.toLowerCase()] ?? part.toLowerCase()).join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Titles of columns and tiles whose member name is no title. */
const columnTitles: Readonly<Record<string, string>> = {
  'payload.before.controlled.realisableQuote': 'Liquidation value',
  'payload.before.controlled.runwayMonthsX3': 'Runway',
  'payload.action.actionType': 'Action',
  'payload.agreement': 'Result',
  'payload.amountKind': 'Amount type',
  'payload.approvalCount': 'Approvals',
  'payload.assumptions.quoteKey': 'Currency',
  'payload.compilation.ok': 'Compiles',
  'payload.control.threshold': 'Owners required',
  'payload.controlEpoch': 'Control version',
  'payload.decisionBy': 'Decide by',
  'payload.eventKinds': 'Events',
  'payload.isArmable': 'Can be armed',
  'payload.key.of': 'Asset',
  'payload.latest.state': 'Last result',
  'payload.majorIncidentCount': 'Major incidents',
  'payload.marketMaker.name': 'Market maker',
  'payload.metrics.midX18': 'Price',
  'payload.narration.status': 'Narration',
  'payload.onChain.authority': 'On-chain authority',
  'payload.partnerName': 'Partner',
  'payload.pausedBecause': 'Pause reason',
  'payload.period.to': 'Ends',
  'payload.probe.at': 'Last probe',
  'payload.quoteKey': 'Currency',
  'payload.range.to': 'Newest block',
  'payload.report.state': 'Report',
  'payload.request.launchAt': 'Launch date',
  'payload.request.limits.maximumQuote': 'Maximum capital',
  'payload.review.required': 'Approvals required',
  'payload.spec.capital.base': 'Initial base',
  'payload.spec.capital.quote': 'Initial quote',
  'payload.usage.steps': 'Steps used',
  'payload.vaultIds': 'Vaults',
  'payload.window.to': 'Window end',
  byteLength: 'Size',
  everySeconds: 'Interval',
  nextAt: 'Next run',
}

/** Title of a column: `Vault` for `vaultId`, `Created` for `createdAt`. */
function columnLabel(path: string): string {
  if (Object.hasOwn(columnTitles, path)) return String(columnTitles[path])
  const bare = nameIn(path).replace(/(?<=[a-z0-9])(Id|At)$/, '')
  return labelOf(bare === 'id' ? (path.split('.').at(-2) ?? bare) : bare)
}

/** Names that say nothing without the member around them. */
const dependentNames: ReadonlySet<string> = new Set(['at', 'from', 'ok', 'to'])

const nameIn = (path: string) => path.split('.').at(-1) ?? path

/**
 * Headings of the columns of a table, by path. A heading that another column has, or that says
 * nothing alone, begins with the name of the member around it: `Market maker name`, `Period to`.
 *
 * @param taken headings of other columns of the table
 */
export function headingsOf(
  paths: readonly string[],
  taken: readonly string[],
): ReadonlyMap<string, string> {
  const plain = paths.map(columnLabel)
  const isTaken = (label: string) =>
    taken.includes(label) || plain.filter((one) => one === label).length > 1
  return new Map(
    paths.map((path, index) => {
      const label = plain[index] ?? path
      const around = path.split('.').at(-2)
      const isPlain =
        around === undefined ||
        around === 'payload' ||
        Object.hasOwn(columnTitles, path) ||
        !(isTaken(label) || dependentNames.has(nameIn(path)))
      return [path, isPlain ? label : `${labelOf(around)} ${label.toLowerCase()}`]
    }),
  )
}

/** Codes with the same meaning in every family, and a label that is not their spelling. */
const codeLabels: Readonly<Record<string, string>> = {
  GTE: 'At least',
  LTE: 'At most',
  COMPLETED: 'Complete',
  ABSTAINED: 'Withheld',
  CANCELLED: 'Canceled',
  REPLAY: 'Backtest',
  MONTE_CARLO: 'Monte Carlo simulation',
  INELASTIC_INPUT: 'Fixed flow',
  PRICE_SETTING: 'Price-matching flow',
  INDISTINGUISHABLE: 'Not significant',
  INDETERMINATE: 'Inconclusive',
  PRELIMINARY: 'Interim result',
}

/** Members with sentences of the service. */
const serviceTexts: ReadonlySet<string> = new Set(['explanation'])

/**
 * A text with its codes, such as `BASELINE_TOO_SHORT`, as words. A text that a user may have written
 * changes only if it is one code.
 *
 * @param name name of the member
 */
export function readableText(text: string, name: string): string {
  if (name === 'kind') return wordOf(text)
  if (!serviceTexts.has(name)) {
    return /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(text) ? wordOf(text) : text
  }
  return text.replace(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g, (code, at: number) => {
    const words = wordOf(code)
    return at === 0 ? words : `${words.charAt(0).toLowerCase()}${words.slice(1)}`
  })
}

/** Readable form of a contract term, for example `UNISWAP_V3`, without its unit. */
export function wordOf(code: string): string {
  if (!/^[A-Z0-9_]+$/.test(code) || code.length < 2) return code
  if (Object.hasOwn(codeLabels, code)) return String(codeLabels[code])
  const special: Readonly<Record<string, string>> = {
    UNISWAP: 'Uniswap',
    RPC: 'RPC',
    API: 'API',
    OAUTH: 'OAuth',
    CLOB: 'CLOB',
    CEX: 'CEX',
    KPI: 'KPI',
    KPIS: 'KPIs',
  }
  // The display name omits the number of decimals.
  const parts = code.replace(/(?<=\w)_(X3|X18|X36|PIPS|QUOTE)$/, '').split('_')
  const text = parts
    .map(
      (part) =>
        special[part] ??
        (/^V\d$/.test(part) ? part.toLowerCase() : /\d/.test(part) ? part : part.toLowerCase()),
    )
    .join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

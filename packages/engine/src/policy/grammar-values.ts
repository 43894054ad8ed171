import { type Fault, fault, type GrammarContext, type Outcome } from './grammar-types.ts'
import { durationSeconds, readNumber, scaled } from './numbers.ts'
import type { PolicyField } from './terms.ts'

/** Words that leave the bound itself out. */
export const strict = '(?:less than|under)'

export interface SaidAmount {
  readonly digits: string
  readonly scale: string | undefined
  readonly unit: string
}

const scales: Readonly<Record<string, number>> = { k: 3, m: 6, bn: 9 }
const largest = 2n ** 256n

/** An amount in atoms of the quote, at `shift` digits below one. */
function readAmount(
  { digits, scale, unit }: SaidAmount,
  { quote, symbols, addressOf }: GrammarContext,
  shift: number,
): bigint | Fault {
  const written = readNumber(digits)
  if (written === null) {
    return fault(
      digits,
      'AMBIGUOUS_NUMBER',
      'group thousands with "," or "_", and avoid exactly 3 decimals: 1,000 or 1.0000',
    )
  }
  const isAddress = /^0x[0-9a-fA-F]{40}$/.test(unit)
  const named = isAddress
    ? [addressOf(unit)].flatMap((one) => one ?? [])
    : (symbols.get(unit) ?? [])
  if (isAddress && named.length === 0) return fault(unit, 'CHECKSUM_INVALID', 'check the address')
  if (named.length !== 1) {
    const hint =
      named.length === 0
        ? 'no token of this vault or its venues has this symbol'
        : 'several tokens have this symbol; write the address'
    return fault(unit, 'UNKNOWN_SYMBOL', hint)
  }
  if (named[0] !== quote.address) {
    return fault(
      unit,
      'UNKNOWN_UNIT',
      'limits are in the quote of the vault; the service does not convert',
    )
  }
  const value = scaled(written, shift + (scales[scale?.toLowerCase() ?? ''] ?? 0))
  if (value === null) return fault(digits, 'AMOUNT_NOT_ATOMIC', 'more decimals than the token has')
  return value >= largest ? fault(digits, 'OUT_OF_RANGE', 'must be below 2^256 atoms') : value
}

export function cap(
  field: PolicyField,
  { most, ...said }: SaidAmount & { readonly most: string },
  context: GrammarContext,
): Outcome {
  const value = readAmount(said, context, context.quote.decimals)
  if (typeof value !== 'bigint') return value
  const isStrict = new RegExp(`^${strict}$`, 'i').test(most.replace(/[ \t\r]+/g, ' '))
  if (isStrict && value === 0n) return fault(said.digits, 'OUT_OF_RANGE', 'no value is below 0')
  return [[field, `${isStrict ? value - 1n : value}`]]
}

/** Quote atoms for a base atom, times 10^18, of an amount of the quote for one base token. */
export const readPrice = (said: SaidAmount, context: GrammarContext) =>
  readAmount(said, context, context.quote.decimals + 18 - context.base.decimals)

const ratePips: Readonly<Record<string, number>> = {
  '%': 4,
  percent: 4,
  bps: 2,
  'basis points': 2,
  pips: 0,
}

export function slippage([most = 'at most', digits = '', unit = '']: readonly (
  | string
  | undefined
)[]): Outcome {
  const shift = ratePips[unit.toLowerCase().replace(/[ \t\r]+/g, ' ')]
  if (shift === undefined) {
    return fault(unit, 'UNKNOWN_UNIT', 'use %, percent, bps, basis points or pips')
  }
  const written = readNumber(digits)
  if (written === null) return fault(digits, 'AMBIGUOUS_NUMBER', 'write 0.5 or 0.2500')
  const pips = scaled(written, shift)
  const isStrict = /^(?:less|under)/i.test(most)
  const value = pips === null ? null : isStrict ? pips - 1n : pips
  return value === null || value < 0n || value > 1_000_000n
    ? fault(digits, 'OUT_OF_RANGE', 'whole pips (millionths) from 0 to 100 %')
    : [['maximumSlippagePips', Number(value)]]
}

export function readDuration(digits: string, unit: string): bigint | Fault {
  if (!/^(?:second|minute|hour|day|week)s?$/i.test(unit)) {
    return fault(unit, 'UNKNOWN_UNIT', 'use seconds, minutes, hours, days or weeks')
  }
  const written = readNumber(digits)
  if (written === null) return fault(digits, 'AMBIGUOUS_NUMBER', 'write 1,000 or 1.5')
  const length = durationSeconds(written, unit)
  return length ?? fault(digits, 'OUT_OF_RANGE', 'must equal whole seconds')
}

export function seconds(
  field: PolicyField,
  [least, most]: readonly [bigint, bigint],
  digits: string,
  unit: string,
): Outcome {
  const length = readDuration(digits, unit)
  if (typeof length !== 'bigint') return length
  return length < least || length > most
    ? fault(digits, 'OUT_OF_RANGE', `must be ${least} to ${most} seconds`)
    : [[field, Number(length)]]
}

export function setField(kind: string): PolicyField {
  const said = kind.toLowerCase()
  if (said === 'adapter') return 'approvedAdapterIds'
  return said === 'asset' || said === 'token' ? 'approvedAssets' : 'approvedContracts'
}

export function readSet(field: PolicyField, items: string, context: GrammarContext): Outcome {
  const read: string[] = []
  for (const item of items.split(/[ \t\r]*,[ \t\r]*|[ \t\r]+and[ \t\r]+/i)) {
    const found = readItem(field, item, context)
    if (typeof found !== 'string') return found
    read.push(found)
  }
  const unique = [...new Set(read)]
  return [[field, unique.sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1))]]
}

function readItem(field: PolicyField, item: string, context: GrammarContext): string | Fault {
  if (field === 'approvedAdapterIds') {
    return context.adapterIds.has(item)
      ? item
      : fault(item, 'UNKNOWN_ALIAS', 'no adapter in the signed release has this ID')
  }
  if (/^0x[0-9a-fA-F]{40}$/.test(item)) {
    return context.addressOf(item) ?? fault(item, 'CHECKSUM_INVALID', 'check the address')
  }
  const isAlias = item.startsWith('@')
  const named = isAlias ? context.aliases.get(item.slice(1)) : context.symbols.get(item)
  const [only] = named ?? []
  if (only !== undefined && named?.length === 1) return only
  if (isAlias) return fault(item, 'UNKNOWN_ALIAS', 'no contract, or more than one, has this alias')
  return fault(
    item,
    'UNKNOWN_SYMBOL',
    'no token, or more than one, has this symbol; write the address',
  )
}

import type { Cell, Column, StudyReport } from '../drawing/figure.ts'

type Pair = Pick<StudyReport['pair'], 'baseDecimals' | 'quoteDecimals'>
type Unit = Column['unit']

export function unitWords(unit: Unit): string {
  switch (unit) {
    case 'TEXT':
    case 'FLAG':
    case 'COUNT':
      return ''
    case 'SECONDS':
      return 's'
    case 'BLOCK':
      return 'block'
    case 'TICK':
      return 'tick'
    case 'PIPS':
      return '%'
    case 'QUOTE_ATOMS':
      return 'quote tokens'
    case 'BASE_ATOMS':
      return 'base tokens'
    case 'PRICE_X18':
    case 'PRICE_X36':
      return 'quote tokens per base token'
    case 'LIQUIDITY':
      return 'L'
  }
}

/** Flow models in words; the signed body has their codes. */
const flowTexts: Readonly<Record<string, string>> = {
  INELASTIC_INPUT: 'Fixed flow: trades keep their size',
  PRICE_SETTING: 'Price-matching flow: trades move the price as observed',
}

/** A heading with its unit. */
export function headingOf({ name, unit }: Column): string {
  const words = unitWords(unit)
  // A name that ends in the unit needs no suffix.
  return words === '' || name.endsWith(words) ? name : `${name}, ${words}`
}

/** True if the column is numeric and therefore right-aligned. */
export const isNumeric = ({ unit }: Column): boolean => unit !== 'TEXT' && unit !== 'FLAG'

/**
 * Display text of a cell: amounts in whole tokens with six significant digits, truncated toward
 * zero; pips as %. The exact number is in the signed body.
 */
export function cellText(cell: Cell, { unit }: Column, pair: Pair): string {
  if (cell === null || cell === '') return '–'
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no'
  switch (unit) {
    case 'QUOTE_ATOMS':
      return decimalText(BigInt(cell), pair.quoteDecimals)
    case 'BASE_ATOMS':
      return decimalText(BigInt(cell), pair.baseDecimals)
    case 'PRICE_X18':
      return decimalText(BigInt(cell), 18 + pair.quoteDecimals - pair.baseDecimals)
    case 'PRICE_X36':
      return decimalText(BigInt(cell), 36 + pair.quoteDecimals - pair.baseDecimals)
    case 'PIPS':
      return decimalText(BigInt(cell), 4)
    default:
      return flowTexts[String(cell)] ?? String(cell)
  }
}

const digits = 6

/** An integer over a power of ten with six significant digits, or all before the point; cut towards zero. */
export function decimalText(value: bigint, decimals: number): string {
  const size = value < 0n ? -value : value
  const scale = 10n ** BigInt(Math.max(0, decimals))
  const scaled = decimals < 0 ? size * 10n ** BigInt(-decimals) : size
  const [whole, fraction] = [
    scaled / scale,
    `${scaled % scale}`.padStart(Math.max(0, decimals), '0'),
  ]
  const leading = whole > 0n ? `${whole}`.length : fraction.search(/[1-9]/) * -1
  const shown =
    decimals <= 0 ? '' : fraction.slice(0, Math.max(0, digits - leading)).replace(/0+$/, '')
  const grouped = `${whole}`.replaceAll(/\B(?=(\d{3})+$)/g, ',')
  return `${value < 0n ? '−' : ''}${grouped}${shown === '' ? '' : `.${shown}`}`
}

import type { contract } from '@liquidity-os/contract'
import { assetWords, unitsWords } from '../../../../market/treasury/asset-words.ts'
import { integerOf, type Pack, type PackRecord, type Value } from '../pack-types.ts'

type Unit = contract.DecisionUnit
type Measured = { readonly unit: Unit; readonly asset?: string | null | undefined }

/** Display form of a value. The table of figures has the exact value. */
export function valueWords(
  pack: Pick<Pack, 'units'>,
  { unit, asset }: Measured,
  value: Value | null,
): string {
  if (value === null) return '–'
  const whole = integerOf(value)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (whole === null || unit === 'TEXT' || unit === 'TIME' || unit === 'FLAG') return `${value}`
  switch (unit) {
    case 'ATOMS': {
      const decimals = pack.units.find((one) => one.asset === asset)?.decimals ?? null
      const of = asset ? ` ${assetWords(asset)}` : ''
      return `${unitsWords(whole, decimals)}${decimals === null ? ' atoms of' : ''}${of}`
    }
    case 'PIPS':
      return `${unitsWords(whole, 4)} %`
    case 'MONTHS_X3':
      return `${unitsWords(whole, 3)} months`
    case 'DAYS_X3':
      return `${unitsWords(whole, 3)} days`
    case 'DAYS':
      return `${unitsWords(whole, 0)} days`
    case 'PRICE_X18':
      return unitsWords(whole, 18)
    case 'PRICE_X36':
      return unitsWords(whole, 36)
    case 'COUNT':
      return unitsWords(whole, 0)
    case 'SECONDS':
      return `${unitsWords(whole, 0)} s`
    case 'MULTIPLE_X3':
      return `${unitsWords(whole, 3)}×`
    case 'MULTIPLE_X6':
      return `${unitsWords(whole, 6)}×`
    case 'MULTIPLE_X18':
      return `${unitsWords(whole, 18)}×`
  }
}

export const labelWords = ({ label, note }: { readonly label: string; readonly note?: string }) =>
  note === undefined ? label : `${label} (note: ${note})`

/** A difference with its sign, in the same notation. */
export function differenceWords(pack: Pack, of: Measured, difference: string | null): string {
  if (difference === null) return ''
  if (difference === '0') return '±0'
  const words = valueWords(pack, of, difference)
  return difference.startsWith('-') ? words : `+${words}`
}

const states: Readonly<Record<string, string>> = {
  DRAFT: 'Draft: not submitted',
  VALIDATED: 'Submitted: decision pending',
  REVOKED: 'Withdrawn',
  EXPIRED: 'Expired without a decision',
}

export function stateWords({ status, payload }: Pick<PackRecord, 'status' | 'payload'>): string {
  const { outcome, options } = payload
  if (outcome === null) return states[status] ?? status
  if (outcome.decision === 'REJECTED') return 'Rejected: no alternative selected'
  const label = options.find(({ optionId }) => optionId === outcome.optionId)?.label
  return `Approved: ${label ?? outcome.optionId}`
}

export const dayOf = (time: string) => `${time.slice(0, 16).replace('T', ' ')} UTC`

/** Excel and LibreOffice show 15 significant digits of a number. */
const significantDigits = 15

/**
 * The exact decimal of `atoms / 10^decimals`, without trailing zeros.
 *
 * @param decimals may be negative
 */
export function decimalText(atoms: bigint, decimals: number): string {
  const size = atoms < 0n ? -atoms : atoms
  const sign = atoms < 0n ? '-' : ''
  if (decimals <= 0) return `${sign}${size * 10n ** BigInt(-decimals)}`
  const digits = `${size}`.padStart(decimals + 1, '0')
  const fraction = digits.slice(-decimals).replace(/0+$/, '')
  const whole = digits.slice(0, -decimals)
  return `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

/**
 * The decimal with at most 15 significant digits, rounded half away from zero, so that a spreadsheet
 * reads the same number on every machine.
 */
export function numberText(atoms: bigint, decimals: number): string {
  const size = atoms < 0n ? -atoms : atoms
  const excess = `${size}`.length - significantDigits
  if (excess <= 0) return decimalText(atoms, decimals)
  const step = 10n ** BigInt(excess)
  const rounded = (size + step / 2n) / step
  return decimalText(atoms < 0n ? -rounded : rounded, decimals - excess)
}

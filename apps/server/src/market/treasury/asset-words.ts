/** Display name of an asset; records contain no symbols. */
export function assetWords(assetKey: string): string {
  const [space = '', name = ''] = assetKey.split('/')
  if (space.startsWith('iso4217:')) return space.slice('iso4217:'.length)
  if (name.startsWith('slip44:')) return `coin of ${space.slice('eip155:'.length)}`
  const address = name.slice(name.indexOf(':') + 1)
  return `${address.slice(0, 6)}…${address.slice(-4)}`
}

/**
 * Atoms in whole units, truncated after six decimals, with thousands separators.
 *
 * @param decimals null if unknown; the result is then in atoms
 */
export function unitsWords(atoms: bigint, decimals: number | null): string {
  const sign = atoms < 0n ? '−' : ''
  const digits = `${atoms < 0n ? -atoms : atoms}`.padStart((decimals ?? 0) + 1, '0')
  const cut = digits.length - (decimals ?? 0)
  const whole = digits.slice(0, cut).replaceAll(/\B(?=(\d{3})+$)/g, ',')
  const part = digits.slice(cut)
  const shown = part.slice(0, 6).replace(/0+$/, '')
  const isCut = /[1-9]/.test(part.slice(6))
  return `${sign}${whole}${shown === '' ? '' : `.${shown}`}${isCut ? '…' : ''}`
}

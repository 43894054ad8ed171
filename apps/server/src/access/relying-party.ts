import type { Config } from '../config.ts'

/** WebAuthn relying party ID of the deployment; null if its address allows no passkeys. */
export function relyingParty({ baseUrl }: Pick<Config, 'baseUrl'>): string | null {
  const { protocol, hostname } = new URL(baseUrl)
  const isNamed = !/^[\d.]+$|^\[/.test(hostname)
  return isNamed && (protocol === 'https:' || hostname === 'localhost') ? hostname : null
}

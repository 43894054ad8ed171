import type { Config } from '../config.ts'

/** The name under which browsers keep passkeys of this deployment; null where its address is none that has them. */
export function relyingParty({ baseUrl }: Pick<Config, 'baseUrl'>): string | null {
  const { protocol, hostname } = new URL(baseUrl)
  const isNamed = !/^[\d.]+$|^\[/.test(hostname)
  return isNamed && (protocol === 'https:' || hostname === 'localhost') ? hostname : null
}

import type { RedeemedSession } from '../../access/sign-in.ts'
import type { Services } from '../../services.ts'

/** A cookie hidden from scripts, which other sites cannot send with their requests. */
export function setCookie(
  { config }: Pick<Services, 'config'>,
  name: string,
  value: string,
  maximumAgeSeconds: number,
): Record<string, string> {
  const secure = config.baseUrl.startsWith('https:') ? '; Secure' : ''
  return {
    'set-cookie': `${name}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maximumAgeSeconds}${secure}`,
  }
}

/** Combines several cookies into one response. */
export const setTogether = (...cookies: Record<string, string>[]): Record<string, string[]> => ({
  'set-cookie': cookies.flatMap((cookie) => Object.values(cookie)),
})

/** Cookie of a new session; empty if the browser retains its current session. */
export function sessionCookie(
  services: Pick<Services, 'clock' | 'config'>,
  { token, expiresAt }: RedeemedSession,
): Record<string, string> {
  if (token === null) return {}
  const seconds = Math.floor((expiresAt - services.clock()) / 1000)
  return setCookie(services, services.config.sessionCookie, token, seconds)
}

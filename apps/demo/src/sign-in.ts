import { type Config, createSignInLink, type Database } from '@liquidity-os/server'

export interface DemoSession {
  cookieName: string
  cookie: string
  origin: string
}

/** Signs a user in as a browser would: a one-time link is spent by POST and sets the session cookie. */
export async function signIn(
  database: Database,
  config: Config,
  baseUrl: string,
  email: string,
): Promise<DemoSession> {
  const { link } = await createSignInLink(database, { email, baseUrl }, Date.now())
  const answer = await fetch(`${baseUrl}/auth/email-links/redeem`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: new URL(link).hash.slice(1) }),
  })
  const cookie = answer.headers.get('set-cookie')?.split(';')[0]?.split('=')[1]
  if (!answer.ok || !cookie)
    throw new Error(`Sign-in failed: ${answer.status} ${await answer.text()}`)
  return { cookieName: config.sessionCookie, cookie, origin: new URL(config.baseUrl).origin }
}

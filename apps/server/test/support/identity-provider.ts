import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider, { type Configuration, type InteractionResults } from 'oidc-provider'

/** A real local identity provider; `person` is the user who signs in. */
export interface IdentityProvider {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  person: { id: string; email: string; isVerified?: unknown }
  /** User action at the provider: sign in and consent, or leave. */
  answer: 'AGREE' | 'LEAVE'
  logins: number
  /** JSON to send for a path in place of the library's response. */
  readonly altered: Map<string, string>
  stop(): Promise<void>
}

/** @param redirectUri where browsers are sent back to; @param more of the library's own terms */
export async function startIdentityProvider(
  redirectUri: string,
  more: Configuration = {},
): Promise<IdentityProvider> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const [clientId, clientSecret] = ['liquidity-os', 'secret-of-the-test']
  const kept: IdentityProvider = {
    issuer,
    clientId,
    clientSecret,
    logins: 0,
    answer: 'AGREE',
    altered: new Map(),
    person: { id: 'nobody', email: 'nobody@example.org' },
    stop: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
  const provider = new Provider(issuer, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false }, claimsParameter: { enabled: true } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, id) => {
      const { email, isVerified } = kept.person
      const verified = isVerified === undefined ? {} : { email_verified: isVerified }
      return { accountId: id, claims: async () => ({ sub: id, email, ...verified }) }
    },
    cookies: { keys: ['of the test'] },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
    ...more,
  })
  const callback = provider.callback()
  server.on('request', async (request, response) => {
    const altered = kept.altered.get(request.url ?? '')
    if (altered !== undefined) {
      response.setHeader('content-type', 'application/json')
      return void response.end(altered)
    }
    if (!request.url?.startsWith('/interaction/')) return void callback(request, response)
    const { prompt, params, session } = await provider.interactionDetails(request, response)
    const finish = (result: InteractionResults) =>
      provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
    if (kept.answer === 'LEAVE') return finish({ error: 'access_denied' })
    if (prompt.name === 'login') {
      kept.logins += 1
      return finish({ login: { accountId: kept.person.id } })
    }
    const grant = new provider.Grant({
      accountId: session?.accountId ?? '',
      clientId: String(params.client_id),
    })
    grant.addOIDCScope('openid email')
    return finish({ consent: { grantId: await grant.save() } })
  })
  return kept
}

/** A browser that stores cookies by host and follows redirects. */
export class Wanderer {
  readonly #cookies = new Map<string, Map<string, string>>()

  cookie(origin: string, name: string): string | undefined {
    return this.#cookies.get(origin)?.get(name)
  }

  set(origin: string, name: string, value: string): void {
    const jar = this.#cookies.get(origin) ?? new Map<string, string>()
    this.#cookies.set(origin, jar.set(name, value))
  }

  async get(address: string): Promise<Response> {
    const { origin } = new URL(address)
    const cookie = [...(this.#cookies.get(origin) ?? [])].map((pair) => pair.join('=')).join('; ')
    const answer = await fetch(address, { redirect: 'manual', headers: { cookie } })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/; max-age=0(;|$)/i.test(line)) this.#cookies.get(origin)?.delete(name)
      else this.set(origin, name, value)
    }
    return answer
  }

  /** Follows from the provider's first page to the callback URL. */
  async through(address: string, issuer: string): Promise<string> {
    let next = address
    while (next.startsWith(issuer)) {
      const answer = await this.get(next)
      const location = answer.headers.get('location')
      if (!location) throw new Error(`${next} answers ${answer.status}: ${await answer.text()}`)
      next = new URL(location, next).href
    }
    return next
  }
}

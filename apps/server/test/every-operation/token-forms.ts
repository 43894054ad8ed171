import { basePath } from '@liquidity-os/contract'
import { conformingFetch } from '../support/conforming-fetch.ts'
import { issue } from '../support/credentials.ts'
import type { ActContext } from './scene-state.ts'
import { comparable, type WalkedBody } from './walk-members.ts'

type Form = Readonly<Record<string, string>>

/** Form members behind each error; RFC 6749 §5.2 names no members. */
const membersOfError: Readonly<Record<string, readonly string[]>> = {
  unsupported_grant_type: ['grant_type'],
  invalid_scope: ['scope'],
  invalid_client: ['client_id', 'client_secret'],
}

/** Sends a form without credentials; only the form identifies the client. */
async function sendForm({ service }: ActContext, form: Form, staged: Form) {
  const answer = await conformingFetch(`${service.baseUrl}${basePath}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
  })
  const body = (await answer.json()) as { readonly error?: string }
  const members = membersOfError[body.error ?? ''] ?? []
  return {
    status: answer.status,
    code: body.error ?? '',
    fieldErrors: Object.fromEntries(members.map((name) => [name, [body.error ?? '']])),
    seen: comparable(body, form, staged),
  }
}

/** Operations whose request is a form without the envelope: bodies by their operation. */
export const tokenForms: Readonly<
  Record<string, (world: ActContext) => Promise<readonly WalkedBody[]>>
> = {
  issueOperatingSystemOAuthToken: async (world) => {
    const granted = ['studies:read', 'webhooks:manage']
    const { credential, secret } = await issue(world.owner, 'OAUTH_CLIENT', granted)
    const form: Form = {
      grant_type: 'client_credentials',
      scope: 'studies:read',
      client_id: credential.id,
      client_secret: secret,
    }
    return [{ body: form, send: (change) => sendForm(world, change(form) as Form, form) }]
  },
}

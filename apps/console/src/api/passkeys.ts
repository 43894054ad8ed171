import { askExtension } from './send.ts'

export interface Passkey {
  readonly id: string
  readonly name: string
  readonly isSynced: boolean
  readonly createdAt: string
  readonly lastUsedAt: string | null
}

export const passkeysQuery = {
  queryKey: ['passkeys'],
  queryFn: () =>
    askExtension<{ data: { items: readonly Passkey[] } }>('/auth/passkeys').then(
      ({ data }) => data.items,
    ),
}

/** Creates a passkey with an authenticator on this device or nearby, and registers it. */
export async function addPasskey(name: string): Promise<void> {
  const { data } = await askExtension<{ data: PublicKeyCredentialCreationOptionsJSON }>(
    '/auth/passkeys/registrations',
    {},
  )
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(data)
  const credential = await navigator.credentials.create({ publicKey })
  await askExtension('/auth/passkeys', { name, credential: jsonOf(credential) })
}

/** Requests a signature with a registered passkey, which makes the session recent again. */
export async function showPasskey(): Promise<void> {
  const { data } = await askExtension<{ data: PublicKeyCredentialRequestOptionsJSON }>(
    '/auth/passkeys/assertions',
    {},
  )
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(data)
  const credential = await navigator.credentials.get({ publicKey })
  await askExtension('/auth/reauthentications/passkey', { credential: jsonOf(credential) })
}

export const removePasskey = ({ id }: Passkey): Promise<void> =>
  askExtension(`/auth/passkeys/${encodeURIComponent(id)}`, {}, 'DELETE')

function jsonOf(credential: Credential | null): unknown {
  if (!(credential instanceof PublicKeyCredential))
    throw new Error('The browser returned no passkey.')
  return credential.toJSON()
}

import type { Sealing } from '../../access/sealing.ts'

/** To whom a provider's secret belongs, and the one host it is sent to. */
export interface SecretPlace {
  organizationId: string
  /** Host of the endpoint, without its port. */
  host: string
}

/**
 * A reference that carries the secret itself, sealed under the deployment's key: it opens for one
 * organization and one host only, so a copied reference is worth nothing elsewhere.
 */
export function sealProviderSecret(sealing: Sealing, place: SecretPlace, secret: string): string {
  return `sealed:${sealing.seal(secret, placeText(place))}`
}

/** Why a secret cannot be sealed, or null. A header carries visible ASCII only (RFC 9110 §5.5). */
export function secretFault(secret: string): string | null {
  return /^[\x21-\x7e]{1,800}$/.test(secret)
    ? null
    : `must have 1 to 800 visible ASCII characters without spaces, got ${secret.length} characters`
}

/** Why a name is no host that a secret can be bound to, or null. */
export function hostFault(host: string): string | null {
  const isHost = URL.canParse(`https://${host}/`) && new URL(`https://${host}/`).hostname === host
  return isHost ? null : 'must be the host of an endpoint in lower case, such as rpc.example.com'
}

/**
 * The secret behind a reference, for the one host to which it is bound: a tenant can name a secret, but not
 * have it sent somewhere else.
 *
 * @returns null where the reference is absent, unset, bound to another place, or sealed with a lost key
 */
export function secretFor(
  reference: string | null,
  place: SecretPlace,
  sealing: Sealing,
): string | null {
  if (reference === null) return null
  if (reference.startsWith(sealedPrefix)) {
    try {
      return sealing.open(reference.slice(sealedPrefix.length), placeText(place))
    } catch {
      return null
    }
  }
  const text = process.env[reference.slice('env:'.length)]
  if (text === undefined) return null
  const [boundHost, secret] = text.split(' ')
  return boundHost === place.host && secret ? secret : null
}

const sealedPrefix = 'sealed:'

const placeText = ({ organizationId, host }: SecretPlace) => `provider|${organizationId}|${host}`

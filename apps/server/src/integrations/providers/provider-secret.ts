import type { Sealing } from '../../access/sealing.ts'

/** Owner of a provider's secret, and the only host that may receive it. */
export interface SecretOwner {
  organizationId: string
  /** Host of the endpoint, without its port. */
  host: string
}

/**
 * A reference that contains the encrypted secret. It is bound to one organization and one host, so
 * a copied reference is useless elsewhere.
 */
export function sealProviderSecret(sealing: Sealing, place: SecretOwner, secret: string): string {
  return `sealed:${sealing.seal(secret, placeText(place))}`
}

/** Why a secret cannot be sealed, or null. A header carries visible ASCII only (RFC 9110 §5.5). */
export function secretFault(secret: string): string | null {
  return /^[\x21-\x7e]{1,800}$/.test(secret)
    ? null
    : `must have 1 to 800 visible ASCII characters without spaces, got ${secret.length} characters`
}

/** Reason a secret cannot be bound to a host name, or null. */
export function hostFault(host: string): string | null {
  const isHost = URL.canParse(`https://${host}/`) && new URL(`https://${host}/`).hostname === host
  return isHost ? null : 'must be the host of an endpoint in lowercase, such as rpc.example.com'
}

/**
 * Secret behind a reference, for the one host that it is bound to. A tenant can name a secret but
 * cannot redirect it to another host.
 *
 * @returns null if the reference is absent, unset, bound elsewhere, or uses a lost key
 */
export function secretFor(
  reference: string | null,
  place: SecretOwner,
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

const placeText = ({ organizationId, host }: SecretOwner) => `provider|${organizationId}|${host}`

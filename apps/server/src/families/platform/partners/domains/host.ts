import { isIP } from 'node:net'
import { domainToASCII, domainToUnicode } from 'node:url'
import { textAfterLast } from '../../../../texts.ts'
import { skeletonOf } from './look-alike.ts'

/** A host that can be bound, or the reason why not. */
export type HostCheck =
  | { readonly fault: string }
  | { readonly fault: null; readonly displayHost: string; readonly skeleton: string }

const label = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/

/**
 * Validates a host name: exact, public, in DNS form, and not misleading.
 *
 * @param host original input
 * @param ownHost host of the deployment, which partners must not imitate
 * @param faultOfScripts checks the characters of an internationalized name; loading its tables
 * takes a second
 * @see RFC 5891 §4, UTS 39 §5.2, the Public Suffix List
 */
export async function checkHost(
  host: string,
  ownHost: string,
  faultOfScripts: (displayHost: string) => Promise<string | null> | string | null,
): Promise<HostCheck> {
  const fault = faultOfForm(host) ?? (await faultOfSuffix(host))
  if (fault !== null) return { fault }
  const displayHost = domainToUnicode(host)
  // Without a lossless round trip it is no A-label: two spellings of one host would count as
  // different hosts.
  const isUnread = displayHost.split('.').some((one) => one.startsWith('xn--'))
  if (displayHost === '' || isUnread || domainToASCII(displayHost) !== host) {
    return { fault: 'must have valid A-labels if it is internationalized (IDNA 2008)' }
  }
  const scripts = displayHost === host ? null : await faultOfScripts(displayHost)
  if (scripts !== null) return { fault: scripts }
  const skeleton = skeletonOf(displayHost)
  if (host === ownHost || host.endsWith(`.${ownHost}`)) {
    return { fault: "must not be the service's own host or a subdomain of it" }
  }
  if (skeleton === skeletonOf(ownHost)) {
    return { fault: "must not look like the service's own host" }
  }
  return { fault: null, displayHost, skeleton }
}

function faultOfForm(host: string): string | null {
  if (host.includes('*')) return 'must be one exact host, not a wildcard'
  if (isIP(host.replace(/^\[|\]$/g, '')) !== 0) return 'must be a host name, not an IP address'
  if (/[^\x21-\x7e]/.test(host)) {
    const ascii = domainToASCII(host)
    return `must be in ASCII (DNS form)${ascii === '' ? '' : `, which would be ${ascii}`}`
  }
  if (host !== host.toLowerCase()) return `must be in lowercase: ${host.toLowerCase()}`
  const labels = host.split('.')
  if (labels.length < 2) return 'must have at least two labels'
  const wrong = labels.find((one) => !label.test(one))
  if (wrong !== undefined) {
    return `must consist of labels of up to 63 letters, digits and inner hyphens; ${JSON.stringify(wrong)} is not valid`
  }
  if (/^[0-9]+$/.test(textAfterLast(host, '.'))) return 'must not end with a label of only digits'
  return null
}

async function faultOfSuffix(host: string): Promise<string | null> {
  const { getPublicSuffix } = await import('tldts')
  const suffix = getPublicSuffix(host, { allowPrivateDomains: true })
  return suffix === host
    ? 'must not be a public suffix: different parties own the hosts below it'
    : null
}

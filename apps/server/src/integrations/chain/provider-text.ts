import { limits } from '../../limits.ts'

const omitted = '…'
/** Last parts of a path that are no keys, and single characters. */
const pathWords = /^(rpc|v\d+|eth|mainnet|json-?rpc|public|.)?$/i
/** Shorter parts of a path are words such as `rpc` or `v2`. */
const minimumKeyLength = 6

/**
 * Error text of a provider without its keys: printable ASCII of at most 200 characters. Providers
 * repeat the URL or the key of a request in their errors.
 *
 * @param endpoint URL of the provider; its path and query can be a key
 * @param secrets other texts to remove
 */
export function redactProviderText(
  text: string,
  endpoint: string,
  secrets: readonly string[] = [],
): string {
  const keys = [...keysOf(endpoint), ...secrets].filter((key) => key.length > 0)
  // The longest first: a part of a key must not remain.
  const longestFirst = keys.toSorted((a, b) => b.length - a.length)
  const withoutKeys = longestFirst.reduce((rest, key) => removeText(rest, key), text)
  const words = withoutKeys
    .replace(/\b[a-z][a-z0-9+.-]*:\/\/\S+/gi, omitted)
    .replace(/(?:0x)?[0-9a-f]{17,}/gi, omitted)
    .replace(/[\w.~+/=%-]{20,}/g, omitted)
    .replace(/[^\x20-\x7e…]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return words.slice(0, limits.providerTextCharacters)
}

function keysOf(endpoint: string): string[] {
  const { pathname, search, searchParams, username, password } = new URL(endpoint)
  const parts = `${pathname}${search}`.split(/[/?&=]/)
  const texts = [`${pathname}${search}`, pathname, ...parts, ...searchParams.values()]
  const last = pathname
    .split('/')
    .filter((part) => part !== '')
    .slice(-1)
  // The last part of the path and values of the query are keys of any length.
  const keys = [...last, ...searchParams.values(), username, password].filter(
    (key) => !pathWords.test(key),
  )
  return [...texts.filter((key) => key.length >= minimumKeyLength), ...keys].flatMap((key) => [
    key,
    decoded(key),
  ])
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Removes a text in any case. */
function removeText(text: string, key: string): string {
  const escaped = key.replace(/[^\w\s]/g, '\\$&')
  return text.replace(new RegExp(escaped, 'gi'), omitted)
}

import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { sha256Hex } from '@liquidity-os/evidence'
import { type Headers, header } from '../access/headers.ts'

/** An encoded form of a text, with its own ETag because the bytes differ. */
export interface CachedForm {
  readonly body: Uint8Array
  /** Unquoted. */
  readonly etag: string
  readonly headers: Record<string, string>
}

const shrinks = {
  br: (text: Uint8Array) =>
    promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (text: Uint8Array) => promisify(gzip)(text, { level: 9 }),
} as const
type Coding = keyof typeof shrinks

/**
 * A text that is equal for all callers, cached in its encoded forms. Each coding is compressed and
 * hashed once, off the event loop. Further reads cost only bandwidth.
 */
export class CachedText {
  readonly #text: Uint8Array
  readonly #hash: string
  readonly #forms = new Map<Coding, Promise<CachedForm>>()

  constructor(text: string | Uint8Array) {
    // Encoded once, because encoding a megabyte for every response is expensive.
    this.#text = Buffer.from(text)
    this.#hash = sha256Hex(this.#text)
  }

  /** Smallest form that Accept-Encoding allows, else the plain text. */
  async formFor(requested: Headers): Promise<CachedForm> {
    const coding = codingOf(header(requested, 'accept-encoding'))
    if (coding === null) {
      return { body: this.#text, etag: this.#hash, headers: { vary: 'accept-encoding' } }
    }
    const known = this.#forms.get(coding) ?? this.#shrunk(coding)
    this.#forms.set(coding, known)
    return known
  }

  async #shrunk(coding: Coding): Promise<CachedForm> {
    const body = await shrinks[coding](this.#text)
    const headers = { vary: 'accept-encoding', 'content-encoding': coding }
    return { body, etag: `${this.#hash}-${coding}`, headers }
  }
}

/** Accepted coding: weight 0 rejects a name, `*` matches any (RFC 9110 §12.5.3). */
export function codingOf(accepted: string | null): Coding | null {
  if (accepted === null) return null
  const refused = new Set<string>()
  const named = new Set<string>()
  for (const part of accepted.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.trim().split(';')
    const isRefused = parameters.some((one) => /^\s*q=0(\.0{0,3})?\s*$/.test(one))
    if (isRefused) refused.add(name.trim())
    else named.add(name.trim())
  }
  const takes = (coding: Coding) => named.has(coding) || (named.has('*') && !refused.has(coding))
  return takes('br') ? 'br' : takes('gzip') ? 'gzip' : null
}

/**
 * Computes the value on first use and caches it. A failure is not cached; the next call retries.
 */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let cached: Promise<T> | null = null
  return () => {
    cached ??= make().catch((error: unknown) => {
      cached = null
      throw error
    })
    return cached
  }
}

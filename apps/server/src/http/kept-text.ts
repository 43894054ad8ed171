import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { sha256Hex } from '@liquidity-os/evidence'
import { type Headers, header } from '../access/headers.ts'

/** A form of a text as it is sent: each has a tag of its own, as the bytes differ. */
export interface KeptForm {
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
 * A text that is the same for everybody, kept in the forms in which it is sent. It is compressed once for each coding, off
 * the event loop, and hashed once: twenty readers a second cost what their bytes cost.
 */
export class KeptText {
  readonly #text: Uint8Array
  readonly #hash: string
  readonly #forms = new Map<Coding, Promise<KeptForm>>()

  constructor(text: string | Uint8Array) {
    // Encoded once: a text of a megabyte would be with every answer.
    this.#text = Buffer.from(text)
    this.#hash = sha256Hex(this.#text)
  }

  /** The form that the reader takes: the smallest of those that Accept-Encoding names, else the text itself. */
  async formFor(asked: Headers): Promise<KeptForm> {
    const coding = codingOf(header(asked, 'accept-encoding'))
    if (coding === null) {
      return { body: this.#text, etag: this.#hash, headers: { vary: 'accept-encoding' } }
    }
    const known = this.#forms.get(coding) ?? this.#shrunk(coding)
    this.#forms.set(coding, known)
    return known
  }

  async #shrunk(coding: Coding): Promise<KeptForm> {
    const body = await shrinks[coding](this.#text)
    const headers = { vary: 'accept-encoding', 'content-encoding': coding }
    return { body, etag: `${this.#hash}-${coding}`, headers }
  }
}

/** The coding that a reader accepts: a name with a weight of nothing is refused, `*` is any (RFC 9110 §12.5.3). */
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

/** What is made for the first who asks, and kept. One that fails is not: the next who asks makes it anew. */
export function keptOnce<T>(make: () => Promise<T>): () => Promise<T> {
  let kept: Promise<T> | null = null
  return () => {
    kept ??= make().catch((error: unknown) => {
      kept = null
      throw error
    })
    return kept
  }
}

import { lookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import { textOrEmpty } from '../../texts.ts'
import { OutboundRefusedError } from './outbound-error.ts'
import { refusedRange } from './public-address.ts'

/** All addresses of a name; the system's resolver unless a test brings its own. */
export type Resolve = (hostname: string) => Promise<{ address: string; family: number }[]>

export interface GuardOptions {
  /** `host:port` pairs that are allowed at any address. */
  readonly allow: readonly string[]
  readonly connectTimeoutMs: number
  readonly resolve?: Resolve
}

/**
 * Connector that reaches only public addresses.
 *
 * A name is resolved once and every returned address is checked. The socket connects to exactly one
 * of these, so DNS rebinding has no effect. The peer address of the connected socket is checked
 * again. Literal addresses skip the resolver and are checked before connecting.
 */
export function guardedConnector(options: GuardOptions): buildConnector.connector {
  const allowed = new Set(options.allow.map(normalPair))
  const resolve = options.resolve ?? resolveAll
  const open = { timeout: options.connectTimeoutMs, allowH2: false }
  const guarded = buildConnector({ ...open, lookup: guardedLookup(resolve) })
  const unguarded = buildConnector({ ...open, lookup: plainLookup(resolve) })
  return (target, callback) => {
    const { hostname, protocol } = target
    const port = target.port || (protocol === 'https:' ? '443' : '80')
    if (allowed.has(normalPair(`${bracketed(hostname)}:${port}`))) {
      unguarded(target, callback)
      return
    }
    const refusal = isIP(hostname) === 0 ? null : refusalOf(hostname, hostname)
    if (refusal !== null) {
      callback(refusal, null)
      return
    }
    guarded(target, (...[error, socket]: Parameters<buildConnector.Callback>) => {
      if (error !== null) {
        callback(error, null)
        return
      }
      // A peer without an address is rejected.
      const peer = refusalOf(hostname, textOrEmpty(socket.remoteAddress))
      if (peer === null) {
        callback(null, socket)
        return
      }
      socket.destroy()
      callback(peer, null)
    })
  }
}

function refusalOf(hostname: string, address: string): OutboundRefusedError | null {
  const range = refusedRange(address)
  if (range === null) return null
  const detail = `its address is ${range}`
  return new OutboundRefusedError({ code: 'ADDRESS_NOT_PUBLIC', origin: hostname, detail })
}

function guardedLookup(resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    const answer = resolve(hostname).then((addresses) => {
      for (const { address } of addresses) {
        const refusal = refusalOf(hostname, address)
        if (refusal !== null) throw refusal
      }
      return addresses
    })
    reply(answer, hostname, options, callback)
  }
}

function plainLookup(resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => reply(resolve(hostname), hostname, options, callback)
}

/** Passes the addresses to `net.connect`, which expects all or one. */
function reply(
  answer: ReturnType<Resolve>,
  hostname: string,
  { all }: { all?: boolean | undefined },
  callback: Parameters<LookupFunction>[2],
): void {
  answer.then(
    (addresses) => {
      const [first] = addresses
      if (first === undefined) {
        const error = Object.assign(new Error(`${hostname} does not resolve to an address.`), {
          code: 'ENOTFOUND',
        })
        callback(error, '', 0)
      } else if (all) callback(null, addresses)
      else callback(null, first.address, first.family)
    },
    (error: NodeJS.ErrnoException) => callback(error, '', 0),
  )
}

function resolveAll(hostname: string): ReturnType<Resolve> {
  return lookup(hostname, { all: true })
}

/** One spelling for each pair: `0x7f.1:80` is `127.0.0.1:80`. */
function normalPair(pair: string): string {
  const port = pair.slice(pair.lastIndexOf(':') + 1)
  const url = `http://${pair}`
  return URL.canParse(url) ? `${new URL(url).hostname}:${port}` : pair
}

function bracketed(hostname: string): string {
  return isIP(hostname) === 6 ? `[${hostname}]` : hostname
}

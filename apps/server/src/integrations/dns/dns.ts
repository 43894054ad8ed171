import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { limits } from '../../limits.ts'
import { required } from '../../required.ts'
import { confirmRequester } from '../../threads.ts'
import { refusedRange } from '../outbound/public-address.ts'

export interface NameServer {
  readonly name: string
  readonly role: 'AUTHORITATIVE' | 'RECURSIVE'
  /** Null if the name has no address. */
  readonly address: string | null
  readonly port: number
}

/** Result from a server: a value, confirmed absence, or no reliable response. */
export type DnsAnswer<T> =
  | { readonly kind: 'SAID'; readonly value: T }
  | { readonly kind: 'NOTHING' }
  | { readonly kind: 'SILENT'; readonly detail: string }

/** Servers to query for a name, and its zone. */
export interface Authorities {
  readonly zone: string | null
  readonly servers: readonly NameServer[]
}

export interface DnsOptions {
  /** `address` or `address:port`; empty for the system resolvers. */
  readonly resolvers: readonly string[]
  /** Port of zone name servers. */
  readonly serverPort: number
  /** `host:port` pairs that may be queried even if their address is not public. */
  readonly allow: readonly string[]
}

/**
 * Queries name servers directly by address. Instances share no cache, so a check sees current data.
 * Zone servers are queried at public addresses only; the resolvers are the operator's own.
 */
export class Dns {
  readonly #options: DnsOptions
  readonly #resolver: Resolver
  readonly #direct = new Map<string, Resolver>()

  constructor(options: DnsOptions) {
    this.#options = options
    this.#resolver = newResolver(options.resolvers)
  }

  /** The resolvers of the deployment, each as a server. */
  get recursive(): NameServer[] {
    return this.#resolver.getServers().map((server) => {
      const { address, port } = partsOf(server)
      return { name: server, role: 'RECURSIVE', address, port }
    })
  }

  /**
   * Authoritative servers of the zone of a name: the nearest zone at or above it that has servers.
   */
  async authorities(name: string): Promise<Authorities> {
    await confirmRequester()
    const labels = name.split('.')
    for (let first = 0; first < labels.length; first += 1) {
      const zone = labels.slice(first).join('.')
      const stated = await answerOf(() => this.#resolver.resolveNs(zone))
      // A failing resolver reveals no zone; continuing upward would find the wrong zone.
      if (stated.kind === 'SILENT') return { zone: null, servers: [] }
      if (stated.kind === 'SAID' && stated.value.length > 0) {
        return { zone, servers: await this.#serversOf(stated.value) }
      }
    }
    return { zone: null, servers: [] }
  }

  /** Addresses of a host according to the deployment's resolvers; empty if unknown. */
  async addressesOf(host: string): Promise<string[]> {
    if (isIP(host) !== 0) return [host]
    await confirmRequester()
    const found = await Promise.all([
      answerOf(() => this.#resolver.resolve4(host)),
      answerOf(() => this.#resolver.resolve6(host)),
    ])
    return found.flatMap((statement) => (statement.kind === 'SAID' ? statement.value : []))
  }

  /** True if the deployment's rules permit queries to a server. */
  mayAsk({ role, address, port }: NameServer): boolean {
    if (role === 'RECURSIVE') return true
    if (address === null) return false
    const pair = isIP(address) === 6 ? `[${address}]:${port}` : `${address}:${port}`
    return this.#options.allow.includes(pair) || refusedRange(address) === null
  }

  /** TXT records of a name at one server; the strings of a record are joined. */
  async texts(server: NameServer, name: string): Promise<DnsAnswer<string[]>> {
    const statedValue = await this.#ask(server, (resolver) => resolver.resolveTxt(name))
    if (statedValue.kind !== 'SAID') return statedValue
    return { kind: 'SAID', value: statedValue.value.map((strings) => strings.join('')) }
  }

  async alias(server: NameServer, name: string): Promise<DnsAnswer<string>> {
    const answer = await this.#ask(server, (resolver) => resolver.resolveCname(name))
    if (answer.kind !== 'SAID') return answer
    const [target] = answer.value
    return target === undefined ? { kind: 'NOTHING' } : { kind: 'SAID', value: plain(target) }
  }

  async #ask<T>(
    server: NameServer,
    question: (resolver: Resolver) => Promise<T>,
  ): Promise<DnsAnswer<T>> {
    await confirmRequester()
    if (!this.mayAsk(server)) throw new Error(`${server.name} must not be queried.`)
    return answerOf(() => question(this.#at(server)))
  }

  #at({ name, address: reportedValue, port }: NameServer): Resolver {
    const address = required(reportedValue, `address of ${name}`)
    const place = isIP(address) === 6 ? `[${address}]:${port}` : `${address}:${port}`
    const known = this.#direct.get(place) ?? newResolver([place])
    this.#direct.set(place, known)
    return known
  }

  async #serversOf(names: readonly string[]): Promise<NameServer[]> {
    const port = this.#options.serverPort
    const found = await Promise.all(
      names
        .map(plain)
        .sort()
        .slice(0, limits.dnsServers)
        .map(async (name): Promise<NameServer[]> => {
          const addresses = await this.addressesOf(name)
          const places = addresses.length === 0 ? [null] : addresses.toSorted()
          return places.map((address) => ({ name, role: 'AUTHORITATIVE', address, port }))
        }),
    )
    return found.flat().slice(0, limits.dnsServers)
  }
}

function newResolver(servers: readonly string[]): Resolver {
  const resolver = new Resolver({
    timeout: limits.dnsQuestionMilliseconds,
    tries: limits.dnsTries,
  })
  if (servers.length > 0) resolver.setServers(servers)
  return resolver
}

/** A name without the dot of the root, in lower case. */
const plain = (name: string) => name.replace(/\.$/, '').toLowerCase()

/** Codes for a missing name, or a name without records of the type. */
const nothing = new Set(['ENODATA', 'ENOTFOUND'])

async function answerOf<T>(ask: () => Promise<T>): Promise<DnsAnswer<T>> {
  try {
    return { kind: 'SAID', value: await ask() }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (typeof code !== 'string') throw error
    if (nothing.has(code)) return { kind: 'NOTHING' }
    return { kind: 'SILENT', detail: words[code] ?? `it failed with ${code}` }
  }
}

const words: Readonly<Record<string, string>> = {
  ETIMEOUT: 'it timed out',
  ECONNREFUSED: 'it refused the connection',
  ESERVFAIL: 'it reported a server failure',
  EREFUSED: 'it refused the query',
  EBADRESP: 'its response is malformed',
}

function partsOf(server: string): { address: string; port: number } {
  if (isIP(server) !== 0) return { address: server, port: dnsPort }
  const colon = server.lastIndexOf(':')
  const address = server.slice(0, colon).replace(/^\[|\]$/g, '')
  return { address, port: Number(server.slice(colon + 1)) }
}

const dnsPort = 53
